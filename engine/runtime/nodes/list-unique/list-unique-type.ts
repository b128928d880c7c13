/**
 * `list.unique`: keeps the first of each group of equal items.
 */
import { z } from 'zod';
import { describeType } from '../../../language/types/describe-type.ts';
import { itemPath } from '../item-schemas.ts';
import { anyJson } from '../shared-schemas.ts';
import { chipOf } from '../summary-text.ts';

export const listUniqueType = describeType({
  type: 'list.unique',
  title: 'Remove duplicates',
  description: 'Keeps the first of several items that are equal or have an equal field.',
  example: 'The same address twice → once.',
  category: 'text',
  icon: 'filter',
  inputSchema: () => z.object({ items: z.array(anyJson).describe('List to deduplicate') }),
  configSchema: () =>
    z.object({
      by: itemPath.optional().describe('Field to compare, for example item.id; defaults to the whole item'),
    }),
  outputSchema: () => z.object({ items: z.array(anyJson).describe('Remaining items, in the same order') }),
  effects: 'pure',
  givenSchemas: ({ input }, schemaOf) => ({ items: schemaOf(input['items']) }),
  start: (from) => ({ input: { items: from.list(['one', 'one', 'two']) } }),
  summary: ({ by }, { items }) => [
    'Keeps one of each of ',
    chipOf(items) ?? 'nothing yet',
    ...(typeof by === 'string' && by !== '' ? [' by ', chipOf(by) ?? ''] : []),
  ],
});
