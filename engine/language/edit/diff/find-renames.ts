/**
 * Finds nodes that were renamed: nodes that exist only in the first text and resemble one that exists only in the second.
 */
import { EngineError } from '../../../base/engine-error.ts';
import { isJsonMap, type JsonMap, type JsonValue, jsonEquals } from '../../json/json-value.ts';
import { listAt, textAt } from '../raw-flow.ts';
import { type NodeRename, renameNode } from '../rename-node.ts';

/** Maximum number of pairs to compare. */
const mostPairs = 100_000;

/** How alike two nodes must be, from 0 to 1. */
const leastLikeness = 0.6;

/** Returns the first text's value with the new names, and the names. */
export function followRenames(
  before: JsonMap,
  after: JsonMap,
): { readonly root: JsonMap; readonly renames: readonly NodeRename[] } {
  const renames: NodeRename[] = [];
  let root = before;
  for (const rename of findRenames(before, after)) {
    const renamed = renamedOrNothing(root, rename);
    // Rejecting a rename changes the name back.
    if (renamed === undefined || renamedOrNothing(after, { from: rename.to, to: rename.from }) === undefined) continue;
    renames.push(rename);
    root = renamed;
  }
  return { root, renames };
}

/** Returns undefined if the name is not allowed. */
export function renamedOrNothing(root: JsonMap, rename: NodeRename): JsonMap | undefined {
  try {
    return renameNode(root, rename);
  } catch (error) {
    if (EngineError.is(error)) return undefined;
    throw error;
  }
}

interface OneSided {
  /** Nodes that are only in this text, by ID. */
  readonly only: ReadonlyMap<string, JsonMap>;
  /** IDs of the nodes that a node is connected to. */
  readonly neighbors: ReadonlyMap<string, ReadonlySet<string>>;
}

function findRenames(before: JsonMap, after: JsonMap): readonly NodeRename[] {
  const [ids, otherIds] = [idsOf(before), idsOf(after)];
  const gone = sideOf(before, otherIds);
  const added = sideOf(after, ids);
  if (gone.only.size * added.only.size > mostPairs) return [];
  const pairs = [...gone.only].flatMap(([from, node]) =>
    [...added.only].flatMap(([to, other]) => {
      if (node['type'] !== other['type']) return [];
      const likeness = likenessOf(node, other) * 0.7 + sharedOf(gone, added, { from, to }) * 0.3;
      return likeness < leastLikeness ? [] : [{ from, to, likeness }];
    }),
  );
  const taken = new Set<string>();
  return pairs
    .sort((a, b) => b.likeness - a.likeness)
    .flatMap(({ from, to }) => {
      if (taken.has(`before ${from}`) || taken.has(`after ${to}`)) return [];
      taken.add(`before ${from}`).add(`after ${to}`);
      return [{ from, to }];
    });
}

function idsOf(root: JsonMap): ReadonlySet<string> {
  return new Set(listAt(root, 'nodes').flatMap((node) => textAt(node, 'id') ?? []));
}

function sideOf(root: JsonMap, others: ReadonlySet<string>): OneSided {
  const only = new Map<string, JsonMap>();
  for (const node of listAt(root, 'nodes')) {
    const id = textAt(node, 'id');
    if (id !== undefined && !others.has(id) && isJsonMap(node)) only.set(id, node);
  }
  const neighbors = new Map<string, Set<string>>();
  const note = (id: string, other: string): void => {
    if (only.has(id)) neighbors.set(id, (neighbors.get(id) ?? new Set()).add(other));
  };
  for (const edge of listAt(root, 'edges')) {
    const [from = '', to = ''] = [textAt(edge, 'from'), textAt(edge, 'to')];
    note(from, `to ${to}`);
    note(to, `from ${from}`);
  }
  return { only, neighbors };
}

/** Returns the share of equal values, from 0 to 1. */
function likenessOf(node: JsonMap, other: JsonMap): number {
  const [values, others] = [valuesOf(node), valuesOf(other)];
  const keys = new Set([...values.keys(), ...others.keys()]);
  if (keys.size === 0) return 1;
  const same = [...keys].filter((key) => jsonEquals(values.get(key) ?? null, others.get(key) ?? null));
  return same.length / keys.size;
}

function valuesOf(node: JsonMap): ReadonlyMap<string, JsonValue> {
  const values = new Map<string, JsonValue>();
  for (const [key, value] of Object.entries(node)) {
    if (key === 'id' || key === 'type') continue;
    if (!isJsonMap(value) || key === 'when') values.set(key, value);
    else for (const [inner, part] of Object.entries(value)) values.set(`${key}.${inner}`, part);
  }
  return values;
}

const alone: ReadonlySet<string> = new Set();

function sharedOf(gone: OneSided, added: OneSided, { from, to }: NodeRename): number {
  const [own, other] = [gone.neighbors.get(from) ?? alone, added.neighbors.get(to) ?? alone];
  const all = new Set([...own, ...other]);
  return all.size === 0 ? 1 : [...own].filter((name) => other.has(name)).length / all.size;
}
