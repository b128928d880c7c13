/**
 * Merges two versions of a flow: for each part that differs, one of them is chosen. Choosing the second one for all parts
 * results in the second version.
 */
import { isJsonList, isJsonMap, type JsonMap, type JsonValue, jsonEquals } from '../../json/json-value.ts';
import type { ChangePath } from '../flow-change.ts';
import { textAt } from '../raw-flow.ts';
import type { DifferencePart } from './flow-difference.ts';
import { mergeOrder, movedNames } from './merge-order.ts';
import { type Named, namedEdges, namedNodes, namedTriggers } from './named-parts.ts';

/** Returns whether the second version is chosen. Called once for each part, in the order of the file. */
export type Choose = (part: DifferencePart) => boolean;

type ChangedPart = Extract<
  DifferencePart,
  { what: 'node-changed' | 'flow-changed' | 'layout-changed' | 'file-changed' }
>;

/** Keys of a node with settings that are chosen one by one. */
const settings: ReadonlySet<string> = new Set(['input', 'config', 'policy', 'params']);

const nothing: JsonMap = {};
const noNames: ReadonlySet<string> = new Set();

/** @param after has the same keys for nodes and edges as `before`, which is a flow of the same form */
export function mergeFlow(before: JsonMap, after: JsonMap, choose: Choose): JsonMap {
  return new FlowMerge(before, after, choose).merged();
}

class FlowMerge {
  readonly #before: JsonMap;
  readonly #after: JsonMap;
  readonly #choose: Choose;
  /** The key with the nodes. */
  readonly #list: 'nodes' | 'steps';
  /** Whether the nodes can be compared one by one. */
  readonly #isListed: boolean;
  readonly #nodes: Named;
  readonly #others: Named;
  /** Names of the nodes in the result. */
  readonly #present = new Set<string>();

  constructor(before: JsonMap, after: JsonMap, choose: Choose) {
    this.#before = before;
    this.#after = after;
    this.#choose = choose;
    this.#list = 'steps' in before ? 'steps' : 'nodes';
    this.#isListed = this.#canList(this.#list, namedNodes);
    // If one list has to be compared as a whole, nothing is known about the nodes of either.
    this.#nodes = (this.#isListed ? namedNodes(before[this.#list]) : undefined) ?? new Map();
    this.#others = (this.#isListed ? namedNodes(after[this.#list]) : undefined) ?? new Map();
  }

  merged(): JsonMap {
    const nodes = this.#isListed ? this.#mergeNodes() : undefined;
    return this.#mergeKeys(this.#before, this.#after, (key, before, after) => {
      if (key === this.#list && nodes !== undefined) return nodes;
      if (key === 'edges' && this.#canList('edges', namedEdges)) return this.#mergeEdges();
      if (key === 'layout' && isMapOrAbsent(before) && isMapOrAbsent(after)) return this.#mergeLayout(before, after);
      const what = key === 'flow' ? 'flow-changed' : 'file-changed';
      return this.#mergeValue(what, [key], { before, after });
    });
  }

  #canList(key: string, read: (value: JsonValue | undefined) => Named | undefined): boolean {
    return read(this.#before[key]) !== undefined && read(this.#after[key]) !== undefined;
  }

  #mergeNodes(): JsonValue | undefined {
    const [nodes, others] = [this.#nodes, this.#others];
    const moved = movedNames([...nodes.keys()], [...others.keys()]);
    for (const [id, node] of nodes) {
      const isKept = others.has(id) || !this.#choose({ what: 'node-removed', id, node });
      if (isKept) this.#present.add(id);
    }
    for (const [id, node] of others)
      if (!nodes.has(id) && this.#choose({ what: 'node-added', id, node })) this.#present.add(id);
    const taken = new Set([...moved].filter((id) => this.#choose({ what: 'node-moved', id })));
    const order = mergeOrder([...nodes.keys()], [...others.keys()], {
      has: (id) => this.#present.has(id),
      moved,
      isTaken: (id) => taken.has(id),
    });
    const merged = order.map((id) => this.#mergeNode(id, nodes.get(id), others.get(id)));
    return merged.length === 0 && !(this.#list in this.#after) ? undefined : merged;
  }

  #mergeNode(id: string, before: JsonMap | undefined, after: JsonMap | undefined): JsonMap {
    if (before === undefined || after === undefined) return before ?? after ?? nothing;
    if (jsonEquals(before, after)) return before;
    if (before['type'] !== after['type'])
      return this.#choose({ what: 'node-changed', id, path: [], before, after }) ? after : before;
    return this.#mergeKeys(before, after, (key, own, other) => {
      const isSettings = settings.has(key) && isMapOrAbsent(own) && isMapOrAbsent(other);
      if (!isSettings) return this.#choice({ id, path: [key] }, own, other);
      const merged = this.#mergeKeys(own ?? nothing, other ?? nothing, (inner, value, next) => {
        const isBody = key === 'input' && inner === 'body' && isNames(value) && isNames(next);
        const place = { id, path: [key, inner] };
        return isBody ? this.#mergeMembers(place, value, next) : this.#choice(place, value, next);
      });
      return unlessEmptied(merged, own, other);
    });
  }

