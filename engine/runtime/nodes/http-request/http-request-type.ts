/**
 * `http.request`: sends a request and returns the response. Any status is a result; only network errors are failures.
 */
import { z } from 'zod';
import { describeType } from '../../../language/types/describe-type.ts';
import { formSchema } from '../form-schema.ts';
import { anyJson } from '../shared-schemas.ts';
import { chipOf, wordsOf } from '../summary-text.ts';

const mebibyte = 1024 * 1024;

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;
/** Methods that only read, so that repeating them changes nothing. */
export const readingMethods: ReadonlySet<string> = new Set(['GET', 'HEAD']);

/** Other URL errors are detected once bindings are filled in: `web.bad-url`, `web.bad-address`. */
function beginsWithHttp(url: string): boolean {
  return /^\s*h\s*t\s*t\s*p\s*s?\s*:/i.test(url);
}

const inputSchema = () =>
  z
    .object({
      url: z
        .string()
        .refine(beginsWithHttp, 'must be an address that begins with http:// or https://')
        .meta({ editor: 'url' })
        .describe('Address to ask, http or https'),
      method: z.enum(methods).default('GET').describe('What to do there'),
      headers: z.record(z.string(), z.string()).default({}).describe('Headers to send, by name'),
      body: z.exactOptional(anyJson).describe('What to send: text as it is, anything else as JSON'),
      form: formSchema()
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

const configSchema = () =>
  z.object({
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
    retryOn: z
      .array(
        z
          .int()
          .min(200)
          .max(599)
          .meta({ examples: [429, 502, 503, 504] }),
      )
      .exactOptional()
      .meta({ examples: [[429, 502, 503, 504]] })
      .describe(
        'Statuses after which a GET or HEAD is sent again: as often as policy.retry says, 3 times in all without it. Waits as long as the server asks for with retry-after, within the time limit of the node',
      ),
    retryMethods: z
      .array(z.enum(methods))
      .exactOptional()
      .describe(
        'Methods beside GET and HEAD that may be sent again after such a status. They must do no harm when they arrive twice',
      ),
  });

export const httpRequestType = describeType({
  type: 'http.request',
  title: 'HTTP request',
  description: 'Sends a request to a web server and gives its answer, whatever its status.',
  example: 'GET https://api.example.com/items → status and body.',
  category: 'net',
  icon: 'globe',
  inputSchema,
  configSchema,
  outputSchema: () =>
    z.object({
      status: z.int().describe('Status of the answer, such as 200'),
      headers: z.record(z.string(), z.string()).describe('By name, in small letters'),
      body: anyJson.describe('The answer: text, or the value of its JSON; nothing when it was saved'),
      path: z.exactOptional(z.string()).describe('With saveTo: the file, relative to the workspace'),
      sizeBytes: z.exactOptional(z.number()).describe('With saveTo: bytes of the file'),
      mediaType: z.exactOptional(z.string()).describe('With saveTo: what the server says it is'),
    }),
  effects: 'external',
  secretFields: ['url', 'headers', 'body', 'form'],
  unusedSettings: ({ config, policy }) => [
    ...(policy?.retry !== undefined && !Array.isArray(config['retryOn'])
      ? [
          {
            path: ['policy', 'retry'],
            message:
              'It does not act on statuses: an answer such as 429 or 503 is an output, not a failure. To send the request again after some, add config.retryOn, for example [429, 502, 503, 504].',
          },
        ]
      : []),
    ...(config['retryMethods'] !== undefined && !Array.isArray(config['retryOn'])
      ? [{ path: ['config', 'retryMethods'], message: 'It has no effect without config.retryOn.' }]
      : []),
  ],
  givenSchemas: ({ input: { saveTo } }) =>
    saveTo === undefined ? { path: false, sizeBytes: false, mediaType: false } : {},
  start: () => ({ input: { url: 'https://example.com', method: 'GET' } }),
  summary: (_config, { method = 'GET', url }) => [...wordsOf(method), ' ', chipOf(url) ?? 'no address yet'],
});
