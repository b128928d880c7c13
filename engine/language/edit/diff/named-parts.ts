/**
 * Finds the names by which the parts of two versions of a flow are compared.
 */
import { isJsonList, isJsonMap, type JsonMap, type JsonValue } from '../../json/json-value.ts';
import { textAt } from '../raw-flow.ts';

/** A list of nodes, steps, edges or triggers by their names. */
export type Named = ReadonlyMap<string, JsonMap>;

/**
 * Returns nodes by ID, and steps without one by type and number. Undefined if the value is not a list of maps with unique
 * IDs, so that only the entire list can be compared.
 */
export function namedNodes(list: JsonValue | undefined): Named | undefined {
  return named(list, (item, taken) => {
    const id = textAt(item, 'id');
    if (id !== undefined) return id;
    const type = textAt(item, 'type') ?? '';
    let count = 1;
    while (taken.has(`${type} ${count}`)) count++;
    return `${type} ${count}`;
  });
}

/** Returns triggers by ID; undefined if one has none, or the list can only be compared as a whole. */
export function namedTriggers(list: JsonValue | undefined): Named | undefined {
  const hasIds = !isJsonList(list) || list.every((trigger) => /^[A-Za-z_]/.test(textAt(trigger, 'id') ?? ''));
  return hasIds ? namedNodes(list) : undefined;
}

/** Returns edges by their names in runs. */
export function namedEdges(list: JsonValue | undefined): Named | undefined {
  const ids = new Set(isJsonList(list) ? list.flatMap((edge) => textAt(edge, 'id') ?? []) : []);
  return named(list, (edge, taken) => {
    const id = textAt(edge, 'id');
    if (id !== undefined) return id;
    const base = `${textAt(edge, 'from')}->${textAt(edge, 'to')}`;
    let name = base;
    for (let count = 2; ids.has(name) || taken.has(name); count++) name = `${base}#${count}`;
    return name;
  });
}

function named(list: JsonValue | undefined, nameOf: (item: JsonMap, taken: Named) => string): Named | undefined {
  if (list === undefined) return new Map();
  if (!isJsonList(list)) return undefined;
  const items = new Map<string, JsonMap>();
  for (const item of list) {
    if (!isJsonMap(item)) return undefined;
    const name = nameOf(item, items);
    if (items.has(name)) return undefined;
    items.set(name, item);
  }
  return items;
}