  /** Merges a list of node IDs. New and removed nodes are in it according to their own choice. */
  #mergeMembers(place: PartPlace, before: readonly string[], after: readonly string[]): readonly string[] {
    const isShared = (id: string): boolean => this.#nodes.has(id) === this.#others.has(id);
    const isSame = jsonEquals(before.filter(isShared), after.filter(isShared));
    const isTaken = !isSame && this.#choose(changedPart(place, before, after));
    const known = new Set([
      ...before.filter((id) => !isTaken || !isShared(id)),
      ...after.filter((id) => isTaken || !isShared(id)),
    ]);
    return mergeOrder(before, after, {
      has: (id) => known.has(id) && (this.#present.has(id) || !(this.#nodes.has(id) || this.#others.has(id))),
      moved: movedNames(before, after),
      isTaken: () => isTaken,
    });
  }

  #mergeEdges(): JsonValue | undefined {
    const [edges, others] = [
      namedEdges(this.#before['edges']) ?? new Map(),
      namedEdges(this.#after['edges']) ?? new Map(),
    ];
    const present = new Set<string>();
    for (const [name, edge] of edges)
      if (others.has(name) || !this.#choose(edgePart('edge-removed', name, edge))) present.add(name);
    for (const [name, edge] of others)
      if (!edges.has(name) && this.#choose(edgePart('edge-added', name, edge))) present.add(name);
    const moved = movedNames([...edges.keys()], [...others.keys()]);
    const isMoved = moved.size > 0 && this.#choose({ what: 'edges-moved' });
    const order = mergeOrder([...edges.keys()], [...others.keys()], {
      has: (name) => present.has(name),
      moved,
      isTaken: () => isMoved,
    });
    const merged = order.map((name) => {
      const [before, after] = [edges.get(name), others.get(name)];
      if (before === undefined || after === undefined || jsonEquals(before, after)) return before ?? after ?? nothing;
      return this.#choose({ what: 'edge-changed', name, before, after }) ? after : before;
    });
    return merged.length === 0 && !('edges' in this.#after) ? undefined : merged;
  }

  #mergeLayout(before: JsonMap | undefined, after: JsonMap | undefined): JsonValue | undefined {
    const merged = this.#mergeKeys(before ?? nothing, after ?? nothing, (key, own, other) => {
      const place = { path: ['layout', key] };
      const areMaps = isMapOrAbsent(own) && isMapOrAbsent(other);
      if (key === 'nodes' && areMaps) return unlessEmptied(this.#mergePositions(place, own, other), own, other);
      if (key !== 'groups' && key !== 'notes') return this.#choice(place, own, other);
      if (!areMaps) return this.#choice(place, own, other);
      const items = this.#mergeKeys(own ?? nothing, other ?? nothing, (id, value, next) => {
        const choice = this.#choice({ path: [...place.path, id] }, value, next);
        return key === 'groups' ? this.#withoutAbsent(choice) : choice;
      });
      return unlessEmptied(items, own, other);
    });
    return unlessEmptied(merged, before, after);
  }

