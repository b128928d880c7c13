/**
 * The order of nodes, in the plain value of a flow file.
 */
import { isJsonList, isJsonMap, type JsonMap, type JsonValue } from '../json-value.ts';
import type { FlowChange } from './flow-change.ts';
import { listAt, nodeIndex, textAt, withKey, withList } from './raw-flow.ts';
import { refused } from './refused.ts';

type Reordering = Extract<FlowChange, { do: 'reorder' }>;

/** @throws EngineError `edit.refused` for nodes that do not exist, and when the other one is among those that move */
export function reorder(root: JsonMap, change: Reordering): JsonMap {
  for (const id of [...change.nodes, change.of]) nodeIndex(root, id);
  if (change.nodes.includes(change.of))
    throw refused(`"${change.of}" cannot be moved ${change.side} itself.`, change.of);
  const nodes = listAt(root, 'nodes').map((node) => withOrderedBody(node, change));
  const moved = reordered(nodes, change, (node) => textAt(node, 'id'));
  const before = listAt(root, 'nodes');
  return moved.every((node, index) => node === before[index]) ? root : withList(root, 'nodes', moved);
}

/** The items that are meant stand beside the other one then; the same list when that is not in it. */
function reordered(
  list: readonly JsonValue[],
  { nodes, side, of }: Reordering,
  idOf: (item: JsonValue) => JsonValue | undefined,
): readonly JsonValue[] {
  const ids: ReadonlySet<JsonValue | undefined> = new Set(nodes);
  const moved = list.filter((item) => ids.has(idOf(item)));
  const rest = list.filter((item) => !ids.has(idOf(item)));
  const place = rest.findIndex((item) => idOf(item) === of);
  return place === -1 ? list : rest.toSpliced(side === 'before' ? place : place + 1, 0, ...moved);
}

function withOrderedBody(node: JsonValue, change: Reordering): JsonValue {
  const input = isJsonMap(node) ? node['input'] : undefined;
  const body = isJsonMap(input) ? input['body'] : undefined;
  if (!isJsonMap(node) || !isJsonMap(input) || !isJsonList(body)) return node;
  const value = reordered(body, change, (id) => id);
  if (value.every((id, index) => id === body[index])) return node;
  return withKey(node, { key: 'input', value: withKey(input, { key: 'body', value }) });
}
