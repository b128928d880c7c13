/**
 * What a provider or the network answered → our codes. A key never gets into a message.
 */
import type { Clock } from '../../base/clock.ts';
import { EngineError } from '../../base/engine-error.ts';
import { retryAfterMs } from '../../base/retry-after.ts';
import { type ProviderConfig, shownAddress } from '../provider-config.ts';
import { wordsOfBody, wordsOfValue } from './error-words.ts';

interface ProviderContext {
  readonly name: string;
  readonly config: ProviderConfig;
  readonly key: string | undefined;
  readonly clock: Clock;
  /** The reason in the body of an error response, where it has been read. */
  readonly words?: string | undefined;
}

/** The fields of the SDK's `APICallError`; checked by shape, because the SDK is loaded late. */
interface HttpFailure {
  readonly message: string;
  readonly statusCode?: number;
  readonly responseHeaders?: Readonly<Record<string, string>>;
  readonly responseBody?: string;
}

const maxMessageLength = 500;

/** Errors of the SDK about what it was asked for; nothing was sent. */
const refusedBySdk = /^AI_(?:UnsupportedFunctionality|InvalidPrompt|InvalidArgument|InvalidDataContent)Error$/;

/** Turns what the SDK threw into an `EngineError`; one that is one already stays. */
export function toModelError(thrown: unknown, place: ProviderContext): Error {
  if (EngineError.is(thrown)) return thrown;
  const said = wordsOf(thrown, place);
  if (thrown instanceof Error && refusedBySdk.test(thrown.name))
    return rejected(place, `cannot take this request: ${said}`);
  if (!isHttpFailure(thrown)) return streamError(thrown, place, said);
  return statusError(thrown, place, said);
}

function statusError(failure: HttpFailure, place: ProviderContext, said: string): EngineError {
  const { statusCode = 0, responseBody = '' } = failure;
  const status = `(HTTP ${statusCode})`;
  // The SDK gives an error at the very beginning of a stream the status 500, whatever it is about.
  if (statusCode === 429 || (statusCode === 500 && /"rate_limit_error"/.test(responseBody)))
    return rateLimited(failure, place, said);
  if (statusCode >= 500 || statusCode === 408)
    return unavailable(place, `HTTP ${statusCode}: ${said}`, waitOf(failure, place));
  if (statusCode === 401 || statusCode === 403)
    return rejected(place, `refused the key ${status}: ${said}`, statusCode);
  if (statusCode >= 400) return rejected(place, `refused the request ${status}: ${said}`, statusCode);
  if (statusCode >= 300)
    return rejected(place, `sent the request elsewhere ${status}; correct its base_url`, statusCode);
  // Any other status belongs to an answer that broke off while it was read.
  return unavailable(place, said + adviceOf(place, failure));
}

/** In the middle of an answer, providers report an error by its name or by an HTTP status. */
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

/** `{ type: 'error', error: { type, code, … } }`, or its inner part. */
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
    message: `Provider "${place.name}" at ${shownAddress(place.config)} gave no complete answer: ${said}`,
    recoverable: true,
    ...(waitMs === undefined ? {} : { details: { retryAfterMs: waitMs } }),
  });
}

/** A misspelled name of a model is taken for one of Ollama's, and that is often not even installed. */
function adviceOf({ config }: ProviderContext, thrown: unknown): string {
  if (config.kind !== 'ollama' || causeOf(thrown) !== 'ECONNREFUSED') return '';
  return '. Start Ollama, or write the name as "provider::model" when it is no model of Ollama';
}

function rateLimited(failure: HttpFailure, place: ProviderContext, said: string): EngineError {
  const waitMs = waitOf(failure, place);
  const wait = waitMs === undefined ? '' : ` It asks to wait ${Math.ceil(waitMs / 1000)} s.`;
  return new EngineError({
    code: 'model.rate-limited',
    message: `Provider "${place.name}" refused the request because there were too many (HTTP 429): ${said}${wait}`,
    // Credit that is used up does not come back by waiting.
    recoverable: !/insufficient_quota/.test(failure.responseBody ?? ''),
    ...(waitMs === undefined ? {} : { details: { retryAfterMs: waitMs } }),
  });
}

/** `retry-after` is a number of seconds or a date; OpenAI adds milliseconds, and Gemini says it in the body. */
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

/** What was said, without the key and without what the address may hold of secrets. */
function wordsOf(error: unknown, place: ProviderContext): string {
  const { key, config } = place;
  const text = [reasonIn(error, place), causeOf(error)].filter((part) => part !== '').join(' · ');
  const keyForms = key ? [key, encodeURIComponent(key), JSON.stringify(key).slice(1, -1)] : [];
  const withoutKey = keyForms.reduce((rest, form) => rest.replaceAll(form, '•••'), text);
  const safe = withoutKey.replaceAll(config.baseUrl, shownAddress(config)).replaceAll(/\/\/[^/@\s]+@/g, '//•••@');
  return safe.length > maxMessageLength ? `${safe.slice(0, maxMessageLength)}…` : safe;
}

/** The words of the response where there is one; the SDK knows one shape of them only. An error inside a stream is a plain object. */
function reasonIn(error: unknown, { words }: ProviderContext): string {
  if (!(error instanceof Error)) return wordsOfValue(error) || (JSON.stringify(error) ?? 'no reason given');
  if (isBroken(error)) return 'the connection closed before the answer was complete';
  return words || wordsOfBody(bodyOf(error)) || error.message.trim() || 'no reason given';
}

/** Whether reading a good response failed: the SDK says no more than that. */
function isBroken(error: unknown): boolean {
  if (!isHttpFailure(error)) return false;
  const { statusCode = 0 } = error;
  return statusCode >= 200 && statusCode < 300 && causeOf(error) !== '';
}

function bodyOf(error: unknown): string {
  return isHttpFailure(error) ? (error.responseBody ?? '') : '';
}

/** The code below a failed fetch (`ECONNREFUSED`), which its own message does not say. */
function causeOf(error: unknown): string {
  if (!(error instanceof Error) || !(error.cause instanceof Error)) return '';
  const { cause } = error;
  return 'code' in cause && typeof cause.code === 'string' ? cause.code : causeOf(cause);
}
