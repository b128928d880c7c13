/**
 * `list.unique`: keeps the first of equal items.
 */
import { z } from 'zod';
import { defineNodeType } from '../../flow/node-type.ts';
import { lookUp } from '../../flowspec/binding-path.ts';
import { isJsonList, isJsonMap, type JsonValue } from '../../flowspec/json-value.ts';
import { forEachItem, itemContext, itemPath, readItemPath } from '../item-context.ts';
import { anyJson } from '../shared-schemas.ts';
import { chipOf } from '../summary-text.ts';

export const listUniqueNode = defineNodeType({
  type: 'list.unique',
  title: 'Remove duplicates',
  description: 'Keeps the first of all items that are equal, or that have an equal field.',
  example: 'The same address twice → once.',
  category: 'text',
  icon: 'filter',
  inputSchema: z.object({ items: z.array(anyJson).describe('The list to go through') }),
  configSchema: z.object({
    by: itemPath.optional().describe('What makes items equal, for example item.id; the whole item when empty'),
  }),
  outputSchema: z.object({ items: z.array(anyJson).describe('The items that are left, in the same order') }),
  effects: 'pure',
  capabilities: [],
  givenSchemas: ({ input }, schemaOf) => ({ items: schemaOf(input['items']) }),
  start: (from) => ({ input: { items: from.list(['one', 'one', 'two']) } }),
  summary: ({ by }, { items }) => [
    'Keeps one of each of ',
    chipOf(items) ?? 'nothing yet',
    ...(typeof by === 'string' && by !== '' ? [' by ', chipOf(by) ?? ''] : []),
  ],
  run: async ({ input: { items }, config: { by }, clock, signal }) => {
    const path = readItemPath(by);
    const met = new Set<string>();
    const kept: JsonValue[] = [];
    await forEachItem(items, { clock, signal }, (item, index) => {
      const key = lookUp(path, itemContext(item, index));
      // What has no such field is equal to nothing.
      const text = key === undefined ? undefined : sameText(key);
      if (text !== undefined && met.has(text)) return;
      if (text !== undefined) met.add(text);
      kept.push(item);
    });
    return { items: kept };
  },
});

/** The same text for equal values, whatever the order of their keys. */
function sameText(value: JsonValue): string {
  return JSON.stringify(value, (_key, inner: JsonValue) =>
    isJsonMap(inner) && !isJsonList(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}