  /** Positions of nodes in both versions are one part. Those of other nodes follow the nodes. */
  #mergePositions(place: PartPlace, before: JsonMap = nothing, after: JsonMap = nothing): JsonMap {
    const isOwn = (id: string): boolean => this.#nodes.has(id) !== this.#others.has(id);
    const ofBoth = (map: JsonMap): JsonMap => Object.fromEntries(Object.entries(map).filter(([id]) => !isOwn(id)));
    const [own, other] = [ofBoth(before), ofBoth(after)];
    const isTaken = !jsonEquals(own, other) && this.#choose(changedPart(place, own, other));
    return this.#mergeKeys(before, after, (id, value, next) => {
      if (isOwn(id)) return this.#present.has(id) ? (value ?? next) : undefined;
      return isTaken ? next : value;
    });
  }

  /** Removes nodes from a group that are not in the result. */
  #withoutAbsent(group: JsonValue | undefined): JsonValue | undefined {
    if (!isJsonMap(group) || !isJsonList(group['nodes'])) return group;
    const isAbsent = (id: JsonValue): boolean =>
      typeof id === 'string' && !this.#present.has(id) && (this.#nodes.has(id) || this.#others.has(id));
    const nodes = group['nodes'].filter((id) => !isAbsent(id));
    return nodes.length === group['nodes'].length ? group : { ...group, nodes };
  }

  /** Merges a value below `flow`, or under another key, one or two levels deep. */
  #mergeValue(
    what: 'flow-changed' | 'file-changed',
    path: readonly string[],
    { before, after }: { readonly before: JsonValue | undefined; readonly after: JsonValue | undefined },
  ): JsonValue | undefined {
    if (path[0] === 'flow' && path[1] === 'triggers') return this.#mergeTriggers(before, after);
    const depth = what === 'flow-changed' ? 3 : 1;
    if (path.length >= depth || !isJsonMap(before) || !isJsonMap(after))
      return this.#choice({ what, path }, before, after);
    return this.#mergeKeys(before, after, (key, own, other) =>
      this.#mergeValue(what, [...path, key], { before: own, after: other }),
    );
  }

  /** Triggers are chosen one by one. Their order has no meaning. */
  #mergeTriggers(before: JsonValue | undefined, after: JsonValue | undefined): JsonValue | undefined {
    const place = { what: 'flow-changed', path: ['flow', 'triggers'] } as const;
    const [own, other] = [namedTriggers(before), namedTriggers(after)];
    if (own === undefined || other === undefined) return this.#choice(place, before, after);
    const merged = this.#mergeKeys(Object.fromEntries(own), Object.fromEntries(other), (id, value, next) =>
      this.#choice({ ...place, path: [...place.path, id] }, value, next),
    );
    const list = Object.values(merged);
    return list.length === 0 && (before === undefined || after === undefined) ? undefined : list;
  }

  #choice(place: PartPlace, before: JsonValue | undefined, after: JsonValue | undefined): JsonValue | undefined {
    if (before === after || (before !== undefined && after !== undefined && jsonEquals(before, after))) return before;
    return this.#choose(changedPart(place, before, after)) ? after : before;
  }

  #mergeKeys(
    before: JsonMap,
    after: JsonMap,
    merge: (key: string, before: JsonValue | undefined, after: JsonValue | undefined) => JsonValue | undefined,
  ): JsonMap {
    const keys = mergeOrder(Object.keys(before), Object.keys(after), {
      has: () => true,
      moved: noNames,
      isTaken: () => false,
    });
    return Object.fromEntries(
      keys.flatMap((key) => {
        const merged = merge(key, ownValue(before, key), ownValue(after, key));
        return merged === undefined ? [] : [[key, merged]];
      }),
    );
  }
}

interface PartPlace {
  readonly what?: 'flow-changed' | 'file-changed';
  /** A node, if the value is one of a node. */
  readonly id?: string;
  readonly path: ChangePath;
}

function changedPart(
  { what, id, path }: PartPlace,
  before: JsonValue | undefined,
  after: JsonValue | undefined,
): ChangedPart {
  if (id !== undefined) return { what: 'node-changed', id, path, before, after };
  return { what: what ?? 'layout-changed', path, before, after };
}

function edgePart(what: 'edge-added' | 'edge-removed', name: string, edge: JsonMap): DifferencePart {
  return { what, name, from: textAt(edge, 'from') ?? '', to: textAt(edge, 'to') ?? '', edge };
}

/** Returns undefined for an empty map that one of the versions does not have. */
function unlessEmptied(
  merged: JsonMap,
  before: JsonValue | undefined,
  after: JsonValue | undefined,
): JsonMap | undefined {
  const isEmptied = Object.keys(merged).length === 0 && (before === undefined || after === undefined);
  return isEmptied ? undefined : merged;
}

function ownValue(map: JsonMap, key: string): JsonValue | undefined {
  return Object.hasOwn(map, key) ? map[key] : undefined;
}

function isMapOrAbsent(value: JsonValue | undefined): value is JsonMap | undefined {
  return value === undefined || isJsonMap(value);
}

function isNames(value: JsonValue | undefined): value is readonly string[] {
  return isJsonList(value) && value.every((one) => typeof one === 'string') && new Set(value).size === value.length;
}
