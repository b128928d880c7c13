/**
 * Copies parts of flows to the system clipboard, as YAML that can be pasted into any text editor.
 */
import {
  type FlowChange,
  type FlowDoc,
  type Fragment,
  fragmentText,
  type NodePosition,
  type PasteOptions,
  pasteChange,
  pastedTriggers,
  readFragment,
} from '../../../engine/isomorphic.ts';
import { isStepFlow, placedSteps } from '../../stores/flow/step-lane.ts';
import type { Chosen } from '../../stores/window/selection.ts';
import { withBodies } from '../projection/frames.ts';
import { type CanvasEditor, centreOf, isPlacedByHand, loopAround } from '../state/canvas-editor.ts';
import { text } from '../text.ts';
import type { NodeToAdd } from './add-change.ts';
import { pinnedPlaces } from './move-change.ts';
import { addNode, noteAdded, removeParts } from './node-edits.ts';
import { partsText } from './parts-text.ts';

/** Offset of a duplicate from the original. */
const duplicateShift = { x: 32, y: 32 };

/** Returns the document with the current positions of all cards, whether set by the user or by the layout. */
function placedDoc({ doc, layout }: Pick<CanvasEditor, 'doc' | 'layout'>): FlowDoc {
  return { ...doc, layout: { ...doc.layout, nodes: Object.fromEntries(layout.positions) } };
}

type Parts = Pick<Chosen, 'nodes' | 'notes' | 'groups' | 'triggers'>;

/** Returns the selected parts together with members of selected groups and bodies of selected loops. */
function withMembers({ doc, projection }: CanvasEditor, { nodes, notes, groups, triggers }: Parts): Parts {
  const members = [...groups].flatMap((id) => doc.layout?.groups?.[id]?.nodes ?? []);
  return { nodes: withBodies(projection.nodes, [...nodes, ...members]), notes, groups, triggers };
}

/** Resolves to whether anything was copied. */
export async function copyChosen(editor: CanvasEditor): Promise<boolean> {
  const parts = withMembers(editor, editor.selection.chosen);
  if (parts.nodes.size + parts.notes.size + parts.triggers.size === 0) return false;
  try {
    await navigator.clipboard.writeText(fragmentText(placedDoc(editor), parts));
    return true;
  } catch (error) {
    editor.stores.notices.getState().addError(text.notices.copyFailed, error);
    return false;
  }
}

export async function cutChosen(editor: CanvasEditor): Promise<void> {
  const { chosen } = editor.selection;
  if (await copyChosen(editor)) await removeParts(editor, { ...chosen, ...withMembers(editor, chosen) }, false);
}

/**
 * Pastes at the pointer, or else in the middle of the visible area. Shows a notice if the text contains nothing that the
 * flow can have.
 */
export async function pasteClipboard(editor: CanvasEditor, withLinks: boolean): Promise<void> {
  const { notices } = editor.stores;
  let copied: string;
  try {
    copied = await navigator.clipboard.readText();
  } catch (error) {
    notices.getState().addError(text.notices.clipboardFailed, error);
    return;
  }
  const at = editor.pointer === null ? centreOf(editor) : editor.toFlow(editor.pointer);
  if (takeCommand(editor, copied, { to: { do: 'nothing' }, at })) return;
  const fragment = readFragment(copied);
  if (fragment === null || (isStepFlow(editor.doc) && fragment.nodes.length === 0)) {
    const { nothingToPaste: title, nothingToPasteDetail: detail } = text.notices;
    notices.getState().add({ tone: 'info', title, detail });
    return;
  }
  await insert(editor, fragment, { to: { at: whole(at) }, isPlace: false, withLinks, what: 'paste' });
}

/** Adds a request node for a curl command. Returns false for any other text. */
export function takeCommand(editor: CanvasEditor, text: string, place: Pick<NodeToAdd, 'to' | 'at'>): boolean {
  if (isStepFlow(editor.doc)) return false;
  return editor.stores.pastedRequests
    .getState()
    .take(text, editor.doc, (input) => addNode(editor, { type: 'http.request', input, ...place }));
}

/** Puts copies of the selection beside it. */
export function duplicateChosen(editor: CanvasEditor): Promise<void> {
  return duplicate(editor, editor.selection.chosen, { by: duplicateShift, isPlace: false });
}

