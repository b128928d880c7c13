/**
 * Edits of nodes and edges on a canvas.
 */
import { conditionTestsFailure, type EdgeDoc, type FlowChange, type NodePosition } from '../../../engine/isomorphic.ts';
import type { FlowDirection } from '../../card/card-ports.ts';
import {
  branchOf,
  continuingChange,
  edgesFrom,
  noPlainEdge,
  successChange,
  withContinueOnError,
} from '../../stores/flow/branches.ts';
import { newEdge } from '../../stores/flow/new-edge.ts';
import { disablingChange } from '../../stores/flow/new-node.ts';
import { noteRecentType } from '../../stores/flow/node-types.ts';
import { isStepFlow, moveBy, newStep } from '../../stores/flow/step-lane.ts';
import type { Alignment, Direction } from '../../stores/window/canvases.ts';
import type { Chosen } from '../../stores/window/selection.ts';
import { arrange } from '../geometry/arrange.ts';
import { gridStep } from '../geometry/rect.ts';
import type { WireEnd } from '../geometry/wire-target.ts';
import { layoutFlow } from '../layout/layout-flow.ts';
import { cardRect, outerRect, withBodies } from '../projection/frames.ts';

import { isSameData } from '../projection/plain-data.ts';
import { type CanvasEditor, edgeOf, loopAround } from '../state/canvas-editor.ts';
import { noteKey } from '../state/canvas-elements.ts';
import type { AddTo, WireStart } from '../state/interaction.ts';
import { text } from '../text.ts';
import { type AddedNode, addChange, type NodeToAdd } from './add-change.ts';
import { moveChange, movingKeys } from './move-change.ts';
import { allOf } from './parts-text.ts';

/**
 * Adds a node, selects it and shows it in the inspector. Resolves to whether it was added.
 * @param isShown whether to move the view if the new card would be outside it
 */
export function addNode(editor: CanvasEditor, wanted: NodeToAdd, isShown = false): Promise<boolean> {
  return addNodes(editor, [wanted], isShown);
}

/** Called before a new node is selected, to set whether the view follows it. */
export function noteAdded({ interaction }: CanvasEditor, id: string | undefined, isShown = false): void {
  interaction.setState({ added: id === undefined ? null : { id, isShown } });
}

/**
 * Adds nodes as a single undo step and selects them. The inspector shows the first. Resolves to whether they were
 * added.
 */
export async function addNodes(editor: CanvasEditor, wanted: readonly NodeToAdd[], isShown = false): Promise<boolean> {
  const { path, stores, selection } = editor;
  const former = selection.now();
  // The initial input of a node depends on its neighbors, including edits that were made a moment ago in the inspector.
  await stores.edits.whenChanged(path);
  const desk = { ...editor, doc: stores.openFiles.getState().files.get(path)?.doc ?? editor.doc };
  const added: AddedNode[] = [];
  for (const one of wanted) {
    const next = isStepFlow(desk.doc) ? addStep(desk, one, added) : addChange(desk, one, added);
    if (next === null) continue;
    noteRecentType(one.type);
    added.push(next);
  }
  const [first] = added;
  if (first === undefined) return false;
  const changes = added.flatMap((one) => one.changes);
  const label = added.length === 1 ? first.label : text.undo.addNodes({ count: added.length });
  const places = new Map(added.flatMap((one) => [...one.places]));
  if (!(await editor.change({ do: 'all', changes, label }, { places }))) return false;
  // Keeps a selection that the user made in the meantime.
  if (selection.now() === former) {
    noteAdded(editor, first.node.id, isShown);
    selection.select(
      added.map(({ node }) => node.id),
      first.node.id,
    );
  }
  stores.panes.getState().setOpen('inspector', true);
  return true;
}

/** Returns what a node added by keyboard is connected to: the selected node or edge. */
export function addToSelection({ selection, projection }: CanvasEditor): AddTo {
  const { primary, chosen } = selection;
  const loop = projection.nodes.find(({ id }) => id === primary);
  if (primary !== null) return { do: loop?.content.bodySize === 0 ? 'inside' : 'behind', nodeId: primary };
  const [edgeId] = chosen.edges;
  return edgeId === undefined ? { do: 'nothing' } : { do: 'into', edgeId };
}

/**
 * Adds the edge that a wire makes, or replaces the edge that the wire is an end of. A wire from the failure port of a
 * node lets the flow continue when the node fails.
 */
export function connectWire(editor: CanvasEditor, start: WireStart, edge: EdgeDoc): Promise<boolean> {
  const { from, to, when } = edge;
  const { doc } = editor;
  if (start.edgeId === null) {
    const label = text.undo.connectFailure({ source: from, target: to });
    return editor.change(withContinueOnError(doc, [edge], { do: 'connect', edges: [edge] }, label));
  }
  if (start.port === 'source') return editor.change({ do: 'set-edge', edge: start.edgeId, change: { to } });
  const before = edgeOf(editor, start.edgeId);
  const condition = isSameData(before?.when, when) ? {} : { when: when ?? null };
  const change = { do: 'set-edge', edge: start.edgeId, change: { from, ...condition } } as const;
  return editor.change(withContinueOnError(doc, [edge], change, text.undo.changeEdge));
}

