/**
 * Restores the responses of HTTP servers from what nodes have returned, in the form of cassettes.
 */
import type { RecordedCall, RecordedError } from '../../history/cassette/compare-requests.ts';
import { isJsonMap, type JsonMap, type JsonValue } from '../../language/json/json-value.ts';
import type { LoggedEnd } from './logged-nodes.ts';

/** A response or an error, as a cassette contains it. */
export type RecordedOutcome = RecordedCall['outcome'];

/**
 * Returns the response that a node of type `http.request` received; undefined if the log does not contain it, as for
 * responses that were saved to files.
 * @param config of the node; undefined if it is not known
 */
export function httpReplyOf(end: LoggedEnd, config: JsonMap | undefined): RecordedOutcome | undefined {
  if ('error' in end) return replyOfError(end.error, config);
  const { output } = end;
  if (!isJsonMap(output) || output['path'] !== undefined) return undefined;
  const { status, headers, body } = output;
  if (typeof status !== 'number' || !isJsonMap(headers) || body === undefined) return undefined;
  return { response: { status, headers, text: textOf(body, headers, config?.['parse']) } };
}

/** The text of an unwanted response is not in the log, and no node gets it. */
function replyOfError(error: RecordedError, config: JsonMap | undefined): RecordedOutcome | undefined {
  if (error.code !== 'http.unwanted-status') return { error };
  const { status, retryAfterMs } = (error.details ?? {}) as {
    readonly status?: number;
    readonly retryAfterMs?: number;
  };
  if (status === undefined) return undefined;
  const headers: JsonMap = retryAfterMs === undefined ? {} : { 'retry-after': String(Math.ceil(retryAfterMs / 1000)) };
  return { response: { status, headers, text: config?.['parse'] === 'json' ? 'null' : '' } };
}

function textOf(body: JsonValue, headers: JsonMap, parse: JsonValue | undefined): string {
  if (typeof body !== 'string') return JSON.stringify(body);
  const isJson = /^[^;]*[/+]json\s*(?:;|$)/i.test(String(headers['content-type'] ?? ''));
  if (parse === 'text' || (parse !== 'json' && !isJson)) return body;
  // A text that is not JSON is returned unchanged, unless `parse` is json.
  return parse === 'json' || isJsonText(body) ? JSON.stringify(body) : body;
}

function isJsonText(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
