/**
 * Converts provider and network errors to engine errors. Messages never contain a key.
 */
import type { Clock } from '../../../base/clock.ts';
import { EngineError } from '../../../base/engine-error.ts';
import { retryAfterMs } from '../../../base/retry-after.ts';
import { type ProviderConfig, shownAddress } from '../provider-config.ts';
import { wordsOfBody, wordsOfValue } from './error-words.ts';

interface ProviderContext {
  readonly name: string;
  readonly config: ProviderConfig;
  readonly key: string | undefined;
  readonly clock: Clock;
  /** The reason in the body of an error response, if it was read. */
  readonly words?: string | undefined;
}

/** Fields of the SDK's `APICallError`. It is detected by shape because the SDK is loaded lazily. */
interface HttpFailure {
  readonly message: string;
  readonly statusCode?: number;
  readonly responseHeaders?: Readonly<Record<string, string>>;
  readonly responseBody?: string;
}

const maxMessageLength = 500;

/** SDK errors about invalid arguments; nothing was sent. */
const refusedBySdk = /^AI_(?:UnsupportedFunctionality|InvalidPrompt|InvalidArgument|InvalidDataContent)Error$/;

/** Converts an SDK error to an `EngineError`; returns an existing one unchanged. */
export function toModelError(thrown: unknown, place: ProviderContext): Error {
  if (EngineError.is(thrown)) return thrown;
  const said = wordsOf(thrown, place);
  if (thrown instanceof Error && refusedBySdk.test(thrown.name))
    return rejected(place, `cannot process this request: ${said}`);
  if (!isHttpFailure(thrown)) return streamError(thrown, place, said);
  return statusError(thrown, place, said);
}

function statusError(failure: HttpFailure, place: ProviderContext, said: string): EngineError {
  const { statusCode = 0, responseBody = '' } = failure;
  const status = `(HTTP ${statusCode})`;
  // The SDK assigns the status 500 to any error at the very start of a stream.
  if (statusCode === 429 || (statusCode === 500 && /"rate_limit_error"/.test(responseBody)))
    return rateLimited(failure, place, said);
  if (statusCode >= 500 || statusCode === 408)
    return unavailable(place, `HTTP ${statusCode}: ${said}`, waitOf(failure, place));
  if (statusCode === 401 || statusCode === 403)
    return rejected(place, `refused the key ${status}: ${said}`, statusCode);
  if (statusCode >= 400) return rejected(place, `refused the request ${status}: ${said}`, statusCode);
  if (statusCode >= 300) return rejected(place, `redirected the request ${status}; correct its base_url`, statusCode);
  // Any other status belongs to a response that ended early while it was read.
  return unavailable(place, said + adviceOf(place, failure));
}

/** Within a response, providers report an error by name or by HTTP status. */
function streamError(thrown: unknown, place: ProviderContext, said: string): EngineError {
  const kind = thrown instanceof Error ? '' : kindOf(thrown);
  const statusCode = Number(/(?<![\w-])[45]\d\d(?![\w-])/.exec(kind)?.[0]);
  if (statusCode > 0) return statusError({ message: said, statusCode, responseBody: kind }, place, said);
  if (/rate_limit|RESOURCE_EXHAUSTED|insufficient_quota/.test(kind))
    return rateLimited({ message: said, responseBody: kind }, place, said);
  if (/invalid|not_found|authentication|permission|context_length/i.test(kind))
    return rejected(place, `refused the request: ${said}`);
  return unavailable(place, said + adviceOf(place, thrown));
}

/** Reads `{ type: 'error', error: { type, code, … } }`, or its inner part. */
function kindOf(error: unknown): string {
  if (typeof error !== 'object' || error === null) return '';
  const { type, code, status } = error as { type?: unknown; code?: unknown; status?: unknown };
  const inner = 'error' in error ? kindOf(error.error) : '';
  return [inner, type, code, status].filter((part) => typeof part === 'string' || typeof part === 'number').join(' ');
}

function rejected({ name }: ProviderContext, what: string, statusCode?: number): EngineError {
  return new EngineError({
    code: 'model.rejected',
    message: `Provider "${name}" ${what}`,
    ...(statusCode === undefined ? {} : { details: { statusCode } }),
  });
}