/**
 * Returns the edge that a wire would make. If its start moves to another branch, the edge gets the condition of that
 * branch; any other condition is kept.
 */
export function edgeOfWire(editor: Pick<CanvasEditor, 'doc'>, start: WireStart, target: WireEnd): EdgeDoc {
  const { nodeId, port, edgeId } = start;
  const [from, to] = port === 'source' ? [nodeId, target.id] : [target.id, nodeId];
  const before = edgeId === null ? undefined : edgeOf(editor, edgeId);
  if (before === undefined)
    return newEdge(editor.doc, { nodeId: from, route: port === 'source' ? start.route : target.route }, to);
  if (port === 'source') return { ...before, to };
  const { when, ...rest } = before;
  // A condition on the failure of the previous source does not apply to an edge from another node.
  const isBranch = branchOf(before.from, when) !== null || conditionTestsFailure(before.from, when) !== null;
  const isKept = target.route === null && (from === before.from || !isBranch);
  const next = isKept ? when : newEdge(editor.doc, { nodeId: from, route: target.route }, to).when;
  return { ...rest, from, to, ...(next === undefined ? {} : { when: next }) };
}

/** Deletes the selection. `heal` connects the nodes before deleted nodes to those after them. */
export function removeChosen(editor: CanvasEditor, heal: boolean): Promise<void> {
  return removeParts(editor, editor.selection.chosen, heal);
}

/** Deletes parts of the flow and clears the selection. */
export async function removeParts(editor: CanvasEditor, chosen: Chosen, heal: boolean): Promise<void> {
  const { nodes, edges, notes, groups, triggers } = chosen;
  const changes: FlowChange[] = [
    ...(nodes.size + edges.size === 0 ? [] : [{ do: 'remove', nodes: [...nodes], edges: [...edges], heal } as const]),
    ...[...notes].map((id): FlowChange => ({ do: 'set-layout', path: ['notes', id], value: undefined })),
    ...[...groups].map((id): FlowChange => ({ do: 'set-layout', path: ['groups', id], value: undefined })),
    ...[...triggers].map((id): FlowChange => ({ do: 'set-trigger', id, path: [], value: undefined })),
  ];
  if (changes.length === 0) return;
  const [only] = changes;
  const isOne = changes.length === 1 && only?.do === 'remove';
  const label = text.undo.delete({ names: namesOf(chosen) });
  if (await editor.change(isOne ? only : { do: 'all', changes, label })) editor.selection.select([], null);
}

/** Describes the parts for the undo menu. */
function namesOf(chosen: Chosen): string {
  const kinds = ['nodes', 'edges', 'notes', 'groups', 'triggers'] as const;
  return allOf(
    kinds.filter((kind) => chosen[kind].size > 0).map((kind) => text.parts[kind]({ count: chosen[kind].size })),
  );
}

/** Disables the selected nodes, or enables them if all are disabled. */
export function toggleDisabled(editor: CanvasEditor): Promise<boolean> {
  return editor.change(disablingChange(editor.doc, editor.selection.ids));
}

/** Toggles whether the flow continues when the selected nodes fail. */
export function toggleContinue(editor: CanvasEditor): Promise<boolean> {
  return editor.change(continuingChange(editor.doc, editor.selection.ids));
}

/** Toggles whether the selected edges, or those leaving the selected nodes, are taken only on success. */
export async function toggleSuccess({ doc, selection, stores, change }: CanvasEditor): Promise<void> {
  const { edges, nodes } = selection.chosen;
  const made = successChange(doc, edges.size > 0 ? edges : edgesFrom(doc, nodes));
  if (made !== null) await change(made);
  else stores.notices.getState().add({ tone: 'info', title: text.notices.noEdgeChanged, detail: noPlainEdge });
}

/** Moves cards and notes to new positions, by their IDs on the canvas. */
export function moveTo(
  editor: CanvasEditor,
  places: ReadonlyMap<string, NodePosition>,
  mergeKey?: string,
): Promise<boolean> {
  if (places.size === 0) return Promise.resolve(true);
  return editor.change(moveChange(editor, places), { places, ...(mergeKey === undefined ? {} : { mergeKey }) });
}

/** Adds a step at the position of its edge or card, or else at the end. */
function addStep(
  { doc }: Pick<CanvasEditor, 'doc'>,
  { type, to }: NodeToAdd,
  before: readonly AddedNode[],
): AddedNode | null {
  const edge = to.do === 'into' ? edgeOf({ doc }, to.edgeId) : undefined;
  const behind = to.do === 'behind' ? to.nodeId : edge?.from;
  const place = to.do === 'before' ? 'first' : behind === undefined ? undefined : { behind };
  const made = newStep(doc, type, { place, others: before.map(({ node }) => node) });
  return made === null ? null : { ...made, places: new Map() };
}

const steps: Readonly<Record<Direction, NodePosition>> = {
  left: { x: -gridStep, y: 0 },
  right: { x: gridStep, y: 0 },
  up: { x: 0, y: -gridStep },
  down: { x: 0, y: gridStep },
};

