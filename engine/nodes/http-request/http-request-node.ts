/**
 * `http.request`: asks a server and gives its answer. Every status is an answer; failing is for the network.
 */
import { z } from 'zod';
import { EngineError } from '../../base/engine-error.ts';
import { defineNodeType } from '../../flow/node-type.ts';
import { readExactJson, unsafeNumberError } from '../../flowspec/exact-json.ts';
import type { JsonValue } from '../../flowspec/json-value.ts';
import type { WebRequest, WebResponse } from '../../kernel/web-capability.ts';
import { download } from '../http-download.ts';
import { formSchema, withForm } from '../http-form.ts';
import { anyJson } from '../shared-schemas.ts';
import { chipOf, wordsOf } from '../summary-text.ts';

const mebibyte = 1024 * 1024;

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;
const readingMethods: ReadonlySet<string> = new Set(['GET', 'HEAD']);

const inputSchema = z
  .object({
    url: z
      .url({ protocol: /^https?$/, error: 'must be an address that begins with http:// or https://' })
      .meta({ editor: 'url' })
      .describe('Address to ask, http or https'),
    method: z.enum(methods).default('GET').describe('What to do there'),
    headers: z.record(z.string(), z.string()).default({}).describe('Headers to send, by name'),
    body: z.exactOptional(anyJson).describe('What to send: text as it is, anything else as JSON'),
    form: formSchema
      .exactOptional()
      .describe('A form to send instead: texts, and files as { file: path }; lists send a field several times'),
    saveTo: z
      .string()
      .min(1)
      .exactOptional()
      .meta({ editor: 'file' })
      .describe('File of the workspace that gets the answer, when its status is 200 to 299'),
  })
  .refine(({ body, form }) => (body ?? null) === null || form === undefined, {
    path: ['form'],
    error: 'cannot be sent together with a body; leave one of them out',
  })
  .refine(({ method, form }) => !readingMethods.has(method) || form === undefined, {
    path: ['form'],
    error: 'cannot be sent with GET or HEAD; choose another method',
  })
  .refine(({ method, body }) => !readingMethods.has(method) || (body ?? null) === null, {
    path: ['body'],
    error: 'cannot be sent with GET or HEAD; choose another method',
  });

const configSchema = z.object({
  parse: z
    .enum(['auto', 'text', 'json'])
    .default('auto')
    .describe('Read the answer as JSON when it says that it is, never, or always'),
  maxBytes: z
    .int()
    .min(1)
    .max(4096 * mebibyte)
    .exactOptional()
    .describe(
      'A longer answer fails: 10 MiB when empty, at most 256 MiB; with saveTo 256 MiB when empty. Over 64 MiB without saveTo the flow must allow larger outputs too, with flow.policy.maxOutputBytes',
    ),
});

export const httpRequestNode = defineNodeType({
  type: 'http.request',
  title: 'HTTP request',
  description: 'Sends a request to a web server and gives its answer, whatever its status.',
  example: 'GET https://api.example.com/items → status and body.',
  category: 'net',
  icon: 'globe',
  inputSchema,
  configSchema,
  outputSchema: z.object({
    status: z.int().describe('Status of the answer, such as 200'),
    headers: z.record(z.string(), z.string()).describe('By name, in small letters'),
    body: anyJson.describe('The answer: text, or the value of its JSON; nothing when it was saved'),
    path: z.exactOptional(z.string()).describe('With saveTo: the file, relative to the workspace'),
    sizeBytes: z.exactOptional(z.number()).describe('With saveTo: bytes of the file'),
    mediaType: z.exactOptional(z.string()).describe('With saveTo: what the server says it is'),
  }),
  effects: 'external',
  effectsOf: (_config, { method }) => (readingMethods.has(method) ? 'idempotent' : 'external'),
  secretFields: ['url', 'headers', 'body', 'form'],
  capabilities: ['web', 'files'],
  start: () => ({ input: { url: 'https://example.com', method: 'GET' } }),
  summary: (_config, { method = 'GET', url }) => [...wordsOf(method), ' ', chipOf(url) ?? 'no address yet'],
  run: async ({ input, config, can, signal, hub, clock }) => {
    const { saveTo } = input;
    const maxBytes =
      saveTo === undefined ? Math.min(config.maxBytes ?? usualBytes, mostBytes) : (config.maxBytes ?? usualSavedBytes);
    const request = requestOf(input, maxBytes);
    const send = (more: Partial<WebRequest>): Promise<WebResponse> => can.web.send({ ...request, ...more }, signal);
    const answer = await withForm(input.form, { files: can.files, signal }, async (form) => {
      const more = form === undefined ? {} : { form };
      if (saveTo === undefined) return { response: await send(more) };
      return await download({ path: saveTo, hub, clock, files: can.files }, (sink) => send({ ...more, sink }));
    });
    const { response, saved } = answer;
    const { status, headers } = response;
    return saved === undefined
      ? { status, headers, body: bodyOf(response, config.parse) }
      : { status, headers, body: null, ...saved };
  },
});

const usualBytes = 10 * mebibyte;
/** Of an answer that is held in memory. */
const mostBytes = 256 * mebibyte;
const usualSavedBytes = 256 * mebibyte;

function requestOf({ url, method, headers, body }: z.output<typeof inputSchema>, maxBytes: number): WebRequest {
  if (body === undefined || body === null) return { url, method, headers, body: undefined, maxBytes };
  if (typeof body === 'string') return { url, method, headers, body, maxBytes };
  return { url, method, headers: withJsonType(headers), body: JSON.stringify(body), maxBytes };
}

function withJsonType(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const hasType = Object.keys(headers).some((name) => name.toLowerCase() === 'content-type');
  return hasType ? headers : { ...headers, 'content-type': 'application/json' };
}

function bodyOf(response: WebResponse, parse: z.output<typeof configSchema>['parse']): JsonValue {
  const { text, headers } = response;
  if (parse === 'text' || (parse === 'auto' && !saysJson(headers))) return text;
  const read = readExactJson(text);
  if (read.kind === 'value') return read.value;
  if (parse === 'auto') return text;
  if (read.kind === 'no-json') throw notJson(response);
  throw unsafeNumberError('The answer', read.number, 'Set parse to auto or text, which keep it as text.');
}

function saysJson(headers: Readonly<Record<string, string>>): boolean {
  return /^[^;]*[/+]json\s*(?:;|$)/i.test(headers['content-type'] ?? '');
}

function notJson({ status, text }: WebResponse): EngineError {
  const beginning = text === '' ? 'it is empty' : `it begins with ${JSON.stringify(text.slice(0, 60))}`;
  return new EngineError({
    code: 'http.bad-json',
    message: `The answer (status ${status}) is not JSON: ${beginning}. Set parse to auto or text if it may be something else.`,
    details: { status },
  });
}
