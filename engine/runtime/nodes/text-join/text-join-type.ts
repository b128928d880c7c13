/**
 * `text.join`: joins list items into one text.
 */
import { z } from 'zod';
import { describeType } from '../../../language/types/describe-type.ts';
import { anyJson } from '../shared-schemas.ts';
import { chipOf } from '../summary-text.ts';

export const textJoinType = describeType({
  type: 'text.join',
  title: 'Join text',
  description: 'Joins the items of a list into one string, with a separator between them.',
  example: '[red, green] with “, ” → “red, green”.',
  category: 'text',
  icon: 'text',
  inputSchema: () =>
    z.object({
      items: z.array(anyJson).describe('Items to join; other values are converted to text'),
      separator: z.string().default('\n').describe('Separator between items; defaults to a newline'),
    }),
  configSchema: () => z.object({}),
  outputSchema: () => z.object({ text: z.string().describe('Joined items') }),
  effects: 'pure',
  start: (from) => ({ input: { items: from.list(['one', 'two']) } }),
  summary: (_config, { items }) => ['Joins ', chipOf(items) ?? 'nothing yet'],
});