/** Moves the selection by a number of grid steps. */
export async function nudge(editor: CanvasEditor, direction: Direction, count: number): Promise<boolean> {
  if (isStepFlow(editor.doc)) return await moveInLane(editor, direction, count);
  const { x, y } = steps[direction];
  const places = placesOf(editor, movingKeys(editor, editor.selection.chosen));
  const moved = [...places].map(([key, at]): [string, NodePosition] => [
    key,
    { x: at.x + x * count, y: at.y + y * count },
  ]);
  return await moveTo(editor, new Map(moved), 'nudge');
}

/** Moves steps along their lane, past one other step per grid step. */
async function moveInLane(editor: CanvasEditor, direction: Direction, count: number): Promise<boolean> {
  const { stores, path, selection } = editor;
  const { nodes } = selection.now();
  // Key repeat is faster than the updates of the file.
  await stores.edits.whenChanged(path);
  const doc = stores.openFiles.getState().files.get(path)?.doc ?? editor.doc;
  const by = direction === 'left' || direction === 'up' ? -count : count;
  const change = moveBy(doc, nodes, by);
  return change === null ? true : await editor.change(change);
}

/** Returns the current positions of cards and notes, by their IDs on the canvas. */
function placesOf(
  { layout, doc }: Pick<CanvasEditor, 'layout' | 'doc'>,
  keys: Iterable<string>,
): Map<string, NodePosition> {
  const notes = new Map(Object.entries(doc.layout?.notes ?? {}).map(([id, { x, y }]) => [noteKey(id), { x, y }]));
  return new Map(
    [...keys].flatMap((key): [string, NodePosition][] => {
      const place = layout.positions.get(key) ?? notes.get(key);
      return place === undefined ? [] : [[key, place]];
    }),
  );
}

/** Returns the loops around a card, innermost first. */
function loopsOf(editor: CanvasEditor, id: string): string[] {
  const loops: string[] = [];
  for (let loop = loopAround(editor, id); loop !== null; loop = loopAround(editor, loop)) loops.push(loop);
  return loops;
}

/** Aligns the selected cards. A loop is aligned as a whole container with its contents. */
export function align(editor: CanvasEditor, to: Alignment): Promise<boolean> {
  const { projection, layout, selection } = editor;
  const { nodes } = projection;
  const loops = [...selection.ids].filter((id) => layout.frames.has(id));
  const inside = new Set(loops.flatMap((id) => [...withBodies(nodes, [id])].filter((other) => other !== id)));
  const boxes = nodes
    .filter(({ id }) => selection.ids.has(id) && !inside.has(id))
    .map((node) => ({ id: node.id, ...outerRect(node, layout) }));
  const around = new Set([...selection.ids].flatMap((id) => loopsOf(editor, id)));
  const others = nodes
    .filter(({ id }) => !selection.ids.has(id) && !inside.has(id))
    .map((node) => (around.has(node.id) ? cardRect(node, layout) : outerRect(node, layout)));
  const places = new Map(arrange(boxes, to, others));
  for (const id of loops) {
    const [from, at] = [layout.positions.get(id), places.get(id)];
    if (from === undefined || at === undefined) continue;
    for (const [key, { x, y }] of placesOf(editor, withBodies(nodes, [id]))) {
      places.set(key, { x: x + at.x - from.x, y: y + at.y - from.y });
    }
  }
  return moveTo(editor, places);
}

/** Lays out the selected cards if there are several. Otherwise resets the whole flow to the automatic layout. */
export async function layOut(editor: CanvasEditor): Promise<void> {
  const { projection, layout, selection } = editor;
  if (selection.ids.size < 2) {
    const placed = projection.nodes.filter(({ position }) => position !== null).map(({ id }) => id);
    if (placed.length === 0) return;
    const positions = Object.fromEntries(placed.map((id) => [id, null]));
    await editor.change({ do: 'all', changes: [{ do: 'move', positions }], label: text.undo.layOut });
    editor.camera.fit();
    return;
  }
  const { direction } = projection;
  const positions = await layoutFlow({ projection, direction, positions: layout.positions, only: selection.ids });
  await moveTo(editor, positions);
}

/**
 * Toggles the flow between top-down and left-to-right. Manual positions are removed, because they were made for the
 * other direction.
 */
export async function toggleDirection(editor: CanvasEditor): Promise<void> {
  const { projection } = editor;
  const next: FlowDirection = projection.direction === 'right' ? 'down' : 'right';
  const placed = projection.nodes.filter(({ position }) => position !== null).map(({ id }) => [id, null] as const);
  const changes: FlowChange[] = [
    { do: 'set-layout', path: ['direction'], value: next === 'down' ? 'down' : undefined },
    ...(placed.length === 0 ? [] : [{ do: 'move', positions: Object.fromEntries(placed) } as const]),
  ];
  const label = next === 'down' ? text.undo.layOutDown : text.undo.layOutRight;
  if (await editor.change({ do: 'all', changes, label })) editor.camera.fit();
}
