/**
 * `respond`: responds to the program that called a webhook of the flow.
 */
import { z } from 'zod';
import { describeType } from '../../../language/types/describe-type.ts';
import { anyJson } from '../shared-schemas.ts';
import { chipOf } from '../summary-text.ts';

const plainHeaders = [
  ...['cache-control', 'content-disposition', 'content-language', 'content-type', 'etag', 'expires', 'last-modified'],
  ...['link', 'location', 'retry-after'],
];

/** Names with a meaning for reverse proxies or browsers: files to send, the address of a caller, and protections. */
const reservedNames = /^x-(?:accel|sendfile|lighttpd|real|forwarded|frame|xss|content-type-options|dns|permitted)/;

/** Cookies and the service's protections are not for flows to set. */
function isHeaderName(name: string): boolean {
  const lower = name.toLowerCase();
  return plainHeaders.includes(lower) || (/^x-[a-z0-9-]{1,60}$/.test(lower) && !reservedNames.test(lower));
}

const headersSchema = () =>
  z.record(
    z.string().refine(isHeaderName, {
      error: ({ input }) =>
        `cannot be ${JSON.stringify(input)}: use a name that starts with x-, or one of ${plainHeaders.join(', ')}`,
    }),
    z
      .string()
      .max(4_096)
      .regex(/^[\t\x20-\x7e]*$/, 'must be a single line of ASCII characters'),
  );

export const respondType = describeType({
  type: 'respond',
  title: 'Respond',
  description: 'Responds to the program that called a webhook of this flow. The run continues.',
  example: '201 with { id } → the caller of the webhook.',
  category: 'net',
  icon: 'message',
  inputSchema: () =>
    z.object({
      status: z.int().min(200).max(599).default(200).describe('HTTP status'),
      headers: headersSchema().default({}).describe('Response headers, by name'),
      body: anyJson.default(null).describe('Response body: text is sent unchanged, other values as JSON'),
    }),
  configSchema: () => z.object({}),
  outputSchema: () =>
    z.object({
      status: z.int().describe('HTTP status'),
      headers: z.record(z.string(), z.string()).describe('Response headers, by lowercase name'),
      body: anyJson.describe('Response body'),
    }),
  effects: 'idempotent',
  start: (from) => ({ input: { status: 200, body: from.any({ ok: true }) } }),
  summary: (_config, { status = 200, body }) => ['Responds ', chipOf(status) ?? '200', ' ', chipOf(body) ?? ''],
});
