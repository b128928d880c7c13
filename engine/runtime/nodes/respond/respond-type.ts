/**
 * `respond`: responds to the program that called a webhook of the flow.
 */
import { z } from 'zod';
import { isResponseHeader, responseHeaders } from '../../../language/triggers/trigger-findings.ts';
import { describeType } from '../../../language/types/describe-type.ts';
import { anyJson } from '../shared-schemas.ts';
import { chipOf } from '../summary-text.ts';

const headersSchema = () =>
  z.record(
    z.string().refine(isResponseHeader, {
      error: ({ input }) =>
        `cannot be ${JSON.stringify(input)}: use a name that starts with x-, or one of ${responseHeaders.join(', ')}`,
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
