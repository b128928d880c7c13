/**
 * Checks whether a provider can be reached with its key, for a button in the settings.
 */
import { z } from 'zod';
import { type Clock, sleep } from '../../base/clock.ts';
import { EngineError, toErrorRecord } from '../../base/engine-error.ts';
import { webFetch } from '../web/web-fetch.ts';
import type { KeySource } from './model-provider.ts';
import type { ProviderConfig, ProviderKind } from './provider-config.ts';
import { toModelError } from './providers/provider-errors.ts';
import { readKey } from './providers/sdk-provider.ts';

interface ProbedProvider {
  /** Name for messages. */
  readonly name: string;
  readonly config: ProviderConfig;
}

export interface ProbeOptions {
  /** Returns keys; may return one that is not saved yet. */
  readonly keyOf: KeySource;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

interface ProbeResult {
  readonly ok: boolean;
  /** A sentence for people. */
  readonly message: string;
  /** Error code if the probe failed; `model.missing-key` for a missing key. */
  readonly code?: string;
  /** Sorted names of the provider's models, if it lists them. */
  readonly models?: readonly string[];
}

/** Timeout in milliseconds. */
const longestMs = 15_000;

/**
 * Requests the list of models, which is free.
 * @throws the signal's reason if it aborts; all other failures are returned as a result
 */
export async function probeProvider(provider: ProbedProvider, world: ProbeOptions): Promise<ProbeResult> {
  const stop = new AbortController();
  const signal = AbortSignal.any([world.signal, stop.signal]);
  try {
    const tooLong = sleep(world.clock, longestMs, signal).then(() => {
      throw tooSlow(provider.name);
    });
    return await Promise.race([listModels(provider, { ...world, signal }), tooLong]);
  } catch (error) {
    world.signal.throwIfAborted();
    const { message, code } = toErrorRecord(error);
    return { ok: false, message, code };
  } finally {
    stop.abort();
  }
}

async function listModels(
  { name, config }: ProbedProvider,
  { keyOf, clock, signal }: ProbeOptions,
): Promise<ProbeResult> {
  const key = readKey({ name, config, keyOf });
  const place = { name, config, key, clock };
  try {
    const headers = key === undefined ? {} : keyHeaders(config.kind, key);
    const response = await webFetch(`${config.baseUrl.replace(/\/$/, '')}/models`, {
      headers,
      signal,
      redirect: 'manual',
    });
    const body = await response.text();
    if (response.status === 404 || response.status === 405) return withoutList(name);
    if (!response.ok) throw httpFailure(response, body);
    const { models, oddCount } = namesOf(body);
    const odd = oddCount === 0 ? '' : ` ${oddCount} more entries in its list have no usable name.`;
    return { ok: true, message: `Provider "${name}" responds and has ${models.length} models.${odd}`, models };
  } catch (error) {
    signal.throwIfAborted();
    throw toModelError(error, place);
  }
}

function withoutList(name: string): ProbeResult {
  return {
    ok: true,
    message: `Provider "${name}" responds but does not list its models. The first request will show whether it accepts the key.`,
  };
}

function keyHeaders(kind: ProviderKind, key: string): Readonly<Record<string, string>> {
  if (kind === 'anthropic') return { 'x-api-key': key, 'anthropic-version': '2023-06-01' };
  return kind === 'gemini' ? { 'x-goog-api-key': key } : { authorization: `Bearer ${key}` };
}

const listed = z.object({
  data: z.array(z.unknown()).nullish(),
  models: z.array(z.unknown()).nullish(),
});
const entry = z.object({ id: z.string().min(1) });
const geminiEntry = z
  .object({ name: z.string().min(1) })
  .transform(({ name }) => ({ id: name.replace(/^models\//, '') }));

/**
 * Parses `{ data: [{ id }] }`, or Gemini's `{ models: [{ name: 'models/…' }] }`. Skips malformed entries.
 * @throws ZodError if none of the entries is usable
 */
function namesOf(body: string): { readonly models: readonly string[]; readonly oddCount: number } {
  const { data, models } = listed.parse(JSON.parse(body));
  const read = [
    ...(data ?? []).map((one) => entry.safeParse(one)),
    ...(models ?? []).map((one) => geminiEntry.safeParse(one)),
  ];
  const names = read.flatMap((one) => (one.success ? [one.data.id] : []));
  const [firstOdd] = read.flatMap((one) => (one.success ? [] : [one.error]));
  if (names.length === 0 && firstOdd !== undefined) throw firstOdd;
  return { models: [...new Set(names)].sort(), oddCount: read.length - names.length };
}

/** Returns the failure in the shape of an SDK error, so that both are reported the same way. */
function httpFailure(response: Response, responseBody: string): Error {
  return Object.assign(new Error('no reason given'), {
    url: response.url,
    requestBodyValues: {},
    statusCode: response.status,
    responseHeaders: Object.fromEntries(response.headers),
    responseBody,
  });
}

function tooSlow(name: string): EngineError {
  return new EngineError({
    code: 'model.unavailable',
    message: `Provider "${name}" did not respond within ${longestMs / 1000} s.`,
  });
}
