/**
 * `list.sort`: sorts list items.
 */
import { z } from 'zod';
import { describeType } from '../../../language/types/describe-type.ts';
import { itemPath } from '../item-schemas.ts';
import { anyJson } from '../shared-schemas.ts';
import { chipOf } from '../summary-text.ts';

export const listSortType = describeType({
  type: 'list.sort',
  title: 'Sort list',
  description: 'Sorts the items of a list by their values or by a field.',
  example: 'People by age, oldest first.',
  category: 'text',
  icon: 'list',
  inputSchema: () => z.object({ items: z.array(anyJson).describe('List to sort') }),
  configSchema: () =>
    z.object({
      by: itemPath.optional().describe('Field to sort by, for example item.price; defaults to the item itself'),
      desc: z.boolean().default(false).describe('Sort in descending order'),
    }),
  outputSchema: () => z.object({ items: z.array(anyJson).describe('Sorted items; equal items keep their order') }),
  effects: 'pure',
  givenSchemas: ({ input }, schemaOf) => ({ items: schemaOf(input['items']) }),
  start: (from) => ({ input: { items: from.list(['two', 'one']) } }),
  summary: ({ by }, { items }) => [
    'Sorts ',
    chipOf(items) ?? 'nothing yet',
    ...(typeof by === 'string' && by !== '' ? [' by ', chipOf(by) ?? ''] : []),
  ],
});
