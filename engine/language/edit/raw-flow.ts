/**
 * A flow file as its text's plain value, including keys for other programs and any errors. Parts that a change does not
 * affect remain the same objects.
 */
import { EngineError } from '../../base/engine-error.ts';
import { isJsonList, isJsonMap, isWrittenAlike, type JsonMap, type JsonValue } from '../json/json-value.ts';
import type { ChangePath } from './flow-change.ts';

/** Creates an `edit.refused` error: the text stays unchanged. */
export function refused(message: string, nodeId?: string): EngineError {
  return new EngineError({ code: 'edit.refused', message, ...(nodeId === undefined ? {} : { nodeId }) });
}

/** Keys in the order in which they are written; others go to the end. */
type KeyOrder = readonly string[];

export const nodeKeys: KeyOrder = [
  'id',
  'type',
  'name',
  'description',
  'input',
  'config',
  'when',
  'policy',
  'disabled',
];
export const edgeKeys: KeyOrder = ['id', 'from', 'to', 'when'];
export const stepKeys: KeyOrder = [
  'id',
  'type',
  'name',
  'agent',
  'tool',
  'backend',
  'title',
  'message',
  'params',
  'form',
  'retry',
];
const rootKeys: KeyOrder = ['flow', 'nodes', 'edges', 'layout'];
const stepFlowKeys: KeyOrder = ['id', 'name', 'description', 'autonomy_level', 'version', 'steps', 'metadata'];
const orders: Readonly<Record<string, KeyOrder>> = {
  flow: ['name', 'version', 'description', 'toolName', 'approvals', 'input', 'policy', 'nodePacks', 'triggers'],
  nodes: nodeKeys,
  edges: edgeKeys,
  steps: stepKeys,
  layout: ['direction', 'nodes', 'groups', 'notes'],
};

/**
 * Returns the list at a key of the file; empty if there is none. @throws EngineError `edit.refused` if the value is not
 * a list
 */
export function listAt(root: JsonMap, key: 'nodes' | 'edges'): readonly JsonValue[] {
  const list = root[key] ?? [];
  if (!isJsonList(list)) throw refused(`"${key}" is not a list. Fix it in the text first.`);
  return list;
}

export function withList(root: JsonMap, key: 'nodes' | 'edges', list: readonly JsonValue[]): JsonMap {
  return root[key] === list ? root : withKey(root, { key, value: list }, rootKeys);
}

/** Returns the string at a key of a value that should be a map. */
export function textAt(value: JsonValue | undefined, key: string): string | undefined {
  const text = isJsonMap(value) && Object.hasOwn(value, key) ? value[key] : undefined;
  return typeof text === 'string' ? text : undefined;
}

/** Returns the index of the first node with an ID. @throws EngineError `edit.refused` if there is none */
export function nodeIndex(root: JsonMap, id: string): number {
  const index = listAt(root, 'nodes').findIndex((node) => textAt(node, 'id') === id);
  if (index === -1) throw refused(`No node has the id "${id}".`, id);
  return index;
}

/** Returns the IDs of all nodes that have one. */
export function nodeIds(root: JsonMap): ReadonlySet<string> {
  return new Set(listAt(root, 'nodes').flatMap((node) => textAt(node, 'id') ?? []));
}

/**
 * Sets a key, or removes it if the value is undefined. A new key is inserted after those that precede it in the order.
 */
export function withKey(
  map: JsonMap,
  { key, value }: { readonly key: string; readonly value: JsonValue | undefined },
  order: KeyOrder = [],
): JsonMap {
  if (key === '__proto__') throw refused('The key "__proto__" is not allowed in a flow.');
  const entries = Object.entries(map);
  const index = entries.findIndex(([known]) => known === key);
  if (value === undefined) return index === -1 ? map : Object.fromEntries(entries.toSpliced(index, 1));
  if (index !== -1) {
    return isWrittenAlike(map[key] ?? null, value) ? map : Object.fromEntries(entries.with(index, [key, value]));
  }
  const earlier = order.slice(0, Math.max(order.indexOf(key), 0)).reverse();
  const before = earlier.map((known) => entries.findIndex(([name]) => name === known)).find((place) => place !== -1);
  const isFirst = before === undefined && order.includes(key);
  return Object.fromEntries(entries.toSpliced(isFirst ? 0 : (before ?? entries.length - 1) + 1, 0, [key, value]));
}

