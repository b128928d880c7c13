/**
 * What a provider or the network answered → our codes. A key never gets into a message.
 */
import type { Clock } from '../../base/clock.ts';
import { EngineError } from '../../base/engine-error.ts';

interface ErrorPlace {
  readonly name: string;
  readonly baseUrl: string;
  readonly key: string | undefined;
  readonly clock: Clock;
}

/** The fields of the SDK's `APICallError`; checked by shape, because the SDK is loaded late. */
interface HttpFailure {
  readonly message: string;
  readonly statusCode?: number;
  readonly responseHeaders?: Readonly<Record<string, string>>;
}

const maxMessageLength = 500;

/** Returns a function that turns what the SDK threw into an `EngineError`; one that is one already stays. */
export function createErrorMapper(place: ErrorPlace): (error: unknown) => Error {
  return (error) => {
    if (EngineError.is(error)) return error;
    const said = wordsOf(error, place.key);
    // A status below 400 belongs to an answer that broke off while it was read.
    if (!isHttpFailure(error) || (error.statusCode ?? 0) < 400) return unavailable(place, said);
    const { statusCode = 0, responseHeaders = {} } = error;
    if (statusCode === 429) return rateLimited(place, responseHeaders);
    if (statusCode >= 500 || statusCode === 408) return unavailable(place, `HTTP ${statusCode}: ${said}`);
    const about = statusCode === 401 || statusCode === 403 ? 'refused the key' : 'refused the request';
    return new EngineError({
      code: 'model.rejected',
      message: `Provider "${place.name}" ${about} (HTTP ${statusCode}): ${said}`,
      details: { statusCode },
    });
  };
}

function unavailable({ name, baseUrl }: ErrorPlace, said: string): EngineError {
  return new EngineError({
    code: 'model.unavailable',
    message: `Provider "${name}" at ${baseUrl} gave no complete answer: ${said}`,
    recoverable: true,
  });
}

function rateLimited({ name, clock }: ErrorPlace, headers: Readonly<Record<string, string>>): EngineError {
  const retryAfterMs = readRetryAfterMs(headers, clock);
  const wait = retryAfterMs === undefined ? '' : ` It asks to wait ${Math.ceil(retryAfterMs / 1000)} s.`;
  return new EngineError({
    code: 'model.rate-limited',
    message: `Provider "${name}" refused the request because there were too many (HTTP 429).${wait}`,
    recoverable: true,
    ...(retryAfterMs === undefined ? {} : { details: { retryAfterMs } }),
  });
}

/** `retry-after` is a number of seconds or a date. */
function readRetryAfterMs(headers: Readonly<Record<string, string>>, clock: Clock): number | undefined {
  const value = headers['retry-after'];
  if (value === undefined) return undefined;
  const seconds = Number(value);
  const waitMs = Number.isNaN(seconds) ? Date.parse(value) - clock.now() : seconds * 1000;
  return Number.isNaN(waitMs) ? undefined : Math.max(0, waitMs);
}

function isHttpFailure(error: unknown): error is HttpFailure {
  return error instanceof Error && 'url' in error && 'requestBodyValues' in error;
}

function wordsOf(error: unknown, key: string | undefined): string {
  const text = [messageOf(error), causeOf(error)].filter((part) => part !== '').join(' · ');
  const safe = key === undefined ? text : text.replaceAll(key, '•••');
  return safe.length > maxMessageLength ? `${safe.slice(0, maxMessageLength)}…` : safe;
}

/** An error inside a stream is a plain object, as the provider sent it. */
function messageOf(error: unknown): string {
  if (typeof error === 'object' && error !== null && 'message' in error) return String(error.message);
  return typeof error === 'string' ? error : JSON.stringify(error);
}

/** The code below a failed fetch (`ECONNREFUSED`), which its own message does not say. */
function causeOf(error: unknown): string {
  if (!(error instanceof Error) || !(error.cause instanceof Error)) return '';
  const { cause } = error;
  return 'code' in cause && typeof cause.code === 'string' ? cause.code : causeOf(cause);
}
