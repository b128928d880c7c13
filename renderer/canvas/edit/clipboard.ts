/**
 * Parts of flows on the system's clipboard, as YAML that any text editor can hold.
 */
import {
  type FlowChange,
  type FlowDoc,
  type Fragment,
  fragmentText,
  freeId,
  type NodePosition,
  pasteChange,
  readFragment,
} from '../../../engine/isomorphic.ts';
import type { Chosen } from '../../stores/selection.ts';
import { pluralText } from '../../ui/quantity-text.ts';
import { type CanvasDesk, centreOf, isPlacedByHand, loopAround } from '../canvas-desk.ts';
import { pinnedPlaces } from './move-change.ts';
import { removeChosen } from './node-edits.ts';

/** How far a duplicate stands from the original. */
const duplicateShift = { x: 32, y: 32 };

/** The document with the places where cards are now, by whomever they were put there. */
function placedDoc({ doc, layout }: Pick<CanvasDesk, 'doc' | 'layout'>): FlowDoc {
  return { ...doc, layout: { ...doc.layout, nodes: Object.fromEntries(layout.positions) } };
}

/** Resolves with whether anything was copied. */
export async function copyChosen(desk: CanvasDesk): Promise<boolean> {
  const { ids } = desk.selection;
  if (ids.size === 0) return false;
  try {
    await navigator.clipboard.writeText(fragmentText(placedDoc(desk), ids));
    return true;
  } catch (error) {
    desk.stores.notices.getState().addError('Nothing was copied', error);
    return false;
  }
}

export async function cutChosen(desk: CanvasDesk): Promise<void> {
  if (await copyChosen(desk)) await removeChosen(desk, false);
}

/** Pastes at the pointer, else in the middle of what is seen. Text that holds no nodes is refused with a notice. */
export async function pasteClipboard(desk: CanvasDesk, withLinks: boolean): Promise<void> {
  const { notices } = desk.stores;
  let text: string;
  try {
    text = await navigator.clipboard.readText();
  } catch (error) {
    notices.getState().addError('The clipboard could not be read', error);
    return;
  }
  const fragment = readFragment(text);
  if (fragment === null) {
    const detail = 'The clipboard holds no nodes of a flow. Copy some on a canvas, or as YAML with a list "nodes:".';
    notices.getState().add({ tone: 'info', title: 'Nothing was pasted', detail });
    return;
  }
  const at = desk.pointer === null ? centreOf(desk) : desk.toFlow(desk.pointer);
  await insert(desk, fragment, { at, isPlace: false, withLinks, what: 'Paste', more: [] });
}

/** Puts copies of what is selected beside it. */
export function duplicateChosen(desk: CanvasDesk): Promise<void> {
  return duplicate(desk, desk.selection.chosen, { by: duplicateShift, isPlace: false });
}

export interface Shift {
  /** How far copies stand from their originals. */
  readonly by: NodePosition;
  /** Whether somebody has put them there; else a flow that the layout places finds room for them. */
  readonly isPlace: boolean;
}

/** Copies cards and notes; the originals stay. */
export async function duplicate(
  desk: CanvasDesk,
  { nodes, notes }: Pick<Chosen, 'nodes' | 'notes'>,
  { by, isPlace }: Shift,
): Promise<void> {
  const copies = noteCopies(desk, notes, by);
  const fragment = nodes.size === 0 ? null : readFragment(fragmentText(placedDoc(desk), nodes));
  if (fragment !== null) {
    const { x, y } = cornerOf([...nodes].flatMap((id) => desk.layout.positions.get(id) ?? []));
    const at = { x: x + by.x, y: y + by.y };
    await insert(desk, fragment, { at, isPlace, withLinks: false, what: 'Duplicate', more: copies });
  } else if (copies.length > 0) {
    const label = `Duplicate ${pluralText(copies.length, 'note')}`;
    await desk.change({ do: 'all', changes: copies, label });
  }
}

function cornerOf(places: readonly NodePosition[]): NodePosition {
  return { x: Math.min(...places.map(({ x }) => x)), y: Math.min(...places.map(({ y }) => y)) };
}

function noteCopies({ doc }: CanvasDesk, ids: ReadonlySet<string>, by: NodePosition): FlowChange[] {
  const notes = doc.layout?.notes ?? {};
  const taken = new Set(Object.keys(notes));
  return [...ids].flatMap((id): FlowChange[] => {
    const note = notes[id];
    if (note === undefined) return [];
    const copy = freeId('note', taken);
    taken.add(copy);
    const value = { ...note, x: Math.round(note.x + by.x), y: Math.round(note.y + by.y) };
    return [{ do: 'set-layout', path: ['notes', copy], value }];
  });
}

interface Insertion {
  readonly at: NodePosition;
  readonly isPlace: boolean;
  readonly withLinks: boolean;
  readonly what: 'Paste' | 'Duplicate';
  /** What is done along with it. */
  readonly more: readonly FlowChange[];
}

async function insert(desk: CanvasDesk, fragment: Fragment, insertion: Insertion): Promise<void> {
  const { at, isPlace, withLinks, what, more } = insertion;
  const [first] = fragment.nodes;
  const loopId = what === 'Duplicate' && first !== undefined ? loopAround(desk, first.id) : null;
  const isByHand = isPlace || isPlacedByHand(desk) || desk.doc.nodes.length === 0;
  const { positions = {}, ...addition } = pasteChange(desk.doc, fragment, {
    at: { x: Math.round(at.x), y: Math.round(at.y) },
    keepIncoming: withLinks,
    ...(loopId === null ? {} : { loopId }),
  });
  const change: FlowChange = isByHand ? { ...addition, positions: { ...pinnedPlaces(desk), ...positions } } : addition;
  const ids = addition.nodes.map(({ id }) => id);
  const label = `${what} ${ids.length === 1 ? ids[0] : `${ids.length} nodes`}`;
  const places = isByHand ? new Map(Object.entries(positions)) : new Map<string, NodePosition>();
  if (await desk.change({ do: 'all', changes: [change, ...more], label }, { places })) {
    desk.selection.select(ids, ids.at(-1) ?? null);
  }
}
