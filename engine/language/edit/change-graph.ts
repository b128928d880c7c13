/**
 * Adds, removes and reorders nodes and edges in a flow file's plain value.
 */
import { parsePath } from '../bindings/binding-path.ts';
import { nameEdges } from '../flow/compile-flow.ts';
import type { EdgeDoc } from '../flow/flow-doc.ts';
import { isLoop } from '../flow/loops.ts';
import { isJsonList, isJsonMap, type JsonMap, type JsonValue, jsonEquals } from '../json/json-value.ts';
import { addToLayout, forgetNodes, moveNodes } from './change-layout.ts';
import type { EdgeChange, FlowChange } from './flow-change.ts';
import {
  edgeKeys,
  inOrder,
  listAt,
  nodeIds,
  nodeIndex,
  nodeKeys,
  refused,
  textAt,
  withKey,
  withList,
  withValueAt,
} from './raw-flow.ts';
import { checkNewId } from './rename-node.ts';

type GraphChangeOf<Do extends FlowChange['do']> = Extract<FlowChange, { do: Do }>;

/** @throws EngineError `edit.refused` for invalid or taken IDs, and for edges without their ends */
export function addNodes(root: JsonMap, change: GraphChangeOf<'add'>): JsonMap {
  const { nodes, edges = [], positions = {}, after, loopId } = change;
  const taken = new Set(nodeIds(root));
  for (const { id } of nodes) {
    checkNewId(id, taken);
    taken.add(id);
  }
  const list = listAt(root, 'nodes');
  const place = after === undefined ? list.length : nodeIndex(root, after) + 1;
  const written = nodes.map((node) => inOrder(node, nodeKeys));
  const added = written.length === 0 ? root : withList(root, 'nodes', list.toSpliced(place, 0, ...written));
  const inBody = loopId === undefined ? added : joinBody(added, loopId, outermost(written));
  const connected = edges.length === 0 ? inBody : connect(inBody, edges);
  const placed = Object.keys(positions).length === 0 ? connected : moveNodes(connected, positions);
  return addToLayout(addToLayout(placed, 'groups', change.groups), 'notes', change.notes);
}

/** Returns the IDs of nodes that are not in another given node's body. */
function outermost(nodes: readonly JsonMap[]): readonly string[] {
  const inner = new Set(nodes.flatMap(bodyOf));
  return nodes.flatMap((node) => textAt(node, 'id') ?? []).filter((id) => !inner.has(id));
}

function joinBody(root: JsonMap, loopId: string, ids: readonly string[]): JsonMap {
  const index = nodeIndex(root, loopId);
  const node = listAt(root, 'nodes')[index];
  const input = isJsonMap(node) ? node['input'] : undefined;
  const body = isJsonMap(input) ? (input['body'] ?? []) : [];
  if (!isJsonList(body)) {
    throw refused(`The body of "${loopId}" is not a list. Write it as a list of node ids.`, loopId);
  }
  return withValueAt(root, ['nodes', index, 'input', 'body'], [...body, ...ids]);
}

/** @throws EngineError `edit.refused` for a missing end or an existing connection */
export function connect(root: JsonMap, edges: readonly EdgeDoc[]): JsonMap {
  const ids = nodeIds(root);
  const list = [...listAt(root, 'edges')];
  for (const edge of edges) {
    requireEnds(edge, ids);
    const written = inOrder(edge, edgeKeys);
    if (list.some((known) => jsonEquals(known, written))) {
      throw refused(`An edge already leads from "${edge.from}" to "${edge.to}".`);
    }
    list.push(written);
  }
  return withList(root, 'edges', list);
}

function requireEnds(ends: { readonly from?: string; readonly to?: string }, ids: ReadonlySet<string>): void {
  for (const id of [ends.from, ends.to]) {
    if (id !== undefined && !ids.has(id)) throw refused(`No node has the id "${id}".`);
  }
}

/** Returns the index of an edge by its name in runs. @throws EngineError `edit.refused` if there is none */
function edgeIndex(root: JsonMap, name: string): number {
  const index = edgeNames(root).indexOf(name);
  if (index === -1) throw refused(`Edge "${name}" does not exist.`);
  return index;
}

