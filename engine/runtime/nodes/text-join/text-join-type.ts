/**
 * `text.join`: joins the items of a list to one text.
 */
import { z } from 'zod';
import { describeType } from '../../../language/types/describe-type.ts';
import { anyJson } from '../shared-schemas.ts';
import { chipOf } from '../summary-text.ts';

export const textJoinType = describeType({
  type: 'text.join',
  title: 'Join texts',
  description: 'Makes one text of the items of a list, with a separator between them.',
  example: '[red, green] with “, ” → “red, green”.',
  category: 'text',
  icon: 'text',
  inputSchema: () =>
    z.object({
      items: z.array(anyJson).describe('What to join; what is no text stands in its text form'),
      separator: z.string().default('\n').describe('Stands between two items; a new line when not given'),
    }),
  configSchema: () => z.object({}),
  outputSchema: () => z.object({ text: z.string().describe('The items, one after the other') }),
  effects: 'pure',
  start: (from) => ({ input: { items: from.list(['one', 'two']) } }),
  summary: (_config, { items }) => ['Joins ', chipOf(items) ?? 'nothing yet'],
});