/**
 * Sets the value at a path, creating maps along the path; undefined removes it and maps that become empty.
 * @throws EngineError `edit.refused` if a value on the path is not a map or has no such index
 */
export function withValueAt(root: JsonMap, path: ChangePath, value: JsonValue | undefined): JsonMap {
  const changed = changedAt(root, { path, depth: 0 }, value);
  return isJsonMap(changed) ? changed : {};
}

interface PathPosition {
  readonly path: ChangePath;
  readonly depth: number;
}

function changedAt(
  owner: JsonValue | undefined,
  place: PathPosition,
  value: JsonValue | undefined,
): JsonValue | undefined {
  const { path, depth } = place;
  const segment = path[depth];
  if (segment === undefined) return value;
  if (isJsonList(owner)) return changedInList(owner, place, value);
  if (owner === undefined && value === undefined) return undefined;
  if (typeof segment === 'number' || (owner !== undefined && owner !== null && !isJsonMap(owner))) throw blocked(place);
  const map = isJsonMap(owner) ? owner : {};
  const inner = Object.hasOwn(map, segment) ? map[segment] : undefined;
  const changed = changedAt(inner, { path, depth: depth + 1 }, value);
  const result = withKey(map, { key: segment, value: changed }, orderAt(path, depth));
  const isEmptied = changed === undefined && Object.keys(result).length === 0 && result !== map;
  return isEmptied && !isRequired(path, depth) ? undefined : result;
}

function changedInList(list: readonly JsonValue[], place: PathPosition, value: JsonValue | undefined): JsonValue {
  const { path, depth } = place;
  const index = path[depth];
  if (typeof index !== 'number' || !Number.isInteger(index) || index < 0 || index > list.length) throw blocked(place);
  const changed = changedAt(list[index], { path, depth: depth + 1 }, value);
  if (changed === undefined) return index < list.length ? list.toSpliced(index, 1) : list;
  if (index < list.length && changed === list[index]) return list;
  return index === list.length ? [...list, changed] : list.with(index, changed);
}

function blocked({ path, depth }: PathPosition): Error {
  const where = path.slice(0, depth).join('.');
  return refused(
    `"${path.join('.')}" cannot be set: "${where}" is not a map or list that can contain it. Change "${where}" in the text.`,
  );
}

function orderAt(path: ChangePath, depth: number): KeyOrder {
  const [list] = path;
  if (depth === 0) return stepFlowKeys.includes(String(list)) ? stepFlowKeys : rootKeys;
  const isOwn = list === 'nodes' || list === 'edges' || list === 'steps' ? depth === 2 : depth === 1;
  return isOwn ? (orders[String(list)] ?? []) : [];
}

/** Whether a map is required in a file, so that it stays even if it is empty. */
function isRequired(path: ChangePath, depth: number): boolean {
  if (depth === 0) return true;
  const [list, , key] = path;
  if (depth === 1) return list === 'flow';
  return depth === 2 ? list === 'nodes' || list === 'steps' : depth === 3 && list === 'nodes' && key === 'input';
}

/** Returns a map with its keys in the given order, without undefined values. */
export function inOrder(map: object, order: KeyOrder): JsonMap {
  const entries = Object.entries(map).filter(([, value]) => value !== undefined) as [string, JsonValue][];
  const rank = (key: string): number => (order.includes(key) ? order.indexOf(key) : order.length);
  return Object.fromEntries(entries.sort(([a], [b]) => rank(a) - rank(b)));
}
