/**
 * `list.filter`: keeps the list items for which a condition is true.
 */
import { z } from 'zod';
import { describeType } from '../../../language/types/describe-type.ts';
import { anyJson, conditionSchema } from '../shared-schemas.ts';
import { chipOf } from '../summary-text.ts';

export const listFilterType = describeType({
  type: 'list.filter',
  title: 'Filter list',
  description: 'Keeps the items of a list that meet a condition.',
  example: 'Keeps the items with the status open.',
  category: 'text',
  icon: 'filter',
  inputSchema: () => z.object({ items: z.array(anyJson).describe('List to filter') }),
  configSchema: () =>
    z.object({
      when: conditionSchema
        .meta({ editor: 'condition', sees: 'item' })
        .describe('Condition on `item`: item.open is its field "open"; loop.index is its zero-based index'),
    }),
  outputSchema: () => z.object({ items: z.array(anyJson).describe('Kept items, in the same order') }),
  effects: 'pure',
  givenSchemas: ({ input }, schemaOf) => ({ items: schemaOf(input['items']) }),
  start: (from) => ({ input: { items: from.list(['one', 'two']) }, config: { when: { exists: 'item' } } }),
  summary: (_config, { items }) => ['Keeps some of ', chipOf(items) ?? 'nothing yet'],
});