/** Returns the name of each entry in the list of edges; undefined for entries that are not edges. */
function edgeNames(root: JsonMap): readonly (string | undefined)[] {
  const names: (string | undefined)[] = [];
  const edges: EdgeDoc[] = [];
  const indexes: number[] = [];
  for (const [index, edge] of listAt(root, 'edges').entries()) {
    const from = textAt(edge, 'from');
    const to = textAt(edge, 'to');
    const id = textAt(edge, 'id');
    names.push(undefined);
    if (from === undefined || to === undefined) continue;
    edges.push({ from, to, ...(id === undefined || id === '' ? {} : { id }) });
    indexes.push(index);
  }
  for (const [place, { id }] of nameEdges(edges).entries()) names[indexes[place] ?? 0] = id;
  return names;
}

/** @throws EngineError `edit.refused` if the edge or a new end does not exist */
export function setEdge(root: JsonMap, name: string, { from, to, when }: EdgeChange): JsonMap {
  const index = edgeIndex(root, name);
  requireEnds({ ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) }, nodeIds(root));
  const edges = listAt(root, 'edges');
  let edge = edges[index] as JsonMap;
  if (from !== undefined) edge = withKey(edge, { key: 'from', value: from }, edgeKeys);
  if (to !== undefined) edge = withKey(edge, { key: 'to', value: to }, edgeKeys);
  if (when !== undefined) edge = withKey(edge, { key: 'when', value: (when ?? undefined) as JsonValue }, edgeKeys);
  return edge === edges[index] ? root : withList(root, 'edges', edges.with(index, edge));
}

/** @throws EngineError `edit.refused` if the node or the edge does not exist, or if the node is an end of the edge */
export function splice(root: JsonMap, { node, edge: name }: GraphChangeOf<'splice'>): JsonMap {
  nodeIndex(root, node);
  const index = edgeIndex(root, name);
  const edges = listAt(root, 'edges');
  const edge = edges[index] as JsonMap;
  const { from, to } = edge;
  if (from === node || to === node) throw refused(`"${node}" is already at one end of this edge.`, node);
  const first = withKey(edge, { key: 'to', value: node });
  const second = { from: node, to: to ?? '' };
  const halves = edges.some((other) => jsonEquals(other, second)) ? [first] : [first, second];
  const spliced = withList(root, 'edges', edges.toSpliced(index, 1, ...halves));
  const loopId = loopAround(root, String(from));
  return loopId === undefined || loopAround(root, node) !== undefined ? spliced : joinBody(spliced, loopId, [node]);
}

function loopAround(root: JsonMap, id: string): string | undefined {
  const loop = listAt(root, 'nodes').find((node) => bodyOf(node).includes(id));
  return textAt(loop, 'id');
}

function bodyOf(node: JsonValue): readonly JsonValue[] {
  if (!isJsonMap(node) || !isLoop(node['type'])) return [];
  const body = isJsonMap(node['input']) ? node['input']['body'] : undefined;
  return isJsonList(body) ? body : [];
}

/** Removes nodes and edges. Those that no longer exist are ignored. */
export function remove(root: JsonMap, { nodes, edges, heal = false }: GraphChangeOf<'remove'>): JsonMap {
  const names = new Set(edges);
  const all = edgeNames(root);
  let left: readonly JsonValue[] = listAt(root, 'edges').filter((_, index) => !names.has(all[index] ?? ''));
  if (heal) for (const id of nodes) left = healed(left, id);
  const gone = new Set(nodes);
  left = left.filter((edge) => !gone.has(textAt(edge, 'from') ?? '') && !gone.has(textAt(edge, 'to') ?? ''));
  const without = left.length === listAt(root, 'edges').length && !heal ? root : withList(root, 'edges', left);
  if (gone.size === 0) return without;
  const kept = listAt(root, 'nodes').filter((node) => !gone.has(textAt(node, 'id') ?? ''));
  const bodies = kept.map((node) => withoutMembers(node, gone));
  return forgetNodes(withList(without, 'nodes', bodies), gone);
}

