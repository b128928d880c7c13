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
  const { at, keepIncoming = false, loopId } = options;
  const known = new Set(doc.nodes.map(({ id }) => id));
  const incoming = keepIncoming ? fragment.incoming.filter(({ from }) => known.has(from)) : [];
  const members = new Set(fragment.nodes.map(({ id }) => id));
  const root = {
    nodes: fragment.nodes.map((node) => withoutStrangers(node, members)),
    edges: [...fragment.edges, ...incoming].map(({ id: _, ...edge }) => edge),
    layout: { nodes: placed(fragment, at) },
    // Documents are plain JSON; their types only name the keys.
  } as unknown as JsonMap;
  const renamed = newIds(doc, fragment).reduce((current, renaming) => renameNode(current, renaming), root);
  const { nodes, edges, layout } = renamed as unknown as FlowDoc;
  const add = { do: 'add', nodes, edges, positions: layout?.nodes ?? {} } as const;
  return loopId === undefined ? add : { ...add, loopId };
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

function placed({ nodes, positions }: Fragment, at: NodePosition | undefined): Readonly<Record<string, NodePosition>> {
  if (at === undefined) return positions;
  const places = Object.entries(positions);
  if (places.length === 0) {
    return Object.fromEntries(nodes.map(({ id }, index) => [id, { x: at.x + index * columnWidth, y: at.y }]));
  }
  const left = Math.min(...places.map(([, { x }]) => x));
  const top = Math.min(...places.map(([, { y }]) => y));
  return Object.fromEntries(places.map(([id, { x, y }]) => [id, { x: x - left + at.x, y: y - top + at.y }]));
}
