/**
 * One request to a provider, priced, and repeated where that helps: the one place where a request to a model is sent again.
 */
import { type Clock, sleep } from '../base/clock.ts';
import { EngineError } from '../base/engine-error.ts';
import type { ModelReply } from '../kernel/model-capability.ts';
import type { AskOptions, KeySource, ModelProvider, ProviderRequest } from './model-provider.ts';
import { costOf } from './price-table.ts';
import type { ProviderConfig } from './provider-config.ts';
import type { RefusedFields } from './providers/optional-fields.ts';
import { createSdkProvider } from './providers/sdk-provider.ts';

/** Times a request is sent at most. A node's own `retry` comes on top of that. */
const maxTries = 3;

/** Milliseconds before the second try; it doubles with each one. */
const firstDelayMs = 500;

/** A provider that asks to wait longer is taken at its word, by whoever sees the error. */
const longestWaitMs = 60_000;

interface RetryOptions {
  readonly clock: Clock;
  /** From 0 up to 1; spreads the requests of many runs. */
  readonly random: () => number;
}

/**
 * Sends a request again that failed on the way: no connection, a broken one, HTTP 408, 429 or 5xx. Not when the model had
 * begun to answer, because half an answer cannot be taken back, nor after a long silence, nor when nothing would change.
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

/** Milliseconds; undefined = the error is final. */
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

/** Whom to ask, and with what. */
interface AskedProvider {
  /** As in `name::model`. */
  readonly name: string;
  readonly config: ProviderConfig;
  readonly keyOf: KeySource;
  readonly clock: Clock;
  /** From 0 up to 1, for the time between two tries. */
  readonly random: () => number;
  readonly refused: RefusedFields;
}

/** @throws EngineError `model.*`; the signal's reason when it aborts */
export async function askProvider(
  { random, ...asked }: AskedProvider,
  request: ProviderRequest,
  options: AskOptions,
): Promise<ModelReply> {
  const { config, clock } = asked;
  const provider = withRetries(createSdkProvider(asked), { clock, random });
  const reply = await provider.ask(request, options);
  const costUsd = costOf({ address: config.baseUrl, model: request.model }, reply.usage);
  return costUsd === undefined ? reply : { ...reply, costUsd };
}
