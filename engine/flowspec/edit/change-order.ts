/**
 * The order of nodes, in the plain value of a flow file.
 */
import { isJsonList, isJsonMap, type JsonMap, type JsonValue } from '../json-value.ts';
import { loopType } from '../loops.ts';
import type { FlowChange } from './flow-change.ts';
import { listAt, nodeIndex, textAt, withKey, withList } from './raw-flow.ts';
import { refused } from './refused.ts';

type Reordering = Extract<FlowChange, { do: 'reorder' }>;

/** @throws EngineError `edit.refused` for nodes that do not exist, and when the other one is among those that move */
export function reorder(root: JsonMap, change: Reordering): JsonMap {
  for (const id of [...change.nodes, change.of]) nodeIndex(root, id);
  if (change.nodes.includes(change.of))
    throw refused(`"${change.of}" cannot be moved ${change.side} itself.`, change.of);
  const before = listAt(root, 'nodes');
  const moved = reordered(before, change, (node) => textAt(node, 'id'));
  const places = new Map(moved.map((node, index): [JsonValue | undefined, number] => [textAt(node, 'id'), index]));
  const nodes = moved.map((node) => withOrderedBody(node, change, places));
  return nodes.every((node, index) => node === before[index]) ? root : withList(root, 'nodes', nodes);
}

interface Parts {
  readonly moved: readonly JsonValue[];
  readonly rest: readonly JsonValue[];
}

function partsOf(list: readonly JsonValue[], { nodes }: Reordering, idOf: (item: JsonValue) => unknown): Parts {
  const ids: ReadonlySet<unknown> = new Set(nodes);
  return { moved: list.filter((item) => ids.has(idOf(item))), rest: list.filter((item) => !ids.has(idOf(item))) };
}

/** The items that are meant stand beside the other one then; the same list when that is not in it. */
function reordered(
  list: readonly JsonValue[],
  change: Reordering,
  idOf: (item: JsonValue) => JsonValue | undefined,
): readonly JsonValue[] {
  const { moved, rest } = partsOf(list, change, idOf);
  const place = rest.findIndex((item) => idOf(item) === change.of);
  return place === -1 ? list : rest.toSpliced(change.side === 'before' ? place : place + 1, 0, ...moved);
}

/** Puts a body in order: beside the other one, else, as that stands in a loop of its own, before what follows in the file. */
function withOrderedBody(
  node: JsonValue,
  change: Reordering,
  places: ReadonlyMap<JsonValue | undefined, number>,
): JsonValue {
  const input = isJsonMap(node) ? node['input'] : undefined;
  const body = isJsonMap(input) ? input['body'] : undefined;
  if (!isJsonMap(node) || node['type'] !== loopType || !isJsonMap(input) || !isJsonList(body)) return node;
  const value = body.includes(change.of) ? reordered(body, change, (id) => id) : inFileOrder(body, change, places);
  if (value.every((id, index) => id === body[index])) return node;
  return withKey(node, { key: 'input', value: withKey(input, { key: 'body', value }) });
}

function inFileOrder(
  body: readonly JsonValue[],
  change: Reordering,
  places: ReadonlyMap<JsonValue | undefined, number>,
): readonly JsonValue[] {
  const { moved, rest } = partsOf(body, change, (id) => id);
  if (moved.length === 0) return body;
  const last = Math.max(...moved.map((id) => places.get(id) ?? 0));
  const next = rest.findIndex((id) => (places.get(id) ?? 0) > last);
  return rest.toSpliced(next === -1 ? rest.length : next, 0, ...moved);
}
