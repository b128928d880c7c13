/**
 * Sends one request to a provider, calculates its cost, and retries it if a retry may help. No other code retries model
 * requests.
 */
import { type Clock, sleep } from '../../base/clock.ts';
import { EngineError } from '../../base/engine-error.ts';
import type { ModelReply } from '../../runtime/kernel/models/model-capability.ts';
import type { AskOptions, KeySource, ModelProvider, ProviderRequest } from './model-provider.ts';
import { costOf } from './price-table.ts';
import type { ProviderConfig } from './provider-config.ts';
import type { RefusedFields } from './providers/optional-fields.ts';
import { createSdkProvider } from './providers/sdk-provider.ts';

/** Maximum number of times a request is sent. The node's own retries (`retry`) are in addition to these. */
const maxTries = 3;

/** Delay before the second attempt, in milliseconds. It doubles with each attempt. */
const firstDelayMs = 500;

/** If a provider requests a longer wait, the error is returned and the caller decides how to wait. */
const longestWaitMs = 60_000;

interface RetryOptions {
  readonly clock: Clock;
  /** Returns a number from 0 up to 1, to spread the requests of many runs. */
  readonly random: () => number;
}

/**
 * Retries a request that failed on the network: no connection, a broken connection, HTTP 408, 429 or 5xx. There is no
 * retry after a partial response, which cannot be taken back, after a long silence, or if a retry would not change the
 * error.
 */
export function withRetries(provider: ModelProvider, world: RetryOptions): ModelProvider {
  return {
    async ask(request, options) {
      for (let tries = 1; ; tries++) {
        const watched = watchPieces(options);
        try {
          return await provider.ask(request, watched.options);
        } catch (error) {
          const waitMs = watched.hasBegun() || tries === maxTries ? undefined : waitBefore(error, tries, world);
          if (waitMs === undefined) throw error;
          await sleep(world.clock, waitMs, options.signal);
        }
      }
    },
  };
}

/** Returns milliseconds; undefined if the error is final. */
function waitBefore(error: unknown, tries: number, { random }: RetryOptions): number | undefined {
  if (!EngineError.is(error) || !error.recoverable) return undefined;
  const { retryAfterMs, idleMs } = detailsOf(error);
  if (idleMs !== undefined) return undefined;
  const backoffMs = firstDelayMs * 2 ** (tries - 1) * (1 + random());
  if (retryAfterMs === undefined) return backoffMs;
  return retryAfterMs > longestWaitMs ? undefined : Math.max(retryAfterMs, backoffMs);
}

function detailsOf({ details }: EngineError): { readonly retryAfterMs?: number; readonly idleMs?: number } {
  return typeof details === 'object' && details !== null ? details : {};
}

function watchPieces(options: AskOptions): { readonly options: AskOptions; hasBegun(): boolean } {
  let hasBegun = false;
  const { onText, onReasoning } = options;
  return {
    hasBegun: () => hasBegun,
    options: {
      ...options,
      onText(piece) {
        hasBegun = true;
        onText(piece);
      },
      onReasoning(piece) {
        hasBegun = true;
        onReasoning?.(piece);
      },
    },
  };
}

/** The provider to use and its configuration. */
interface AskedProvider {
  /** Name as in `name::model`. */
  readonly name: string;
  readonly config: ProviderConfig;
  readonly keyOf: KeySource;
  readonly clock: Clock;
  /** Returns a number from 0 up to 1, to vary the time between two attempts. */
  readonly random: () => number;
  readonly refused: RefusedFields;
}

/** Sends a request. @throws EngineError `model.*`; the signal's reason if it aborts */
export async function askProvider(
  { random, ...asked }: AskedProvider,
  request: ProviderRequest,
  options: AskOptions,
): Promise<ModelReply> {
  const { config, clock } = asked;
  const provider = withRetries(createSdkProvider(asked), { clock, random });
  const reply = await provider.ask(request, options);
  const costUsd = costOf({ address: config.baseUrl, model: request.model }, reply.usage, clock.now());
  return costUsd === undefined ? reply : { ...reply, costUsd };
}
