/**
 * `list.sort`: sorts the items of a list.
 */
import { z } from 'zod';
import { describeType } from '../../../language/types/describe-type.ts';
import { itemPath } from '../item-schemas.ts';
import { anyJson } from '../shared-schemas.ts';
import { chipOf } from '../summary-text.ts';

export const listSortType = describeType({
  type: 'list.sort',
  title: 'Sort list',
  description: 'Puts the items of a list in order, by themselves or by a field of each.',
  example: 'People by age, the oldest first.',
  category: 'text',
  icon: 'list',
  inputSchema: () => z.object({ items: z.array(anyJson).describe('The list to sort') }),
  configSchema: () =>
    z.object({
      by: itemPath.optional().describe('What to sort by, for example item.price; the item itself when empty'),
      desc: z.boolean().default(false).describe('The largest first'),
    }),
  outputSchema: () =>
    z.object({ items: z.array(anyJson).describe('The same items in order; equal ones stay as they were') }),
  effects: 'pure',
  givenSchemas: ({ input }, schemaOf) => ({ items: schemaOf(input['items']) }),
  start: (from) => ({ input: { items: from.list(['two', 'one']) } }),
  summary: ({ by }, { items }) => [
    'Sorts ',
    chipOf(items) ?? 'nothing yet',
    ...(typeof by === 'string' && by !== '' ? [' by ', chipOf(by) ?? ''] : []),
  ],
});