function withoutMembers(node: JsonValue, gone: ReadonlySet<string>): JsonValue {
  const body = bodyOf(node);
  const kept = body.filter((id) => typeof id !== 'string' || !gone.has(id));
  if (kept.length === body.length || !isJsonMap(node) || !isJsonMap(node['input'])) return node;
  return withKey(node, { key: 'input', value: withKey(node['input'], { key: 'body', value: kept }) });
}

/** Connects the nodes before a removed node to the nodes after it. */
function healed(edges: readonly JsonValue[], id: string): readonly JsonValue[] {
  const behind = edges.filter((edge) => textAt(edge, 'from') === id);
  const linked = new Set(edges.map((edge) => `${textAt(edge, 'from')}->${textAt(edge, 'to')}`));
  return edges.flatMap((edge) => {
    if (textAt(edge, 'to') !== id) return [edge];
    const across = behind.flatMap((next, index): JsonValue[] => {
      const to = textAt(next, 'to') ?? '';
      const link = `${textAt(edge, 'from')}->${to}`;
      if (linked.has(link)) return [];
      linked.add(link);
      return [joined(edge as JsonMap, next as JsonMap, { id, isFirst: index === 0 })];
    });
    return across;
  });
}

function joined(
  edge: JsonMap,
  next: JsonMap,
  { id, isFirst }: { readonly id: string; readonly isFirst: boolean },
): JsonMap {
  const conditions = [edge['when'], reads(next['when'], id) ? undefined : next['when']].filter(
    (when) => when !== undefined,
  );
  const when = conditions.length > 1 ? { and: conditions } : conditions[0];
  const whole = isFirst ? edge : withKey(edge, { key: 'id', value: undefined });
  const led = withKey(whole, { key: 'to', value: next['to'] ?? '' }, edgeKeys);
  return withKey(led, { key: 'when', value: when }, edgeKeys);
}

/** Whether a condition reads a node that will no longer have values. */
function reads(when: JsonValue | undefined, id: string): boolean {
  if (when === undefined) return false;
  if (isJsonList(when)) return when.some((part) => reads(part, id));
  if (!isJsonMap(when)) return false;
  return Object.entries(when).some(([key, value]) => {
    if (key !== 'exists' && key !== 'var') return key !== 'value' && reads(value, id);
    return typeof value === 'string' && parsePath(value)?.[0] === id;
  });
}

type Reordering = Extract<FlowChange, { do: 'reorder' }>;

/** @throws EngineError `edit.refused` for missing nodes, and if the other node is among those that move */
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

interface SplitList {
  readonly moved: readonly JsonValue[];
  readonly rest: readonly JsonValue[];
}

function partsOf(list: readonly JsonValue[], { nodes }: Reordering, idOf: (item: JsonValue) => unknown): SplitList {
  const ids: ReadonlySet<unknown> = new Set(nodes);
  return { moved: list.filter((item) => ids.has(idOf(item))), rest: list.filter((item) => !ids.has(idOf(item))) };
}

/** Moves items next to another item. Returns the same list if it does not contain that item. */
function reordered(
  list: readonly JsonValue[],
  change: Reordering,
  idOf: (item: JsonValue) => JsonValue | undefined,
): readonly JsonValue[] {
  const { moved, rest } = partsOf(list, change, idOf);
  const place = rest.findIndex((item) => idOf(item) === change.of);
  return place === -1 ? list : rest.toSpliced(change.side === 'before' ? place : place + 1, 0, ...moved);
}

/**
 * Reorders a body: places the nodes next to the other node or, if that is in a different loop, before the nodes that
 * follow in the file.
 */
function withOrderedBody(
  node: JsonValue,
  change: Reordering,
  places: ReadonlyMap<JsonValue | undefined, number>,
): JsonValue {
  const input = isJsonMap(node) ? node['input'] : undefined;
  const body = isJsonMap(input) ? input['body'] : undefined;
  if (!isJsonMap(node) || !isLoop(node['type']) || !isJsonMap(input) || !isJsonList(body)) return node;
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
