import { resolveBindingPath } from '../../../language/bindings/binding-path.ts';
import { isJsonList, isJsonMap, type JsonValue } from '../../../language/json/json-value.ts';
import { defineNodeType } from '../../flow/node-type.ts';
import { forEachItem, itemContext, readItemPath } from '../item-context.ts';
import { listUniqueType } from './list-unique-type.ts';

export const listUniqueNode = defineNodeType(listUniqueType, {
  capabilities: [],
  run: async ({ input: { items }, config: { by }, clock, signal }) => {
    const path = readItemPath(by);
    const met = new Set<string>();
    const kept: JsonValue[] = [];
    await forEachItem(items, { clock, signal }, (item, index) => {
      const key = resolveBindingPath(path, itemContext(item, index));
      // Items without the field are not equal to any other item.
      const text = key === undefined ? undefined : sameText(key);
      if (text !== undefined && met.has(text)) return;
      if (text !== undefined) met.add(text);
      kept.push(item);
    });
    return { items: kept };
  },
});

/** Returns the same text for equal values, regardless of key order. */
function sameText(value: JsonValue): string {
  return JSON.stringify(value, (_key, inner: JsonValue) =>
    isJsonMap(inner) && !isJsonList(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}
