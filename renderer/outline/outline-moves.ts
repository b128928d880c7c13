/**
 * Moves nodes in the outline: up and down in the file, into the body of a loop and out of it.
 */
import { type FlowChange, isLoop } from '../../engine/isomorphic.ts';
import { type BodyMove, bodyChanges, bodyRefusal, loopsAround } from '../stores/flow/loop-bodies.ts';
import type { FlowContent, MadeChange } from './outline-changes.ts';
import { outlineParents } from './outline-rows.ts';
import { text } from './text.ts';

/**
 * Moves nodes past their neighbors in the tree, each with all nodes below it.
 * @returns null if none of them has a neighbor on that side
 */
export function orderMove(parts: FlowContent, ids: ReadonlySet<string>, step: 'up' | 'down'): MadeChange | null {
  const tree = treeOf(parts);
  const roots = parts.doc.nodes.flatMap(({ id }) => (ids.has(id) && !tree.standsBelow(id, ids) ? [id] : []));
  const parents = new Set(roots.map((id) => tree.parentOf(id)));
  const changes = [...parents].flatMap((parent): FlowChange[] => {
    const siblings = tree.childrenOf(parent);
    const moved = siblings.filter((id) => roots.includes(id));
    const places = moved.map((id) => siblings.indexOf(id));
    const neighbour = siblings[step === 'up' ? Math.min(...places) - 1 : Math.max(...places) + 1];
    if (neighbour === undefined) return [];
    const nodes = moved.flatMap(tree.familyOf);
    const family = tree.familyOf(neighbour);
    const of = (step === 'up' ? family[0] : family.at(-1)) ?? neighbour;
    return [{ do: 'reorder', nodes, side: step === 'up' ? 'before' : 'behind', of }];
  });
  if (changes.length === 0) return null;
  const { moveUp, moveDown } = text.edits;
  const label = (step === 'up' ? moveUp : moveDown)({ names: namesOf(roots) });
  return { change: { do: 'all', changes, label }, ids: [...ids] };
}

interface Tree {
  parentOf(id: string): string | undefined;
  /** In file order. */
  childrenOf(parent: string | undefined): readonly string[];
  /** Returns a node and all nodes below it, in file order. */
  readonly familyOf: (id: string) => readonly string[];
  standsBelow(id: string, ids: ReadonlySet<string>): boolean;
}

function treeOf(parts: FlowContent): Tree {
  const parents = outlineParents(parts);
  const all = parts.doc.nodes.map(({ id }) => id);
  const standsBelow = (id: string, ids: ReadonlySet<string>): boolean => {
    for (let at = parents.get(id); at !== undefined; at = parents.get(at)) if (ids.has(at)) return true;
    return false;
  };
  return {
    parentOf: (id) => parents.get(id),
    childrenOf: (parent) => all.filter((id) => parents.get(id) === parent),
    familyOf: (root) => all.filter((id) => id === root || standsBelow(id, new Set([root]))),
    standsBelow,
  };
}

function namesOf(ids: readonly string[]): string {
  return ids.length === 1 ? (ids[0] ?? '') : text.edits.nodes({ count: ids.length });
}

/** Returns the loop that contains the nodes. Null if there is none, undefined if they are in different loops. */
export function loopOf({ nesting }: FlowContent, ids: ReadonlySet<string>): string | null | undefined {
  const owners = new Set([...ids].map((id) => nesting.ownerOf.get(id) ?? null));
  const [owner] = owners;
  return owners.size === 1 ? owner : undefined;
}

/**
 * Returns the loops that nodes could be moved into: all except their current one, themselves, and those inside them.
 */
export function loopsToJoin(parts: FlowContent, ids: ReadonlySet<string>): readonly string[] {
  const own = loopOf(parts, ids);
  return parts.doc.nodes.flatMap(({ id, type }) => {
    const isInside = ids.has(id) || loopsAround(parts.nesting, id).some((loop) => ids.has(loop));
    return isLoop(type) && id !== own && !isInside ? [id] : [];
  });
}

/** Returns the destination of nodes that leave their loop: the loop around it, or null. */
export function outsideOf(parts: FlowContent, ids: ReadonlySet<string>): string | null {
  return parts.nesting.ownerOf.get(loopOf(parts, ids) ?? '') ?? null;
}

/**
 * Moves nodes from their body to another one.
 * @param to null to move them out of all loops
 * @returns an explanation for the user if an edge, or a body that is not a list, prevents it
 */
export function bodyMove(parts: FlowContent, ids: ReadonlySet<string>, to: string | null): MadeChange | string {
  const { doc, nesting } = parts;
  const from = loopOf(parts, ids);
  if (from === undefined) return text.edits.severalLoops;
  const move: BodyMove = { ids: inFileOrder(parts, ids), from, to };
  const changes = bodyChanges(doc, move);
  if (changes === null) return text.edits.bodyIsNoList;
  const refusal = bodyRefusal(doc, changes, move);
  if (refusal !== null) return refusal;
  const names = namesOf([...ids]);
  const isOut = from !== null && (to === null || loopsAround(nesting, from).includes(to));
  const { moveInto, moveOut } = text.edits;
  const label = isOut ? moveOut({ names, loop: from }) : moveInto({ names, loop: to ?? '' });
  return { change: { do: 'all', changes: [...changes, ...freePlaces(parts, ids)], label }, ids: [...ids] };
}

/** Where nodes are dropped in the tree: beside a row, or in the body of the loop that it represents. */
export interface TreeDrop {
  readonly id: string;
  readonly side: 'before' | 'behind' | 'inside';
}

/**
 * Moves nodes to where they were dropped.
 * @returns null if that is below themselves; an explanation for the user if something prevents it
 */
export function dropMove(
  parts: FlowContent,
  ids: ReadonlySet<string>,
  { id, side }: TreeDrop,
): MadeChange | string | null {
  const tree = treeOf(parts);
  if (ids.has(id) || tree.standsBelow(id, ids)) return null;
  if (side === 'inside') return loopOf(parts, ids) === id ? null : bodyMove(parts, ids, id);
  const to = parts.nesting.ownerOf.get(id) ?? null;
  const across = loopOf(parts, ids) === to ? null : bodyMove(parts, ids, to);
  if (typeof across === 'string') return across;
  const nodes = [...new Set([...ids].flatMap(tree.familyOf))];
  const family = tree.familyOf(id);
  const of = (side === 'before' ? family[0] : family.at(-1)) ?? id;
  const order: FlowChange = { do: 'reorder', nodes, side, of };
  const { moveBefore, moveAfter } = text.edits;
  const label = (side === 'before' ? moveBefore : moveAfter)({ names: namesOf([...ids]), id });
  return { change: { do: 'all', changes: [...(across === null ? [] : [across.change]), order], label }, ids: [...ids] };
}

function inFileOrder({ doc }: FlowContent, ids: ReadonlySet<string>): ReadonlySet<string> {
  return new Set(doc.nodes.flatMap(({ id }) => (ids.has(id) ? [id] : [])));
}

/** Removes positions: the old ones would stretch the frame of the loop across the canvas. The layout finds new ones. */
function freePlaces({ doc }: FlowContent, ids: ReadonlySet<string>): readonly FlowChange[] {
  const placed = Object.keys(doc.layout?.nodes ?? {}).filter((id) => ids.has(id));
  return placed.length === 0 ? [] : [{ do: 'move', positions: Object.fromEntries(placed.map((id) => [id, null])) }];
}
