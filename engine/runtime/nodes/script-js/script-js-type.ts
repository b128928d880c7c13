/**
 * `script.js`: computes values with JavaScript that cannot access anything outside itself.
 */
import { z } from 'zod';
import { describeType } from '../../../language/types/describe-type.ts';
import { anyJson } from '../shared-schemas.ts';
import { codeSummary } from '../summary-text.ts';

export const scriptJsType = describeType({
  type: 'script.js',
  title: 'JavaScript',
  description: 'Runs JavaScript. The return value is the output.',
  example: 'return input.items.filter((item) => item.price < 20);.',
  category: 'logic',
  icon: 'code',
  inputSchema: () => z.record(z.string(), anyJson).describe('Available to the code as `input`'),
  configSchema: () =>
    z.object({
      code: z
        .string()
        .meta({ editor: 'javascript' })
        .describe('Body of a function. `input` is the input of the node, and the return value is its output'),
    }),
  outputSchema: () => anyJson,
  effects: 'idempotent',
  start: (from) => ({
    input: { value: from.any('hello') },
    config: { code: 'return { text: String(input.value).toUpperCase() };\n' },
  }),
  summary: ({ code }) => codeSummary(code, '//'),
});
