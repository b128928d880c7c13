/**
 * Implementation of `http.request`.
 */
import type { z } from 'zod';
import { EngineError } from '../../../base/engine-error.ts';
import { retryAfterMs } from '../../../base/retry-after.ts';
import { tooDeepError } from '../../../language/json/exact-json.ts';
import { readForeignJson } from '../../../language/json/foreign-json.ts';
import type { JsonValue } from '../../../language/json/json-value.ts';
import { defineNodeType, NodeRetry } from '../../flow/node-type.ts';
import type { WebRequest, WebResponse } from '../../kernel/capabilities/web-capability.ts';
import type { Hub } from '../../kernel/hub/hub.ts';
import { download } from '../http-download.ts';
import { withForm } from '../http-form.ts';
import { warnOfJson } from '../json-notes.ts';
import { httpRequestType, readingMethods } from './http-request-type.ts';

export const httpRequestNode = defineNodeType(httpRequestType, {
  effectsOf: (_config, { method }) => (readingMethods.has(method) ? 'idempotent' : 'external'),
  writes: (_config, { saveTo }) => saveTo !== undefined,
  reaches: (_config, { url, headers, body, form = null }) => [
    { effect: 'web', url, sent: [...Object.values(headers), textOf(body), textOf(form)] },
  ],
  capabilities: ['web', 'files'],
  run: async ({ input, config, can, signal, hub, clock }) => {
    const { saveTo } = input;
    const maxBytes =
      saveTo === undefined ? Math.min(config.maxBytes ?? usualBytes, mostBytes) : (config.maxBytes ?? usualSavedBytes);
    const request = webRequestOf(input, maxBytes);
    const send = (more: Partial<WebRequest>): Promise<WebResponse> => can.web.send({ ...request, ...more }, signal);
    const answer = await withForm(input.form, { files: can.files, signal }, async (form) => {
      const more = form === undefined ? {} : { form };
      if (saveTo === undefined) return { response: await send(more) };
      return await download({ path: saveTo, hub, clock, files: can.files }, (sink) => send({ ...more, sink }));
    });
    const { response, saved } = answer;
    const { status, headers } = response;
    const output =
      saved === undefined
        ? { status, headers, body: bodyOf(response, config.parse, hub) }
        : { status, headers, body: null, ...saved };
    if (saved === undefined && mayRepeat(input.method, config) && config.retryOn?.includes(status) === true) {
      const delayMs = retryAfterMs(headers['retry-after'], clock.now());
      throw new NodeRetry({ output, error: unwantedStatus(status, delayMs), delayMs });
    }
    return output;
  },
});

function textOf(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : JSON.stringify(value ?? null);
}

function mayRepeat(
  method: z.output<typeof httpRequestType.inputSchema>['method'],
  { retryMethods = [] }: z.output<typeof httpRequestType.configSchema>,
): boolean {
  return readingMethods.has(method) || retryMethods.includes(method);
}

function unwantedStatus(status: number, delayMs: number | undefined): EngineError {
  const wait = delayMs === undefined ? '' : ` It requests a wait of ${Math.ceil(delayMs / 1000)} s.`;
  return new EngineError({
    code: 'http.unwanted-status',
    message: `The server responded with status ${status}, which config.retryOn lists.${wait}`,
    recoverable: true,
    details: { status, ...(delayMs === undefined ? {} : { retryAfterMs: delayMs }) },
  });
}

const mebibyte = 1024 * 1024;
const usualBytes = 10 * mebibyte;
/** Size limit of a response held in memory. */
const mostBytes = 256 * mebibyte;
const usualSavedBytes = 256 * mebibyte;

/** Returns the request of a node, apart from a form. */
export function webRequestOf(
  {
    url,
    method,
    headers,
    body,
  }: Pick<z.output<typeof httpRequestType.inputSchema>, 'url' | 'method' | 'headers' | 'body'>,
  maxBytes: number,
): WebRequest {
  if (body === undefined || body === null) return { url, method, headers, body: undefined, maxBytes };
  if (typeof body === 'string') return { url, method, headers, body, maxBytes };
  return { url, method, headers: withJsonType(headers), body: JSON.stringify(body), maxBytes };
}

function withJsonType(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const hasType = Object.keys(headers).some((name) => name.toLowerCase() === 'content-type');
  return hasType ? headers : { ...headers, 'content-type': 'application/json' };
}

function bodyOf(
  response: WebResponse,
  parse: z.output<typeof httpRequestType.configSchema>['parse'],
  hub: Pick<Hub, 'emit'>,
): JsonValue {
  const { text, headers } = response;
  if (parse === 'text' || (parse === 'auto' && !saysJson(headers))) return text;
  const read = readForeignJson(text);
  if (read.kind === 'value') {
    warnOfJson(hub, 'The response', read.notes);
    return read.value;
  }
  if (parse === 'auto') return text;
  throw read.kind === 'too-deep' ? tooDeepError('The response') : notJson(response);
}

function saysJson(headers: Readonly<Record<string, string>>): boolean {
  return /^[^;]*[/+]json\s*(?:;|$)/i.test(headers['content-type'] ?? '');
}

function notJson({ status, text }: WebResponse): EngineError {
  const beginning = text === '' ? 'it is empty' : `it begins with ${JSON.stringify(text.slice(0, 60))}`;
  return new EngineError({
    code: 'http.bad-json',
    message: `The response (status ${status}) is not valid JSON: ${beginning}. Set parse to auto or text if the response is not always JSON.`,
    details: { status },
  });
}