function unavailable(place: ProviderContext, said: string, waitMs?: number): EngineError {
  return new EngineError({
    code: 'model.unavailable',
    message: `Provider "${place.name}" at ${shownAddress(place.config)} did not return a complete response: ${said}`,
    recoverable: true,
    ...(waitMs === undefined ? {} : { details: { retryAfterMs: waitMs } }),
  });
}

/** A misspelled model name is resolved to Ollama, which is often not installed. */
function adviceOf({ config }: ProviderContext, thrown: unknown): string {
  if (config.kind !== 'ollama' || causeOf(thrown) !== 'ECONNREFUSED') return '';
  return '. Start Ollama, or write the name as "provider::model" if it is not an Ollama model';
}

function rateLimited(failure: HttpFailure, place: ProviderContext, said: string): EngineError {
  const waitMs = waitOf(failure, place);
  const wait = waitMs === undefined ? '' : ` It asks to wait ${Math.ceil(waitMs / 1000)} s.`;
  return new EngineError({
    code: 'model.rate-limited',
    message: `Provider "${place.name}" refused the request because it received too many (HTTP 429): ${said}${wait}`,
    // Waiting does not restore used-up credit.
    recoverable: !/insufficient_quota/.test(failure.responseBody ?? ''),
    ...(waitMs === undefined ? {} : { details: { retryAfterMs: waitMs } }),
  });
}

/** `retry-after` is a number of seconds or a date. OpenAI adds milliseconds, and Gemini has it in the body. */
function waitOf(
  { responseHeaders = {}, responseBody = '' }: HttpFailure,
  { clock }: ProviderContext,
): number | undefined {
  const exact = Number(responseHeaders['retry-after-ms'] ?? Number.NaN);
  if (exact >= 0) return exact;
  const value = responseHeaders['retry-after'] ?? /"retryDelay":\s*"([\d.]+)s"/.exec(responseBody)?.[1];
  return retryAfterMs(value, clock.now());
}

function isHttpFailure(error: unknown): error is HttpFailure {
  return error instanceof Error && 'url' in error && 'requestBodyValues' in error;
}

/** Returns the message without the key and without secrets in the URL. */
function wordsOf(error: unknown, place: ProviderContext): string {
  const { key, config } = place;
  const text = [reasonIn(error, place), causeOf(error)].filter((part) => part !== '').join(' · ');
  const keyForms = key ? [key, encodeURIComponent(key), JSON.stringify(key).slice(1, -1)] : [];
  const withoutKey = keyForms.reduce((rest, form) => rest.replaceAll(form, '•••'), text);
  const safe = withoutKey.replaceAll(config.baseUrl, shownAddress(config)).replaceAll(/\/\/[^/@\s]+@/g, '//•••@');
  return safe.length > maxMessageLength ? `${safe.slice(0, maxMessageLength)}…` : safe;
}

/**
 * Prefers the message in the response body, because the SDK knows only one shape. An error inside a stream is a plain
 * object.
 */
function reasonIn(error: unknown, { words }: ProviderContext): string {
  if (!(error instanceof Error)) return wordsOfValue(error) || (JSON.stringify(error) ?? 'no reason given');
  if (isBroken(error)) return 'the connection closed before the response was complete';
  return words || wordsOfBody(bodyOf(error)) || error.message.trim() || 'no reason given';
}

/** Whether a successful response could not be read; the SDK reports no further detail. */
function isBroken(error: unknown): boolean {
  if (!isHttpFailure(error)) return false;
  const { statusCode = 0 } = error;
  return statusCode >= 200 && statusCode < 300 && causeOf(error) !== '';
}

function bodyOf(error: unknown): string {
  return isHttpFailure(error) ? (error.responseBody ?? '') : '';
}

/** Returns the code of a failed fetch (`ECONNREFUSED`), which its own message omits. */
function causeOf(error: unknown): string {
  if (!(error instanceof Error) || !(error.cause instanceof Error)) return '';
  const { cause } = error;
  return 'code' in cause && typeof cause.code === 'string' ? cause.code : causeOf(cause);
}