interface PasteShift {
  /** Offset of the copies from their originals. */
  readonly by: NodePosition;
  /** Whether the user chose the position. If not, the layout may find room for the copies. */
  readonly isPlace: boolean;
}

/** Copies cards, notes, groups and triggers. The originals stay. */
export async function duplicate(editor: CanvasEditor, chosen: Parts, { by, isPlace }: PasteShift): Promise<void> {
  const fragment = readFragment(fragmentText(placedDoc(editor), withMembers(editor, chosen)));
  if (fragment === null) return;
  await insert(editor, fragment, { to: { by: whole(by) }, isPlace, withLinks: false, what: 'duplicate' });
}

function whole({ x, y }: NodePosition): NodePosition {
  return { x: Math.round(x), y: Math.round(y) };
}

interface PasteInsertion {
  readonly to: Pick<PasteOptions, 'at' | 'by'>;
  readonly isPlace: boolean;
  readonly withLinks: boolean;
  readonly what: 'paste' | 'duplicate';
}

/** Inserts copies of steps after the selected one, without the positions and edges they had in a flow of nodes. */
async function insertSteps(editor: CanvasEditor, fragment: Fragment, what: PasteInsertion['what']): Promise<void> {
  const { nodes } = pasteChange(editor.doc, fragment);
  const last = editor.doc.nodes.findLast(({ id }) => editor.selection.ids.has(id));
  const changes = placedSteps(editor.doc, nodes, last === undefined ? undefined : { behind: last.id });
  const label = text.undo[what]({ names: namesIn({ nodes }) });
  if (nodes.length === 0 || !(await editor.change({ do: 'all', changes, label }))) return;
  const ids = nodes.map(({ id }) => id);
  noteAdded(editor, ids.at(-1));
  editor.selection.select(ids, ids.at(-1) ?? null);
}

async function insert(editor: CanvasEditor, fragment: Fragment, insertion: PasteInsertion): Promise<void> {
  const { to, isPlace, withLinks, what } = insertion;
  if (isStepFlow(editor.doc)) {
    await insertSteps(editor, fragment, what);
    return;
  }
  const loopId = what === 'duplicate' ? loopAroundAll(editor, fragment) : null;
  const isByHand = isPlace || isPlacedByHand(editor) || editor.doc.nodes.length === 0;
  const { positions = {}, ...addition } = pasteChange(editor.doc, fragment, {
    ...to,
    keepIncoming: withLinks,
    ...(loopId === null ? {} : { loopId }),
  });
  const hasPlaces = isByHand && addition.nodes.length > 0;
  const change: FlowChange = hasPlaces
    ? { ...addition, positions: { ...pinnedPlaces(editor), ...positions } }
    : addition;
  const places = hasPlaces ? new Map(Object.entries(positions)) : new Map<string, NodePosition>();
  const added = pastedTriggers(editor.doc, fragment);
  const triggers = added.map(({ id }) => id);
  const hasCards = addition.nodes.length + Object.keys(addition.notes ?? {}).length > 0;
  const changes: FlowChange[] = [
    ...(hasCards ? [change] : []),
    ...added.map((value): FlowChange => ({ do: 'set-trigger', id: value.id, path: [], value: value as never })),
  ];
  const label = text.undo[what]({ names: namesIn(addition, triggers) });
  if (changes.length === 0 || !(await editor.change({ do: 'all', changes, label }, { places }))) return;
  const nodes = addition.nodes.map(({ id }) => id);
  const [notes, groups] = [Object.keys(addition.notes ?? {}), Object.keys(addition.groups ?? {})];
  noteAdded(editor, nodes.at(-1));
  editor.stores.selection.getState().choose(editor.path, { nodes, notes, groups, triggers }, nodes.at(-1) ?? null);
}

/**
 * Returns the loop that the copies join: the one around the first copied node that is not inside another copied node.
 */
function loopAroundAll(editor: CanvasEditor, { nodes }: Fragment): string | null {
  const ids = new Set(nodes.map(({ id }) => id));
  const loops = nodes.map(({ id }) => loopAround(editor, id));
  return loops.find((loopId) => loopId === null || !ids.has(loopId)) ?? null;
}

function namesIn(
  { nodes, notes = {} }: Pick<Extract<FlowChange, { do: 'add' }>, 'nodes' | 'notes'>,
  triggers: readonly string[] = [],
): string {
  return partsText({ nodes: nodes.map(({ id }) => id), notes: Object.keys(notes).length, triggers });
}
