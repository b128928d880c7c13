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
        .refine(beginsWithHttp, 'must be a URL that starts with http:// or https://')
        .meta({ editor: 'url' })
        .describe('URL of the request, http or https'),
      method: z.enum(methods).default('GET').describe('HTTP method'),
      headers: z.record(z.string(), z.string()).default({}).describe('Request headers, by name'),
      body: z.exactOptional(anyJson).describe('Request body: text is sent unchanged, other values as JSON'),
      form: formSchema()
        .exactOptional()
        .describe(
          'Form to send instead of a body: text values, and files as { file: path }. A list sends its field several times',
        ),
      saveTo: z
        .string()
        .min(1)
        .exactOptional()
        .meta({ editor: 'file' })
        .describe('Workspace file to save the response to, if its status is 200 to 299'),
    })
    .refine(({ body, form }) => (body ?? null) === null || form === undefined, {
      path: ['form'],
      error: 'cannot be sent together with a body; remove one of them',
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
      .meta({ isAdvanced: true })
      .describe('Parse the response as JSON: auto, when its content type is JSON; text, never; json, always'),
    maxBytes: z
      .int()
      .min(1)
      .max(4096 * mebibyte)
      .exactOptional()
      .meta({ isAdvanced: true })
      .describe(
        'Maximum size of the response; a larger one fails. Default 10 MiB, at most 256 MiB; with saveTo, default 256 MiB. For more than 64 MiB without saveTo, also raise flow.policy.maxOutputBytes',
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
      .meta({ examples: [[429, 502, 503, 504]], isAdvanced: true })
      .describe(
        'Statuses after which a GET or HEAD request is retried: as set in policy.retry, or up to 3 attempts without it. Waits as long as the retry-after header requests, within the timeout of the node',
      ),
    retryMethods: z
      .array(z.enum(methods))
      .exactOptional()
      .meta({ isAdvanced: true })
      .describe(
        'Methods in addition to GET and HEAD that are retried after such a status. Only list methods that are safe to send twice',
      ),
  });

export const httpRequestType = describeType({
  type: 'http.request',
  title: 'HTTP request',
  description: 'Sends a request to a web server and returns the response, whatever its status.',
  example: 'GET https://api.example.com/items → status and body.',
  category: 'net',
  icon: 'globe',
  inputSchema,
  configSchema,
  outputSchema: () =>
    z.object({
      status: z.int().describe('Status of the response, such as 200'),
      headers: z.record(z.string(), z.string()).describe('Response headers, by lowercase name'),
      body: anyJson.describe('Response body: text or parsed JSON; null when it was saved'),
      path: z.exactOptional(z.string()).describe('With saveTo: the file, relative to the workspace'),
      sizeBytes: z.exactOptional(z.number()).describe('With saveTo: size of the file in bytes'),
      mediaType: z.exactOptional(z.string()).describe('With saveTo: media type reported by the server'),
    }),
  effects: 'external',
  secretFields: ['url', 'headers', 'body', 'form'],
  unusedSettings: ({ config, policy }) => [
    ...(policy?.retry !== undefined && !Array.isArray(config['retryOn'])
      ? [
          {
            path: ['policy', 'retry'],
            message:
              'It has no effect on HTTP statuses: a response such as 429 or 503 is an output, not a failure. To retry after some statuses, add config.retryOn, for example [429, 502, 503, 504].',
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
  summary: (_config, { method = 'GET', url }) => [...wordsOf(method), ' ', chipOf(url) ?? 'no URL yet'],
});
