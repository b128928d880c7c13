/**
 * A fragment of a flow → the change that puts it into another, or once more into the same.
 */
import { type FlowDoc, type NodeDoc, type NodePosition, nodeIdPattern, reservedNodeIds } from '../flow-doc.ts';
import { isJsonList, type JsonMap, type JsonValue } from '../json-value.ts';
import { findLoops, loopType } from '../loops.ts';
import type { FlowChange } from './flow-change.ts';
import type { Fragment } from './fragment.ts';
import { renameNode } from './rename-node.ts';

export interface PasteOptions {
  /** Where the upper left corner of what is pasted is to stand; without it everything keeps its place. */
  readonly at?: NodePosition;
  /** How far it is moved instead. */
  readonly by?: NodePosition;
  /** Whether edges from nodes that the document has, and the fragment left behind, come along. */
  readonly keepIncoming?: boolean;
  /** The loop whose body it joins. */
  readonly loopId?: string;
}

/** Distance of cards that had no place. */
const columnWidth = 304;

/** Ids that are taken get a number; bindings, conditions and bodies inside the fragment follow. */
export function pasteChange(
  doc: FlowDoc,
  fragment: Fragment,
  options: PasteOptions = {},
): Extract<FlowChange, { do: 'add' }> {
  const { keepIncoming = false, loopId } = options;
  const known = new Set(doc.nodes.map(({ id }) => id));
  const incoming = keepIncoming ? fragment.incoming.filter(({ from }) => known.has(from)) : [];
  const members = new Set(fragment.nodes.map(({ id }) => id));
  const root = {
    nodes: fragment.nodes.map((node) => withoutStrangers(node, members)),
    edges: [...fragment.edges, ...incoming].map(({ id: _, ...edge }) => edge),
    layout: { nodes: placed(fragment, options), groups: fragment.groups },
    // Documents are plain JSON; their types only name the keys.
  } as unknown as JsonMap;
  const renamed = newIds(doc, fragment).reduce((current, renaming) => renameNode(current, renaming), root);
  const { nodes, edges, layout } = renamed as unknown as FlowDoc;
  const notes = withFreeIds(movedNotes(fragment, options), doc.layout?.notes, 'note');
  const groups = withFreeIds(layout?.groups ?? {}, doc.layout?.groups, 'group');
  return {
    do: 'add',
    nodes,
    edges,
    positions: layout?.nodes ?? {},
    ...(loopId === undefined ? {} : { loopId }),
    ...(Object.keys(notes).length === 0 ? {} : { notes }),
    ...(Object.keys(groups).length === 0 ? {} : { groups }),
  };
}

/** A loop runs in its body only what came along. */
function withoutStrangers(node: NodeDoc, members: ReadonlySet<string>): NodeDoc {
  const { body } = node.input;
  if (node.type !== loopType || !isJsonList(body)) return node;
  const isMember = (id: JsonValue): boolean => typeof id === 'string' && members.has(id);
  return { ...node, input: { ...node.input, body: body.filter(isMember) } };
}

function newIds(doc: FlowDoc, { nodes }: Fragment): readonly { from: string; to: string }[] {
  const names = [doc.nodes, nodes].flatMap((list) => findLoops(list).loops.map(({ as }) => as ?? ''));
  const taken = new Set([...doc.nodes.map(({ id }) => id), ...names]);
  const free = (id: string): boolean => !taken.has(id) && !reservedNodeIds.has(id) && nodeIdPattern.test(id);
  const kept = new Set(nodes.map(({ id }) => id).filter(free));
  const others = nodes.filter(({ id }) => !kept.has(id));
  // None of the old ids is a new one, so that one renaming after the other does not mix them up.
  for (const { id } of nodes) taken.add(id);
  return others.map(({ id: from }) => {
    const base =
      from
        .replace(/\W/g, '_')
        .replace(/^(?=\d)/, '_')
        .replace(/_\d+$/, '') || 'node';
    let to = base;
    for (let count = 2; !free(to); count++) to = `${base}_${count}`;
    taken.add(to);
    return { from, to };
  });
}

/** Entries of the layout under ids that nobody has: their own, else `note_2`. */
function withFreeIds<Entry>(
  entries: Readonly<Record<string, Entry>>,
  known: Readonly<Record<string, unknown>> = {},
  name: string,
): Readonly<Record<string, Entry>> {
  const taken = new Set([...Object.keys(known), '__proto__']);
  const named = Object.entries(entries).map(([wanted, entry]) => {
    let id = wanted;
    for (let count = 1; taken.has(id); count++) id = count === 1 ? name : `${name}_${count}`;
    taken.add(id);
    return [id, entry] as const;
  });
  return Object.fromEntries(named);
}

/** How far what has places is moved. */
function shiftOf({ positions, notes }: Fragment, { at, by }: PasteOptions): NodePosition {
  const places = [...Object.values(positions), ...Object.values(notes)];
  if (at === undefined || places.length === 0) return by ?? { x: 0, y: 0 };
  const left = Math.min(...places.map(({ x }) => x));
  const top = Math.min(...places.map(({ y }) => y));
  return { x: at.x - left, y: at.y - top };
}

function movedNotes(fragment: Fragment, options: PasteOptions): Fragment['notes'] {
  const by = shiftOf(fragment, options);
  const moved = Object.entries(fragment.notes).map(([id, note]) => {
    return [id, { ...note, x: Math.round(note.x + by.x), y: Math.round(note.y + by.y) }] as const;
  });
  return Object.fromEntries(moved);
}

function placed(fragment: Fragment, options: PasteOptions): Readonly<Record<string, NodePosition>> {
  const places = Object.entries(fragment.positions);
  const { at } = options;
  if (places.length === 0 && at !== undefined) {
    return Object.fromEntries(fragment.nodes.map(({ id }, index) => [id, { x: at.x + index * columnWidth, y: at.y }]));
  }
  const by = shiftOf(fragment, options);
  return Object.fromEntries(places.map(([id, { x, y }]) => [id, { x: x + by.x, y: y + by.y }]));
}
