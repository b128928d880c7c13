/**
 * Records and replays HTTP requests.
 */

import { z } from 'zod';
import { parseUrl } from '../../base/parse-url.ts';
import { findUnsafeNumber } from '../../language/json/exact-json.ts';
import type { JsonMap, JsonValue } from '../../language/json/json-value.ts';
import type {
  BodySink,
  FormPart,
  WebCapability,
  WebRequest,
  WebResponse,
} from '../../runtime/kernel/capabilities/web-capability.ts';
import { parseJsonTree } from '../../world/secrets/json-text.ts';
import { unreadable } from './cassette-error.ts';
import type { CassettePlayer } from './cassette-player.ts';

const recordedErrors = new Set(['web.unreachable', 'web.too-large', 'web.broken']);

/** Request headers that differ between runs or machines and do not affect the response. */
const volatileHeaders = new Set([
  'accept-encoding',
  'baggage',
  'connection',
  'content-length',
  'date',
  'host',
  'idempotency-key',
  'traceparent',
  'tracestate',
  'user-agent',
  'x-amzn-trace-id',
  'x-correlation-id',
  'x-request-id',
]);

/** Longer JSON is stored as text, because it would be slow to read as YAML. In UTF-16 units. */
const longestTree = 16 * 1024;

const recordedParts = { status: z.number(), url: z.string().optional(), headers: z.record(z.string(), z.string()) };
const recordedResponse = z.union([
  z.object({ ...recordedParts, text: z.string() }),
  z.object({ ...recordedParts, json: z.unknown() }),
]);

/** Wraps an HTTP client with a cassette. */
export function createCassetteWeb(live: WebCapability, player: CassettePlayer): WebCapability {
  return {
    async send(request, signal) {
      const shown = withoutSecrets(request);
      const taken = request.sink === undefined ? undefined : copyOf(request.sink);
      const response = await player.call<WebResponse>({
        kind: 'http',
        title: `${shown.method} ${shown.url}`,
        request: recordedWebRequest(shown),
        signal,
        recordedErrors,
        live: async () => {
          const answer = await live.send(taken === undefined ? request : { ...request, sink: taken.sink }, signal);
          return maskedBy(request, taken === undefined ? answer : { ...answer, text: taken.text() ?? answer.text });
        },
        isFailure: ({ status }) => status === 429 || status >= 500,
        write: (response) => responseOf(response, shown),
        read: (recorded) => ({ ...whence(shown), ...readResponse(recorded, player.file) }),
      });
      return request.sink === undefined
        ? response
        : await intoSink(response, request.sink, taken?.text() !== undefined);
    },
  };
}

/** Wraps a sink and copies the body it receives, which is recorded as base64 text. */
function copyOf(sink: BodySink): { readonly sink: BodySink; text(): string | undefined } {
  const pieces: Uint8Array[] = [];
  let isTaken = false;
  return {
    text: () => (isTaken ? Buffer.concat(pieces).toString('base64') : undefined),
    sink: {
      takes(response) {
        isTaken = sink.takes(response);
        return isTaken;
      },
      async write(piece) {
        pieces.push(piece);
        await sink.write(piece);
      },
    },
  };
}

/** @param isThere whether the sink has already received the body */
async function intoSink(response: WebResponse, sink: BodySink, isThere: boolean): Promise<WebResponse> {
  if (isThere) return { ...response, text: '' };
  if (!sink.takes(response)) return response;
  await sink.write(Buffer.from(response.text, 'base64'));
  return { ...response, text: '' };
}

/** Returns the request as it is recorded and matched, with the names of its secrets instead of their values. */
function withoutSecrets({ secrets, ...request }: WebRequest): WebRequest {
  if (secrets === undefined) return request;
  const { form, sink: _, ...plain } = request;
  const texts = form?.map((part) => ('text' in part ? secrets.mask(part) : part));
  return { ...secrets.mask(plain), ...(texts === undefined ? {} : { form: texts }) };
}

function maskedBy({ secrets }: WebRequest, response: WebResponse): WebResponse {
  return secrets === undefined ? response : secrets.mask(response);
}

/** Returns a request as it is recorded and matched. */
export function recordedWebRequest({ method, url, headers, body, form, maxBytes }: WebRequest): JsonMap {
  const sent = Object.entries(headers)
    .map(([name, value]): [string, string] => [name.toLowerCase(), value])
    .filter(([name]) => !volatileHeaders.has(name))
    .sort(([a], [b]) => (a < b ? -1 : 1));
  const known = Object.fromEntries(sent);
  const parts = form === undefined ? {} : { parts: form.map(partOf) };
  return { method, url, headers: known, ...requestBody(body, known['content-type'] ?? ''), ...parts, maxBytes };
}

/** Records a file by name and size, because its content would fill the cassette. */
function partOf(part: FormPart): JsonMap {
  if ('text' in part) return { name: part.name, text: part.text };
  const { name, fileName, mediaType, sizeBytes } = part;
  return { name, fileName, mediaType, sizeBytes };
}

/** Records a structured body as a tree, so that white space and the order of its parts do not matter. */
function requestBody(body: string | undefined, contentType: string): JsonMap {
  if (body === undefined) return {};
  if (/^application\/x-www-form-urlencoded\b/i.test(contentType)) return { form: formOf(body) };
  // As trees, two bodies that differ only in a long number could become equal.
  const tree = findUnsafeNumber(body) === undefined ? parseJsonTree(body) : undefined;
  if (tree === undefined) return { text: body };
  return body.length > longestTree ? { text: JSON.stringify(tree) } : { json: tree };
}

function formOf(body: string): JsonMap {
  const fields = new URLSearchParams(body);
  return Object.fromEntries(
    [...new Set(fields.keys())].sort().map((name): [string, JsonValue] => {
      const values = fields.getAll(name);
      return [name, values.length === 1 ? (values[0] ?? '') : values];
    }),
  );
}

/** Returns a request's URL in the form used by responses. */
function whence(request: WebRequest): { readonly url?: string } {
  const url = parseUrl(request.url);
  if (url === undefined) return {};
  url.username = '';
  url.password = '';
  return { url: url.href };
}

/** Returns the response as it is recorded. Its URL is included only if the request was redirected. */
function responseOf({ status, url, headers, text }: WebResponse, request: WebRequest): JsonValue {
  const tree = text.length > longestTree ? undefined : parseJsonTree(text);
  // The text is stored as a tree only if that restores it exactly.
  const isExact = tree !== undefined && JSON.stringify(tree) === text;
  const from = url === undefined || url === whence(request).url ? {} : { url };
  return { status, ...from, headers: { ...headers }, ...(isExact ? { json: tree } : { text }) };
}

function readResponse(recorded: JsonValue, file: string): WebResponse {
  const checked = recordedResponse.safeParse(recorded);
  if (!checked.success) throw unreadable(file, 'the response of an http call needs status, headers, and text or json');
  const { status, url, headers, ...body } = checked.data;
  const from = url === undefined ? {} : { url };
  return { status, ...from, headers, text: 'text' in body ? body.text : JSON.stringify(body.json) };
}
