/**
 * Carries out what keys, menus and buttons ask of the canvas.
 */
import type { CanvasCommand, CanvasEdit, CanvasLook, Direction } from '../stores/window/canvases.ts';
import { copyChosen, cutChosen, duplicateChosen, pasteClipboard } from './edit/clipboard.ts';
import { stepToMatch } from './edit/find-in-flow.ts';
import { align, layOut, nudge, removeChosen, toggleDirection, toggleDisabled } from './edit/node-edits.ts';
import { addNote, groupChosen, toggleCollapsed, ungroupChosen } from './edit/note-edits.ts';
import { openQuickAddByKey } from './edit/open-quick-add.ts';
import { mayEdit, type CanvasEditor } from './state/canvas-editor.ts';
import { type CardMap, neighbourOf, reachableFrom } from './projection/neighbours.ts';


export interface CommandParts {
  readonly desk: CanvasEditor;
  readonly toggleMinimap: () => void;
  /** Shows the selected node in the inspector and puts the focus there. */
  readonly inspect: () => void;
}

/** For each command, what it does. */
type Handlers<Command extends CanvasCommand, Parts> = {
  readonly [Do in Command['do']]: (parts: Parts, command: Command & { readonly do: Do }) => unknown;
};

const looks: Handlers<CanvasLook, CommandParts> = {
  'zoom-in': ({ desk }) => desk.camera.zoomIn(),
  'zoom-out': ({ desk }) => desk.camera.zoomOut(),
  'zoom-100': ({ desk }) => desk.camera.zoomTo100(),
  fit: ({ desk }) => desk.camera.fit(),
  'fit-selection': ({ desk }) => desk.camera.fit(desk.selection.ids),
  'toggle-minimap': ({ toggleMinimap }) => toggleMinimap(),
  'select-all': ({ desk }) => selectAll(desk),
  'select-none': ({ desk }) => desk.selection.select([], null),
  'select-way': ({ desk }, { direction }) => selectWay(desk, direction),
  inspect: openChosen,
  move: ({ desk }, { direction }) => moveSelection(desk, direction),
  copy: ({ desk }) => copyChosen(desk),
  'toggle-notes': ({ desk }) => desk.moment.setState(({ hidesNotes }) => ({ hidesNotes: !hidesNotes })),
  'toggle-collapsed': ({ desk }) => toggleCollapsed(desk, false),
  'toggle-all-collapsed': ({ desk }) => toggleCollapsed(desk, true),
  find: ({ desk }) => desk.moment.setState({ bar: 'find' }),
  replace: ({ desk }) => desk.moment.setState({ bar: 'replace' }),
  'find-next': ({ desk }) => stepToMatch(desk, 1),
  'find-previous': ({ desk }) => stepToMatch(desk, -1),
  'save-picture': async ({ desk }, { format }) => (await pictures()).savePicture(desk, format),
  'copy-picture': async ({ desk }) => (await pictures()).copyPicture(desk),
};

/** Few people ever take one, so what draws it is loaded then. */
function pictures(): Promise<typeof import('./export/export-picture.ts')> {
  return import('./export/export-picture.ts');
}

const edits: Handlers<CanvasEdit, CanvasEditor> = {
  nudge: (desk, { direction, steps }) => nudge(desk, direction, steps),
  align: (desk, { to }) => align(desk, to),
  'ask-alignment': ({ moment }) => moment.setState({ bar: 'align' }),
  'lay-out': layOut,
  'toggle-direction': toggleDirection,
  'quick-add': openQuickAddByKey,
  'toggle-palette': ({ moment }) => moment.setState(({ hasPalette }) => ({ hasPalette: !hasPalette })),
  rename,
  'toggle-disabled': toggleDisabled,
  remove: (desk, { heal }) => removeChosen(desk, heal),
  cut: cutChosen,
  duplicate: duplicateChosen,
  paste: (desk, { withLinks }) => pasteClipboard(desk, withLinks),
  'add-note': addNote,
  group: groupChosen,
  ungroup: ungroupChosen,
};

/** Does it. What would change a flow that cannot be changed says so instead. */
export function runCommand(parts: CommandParts, command: CanvasCommand): void {
  // The tables are typed by command; which entry belongs to this one only its name says.
  const look = (looks as Partial<Record<string, (parts: CommandParts, command: CanvasCommand) => unknown>>)[command.do];
  const edit = (edits as Partial<Record<string, (desk: CanvasEditor, command: CanvasCommand) => unknown>>)[command.do];
  if (look !== undefined) look(parts, command);
  else if (edit !== undefined && mayEdit(parts.desk)) edit(parts.desk, command);
}

function selectAll({ path, stores, doc, edges, selection }: CanvasEditor): void {
  stores.selection.getState().choose(
    path,
    {
      nodes: doc.nodes.map(({ id }) => id),
      edges: edges.map(({ id }) => id),
      notes: Object.keys(doc.layout?.notes ?? {}),
      groups: Object.keys(doc.layout?.groups ?? {}),
    },
    selection.primary ?? doc.nodes[0]?.id ?? null,
  );
}

/** Enter opens what is selected: a node in the inspector, a note to write on it, a group to name it. */
function openChosen({ desk, inspect }: CommandParts): void {
  const { primary, chosen } = desk.selection;
  const [note] = chosen.notes;
  const [group] = chosen.groups;
  if (primary !== null) inspect();
  else if (note !== undefined && mayEdit(desk)) desk.moment.setState({ editedNote: note });
  else if (group !== undefined && mayEdit(desk)) desk.moment.setState({ renaming: { what: 'group', id: group } });
}

function rename({ selection: { primary, chosen }, moment }: CanvasEditor): void {
  const [group] = chosen.groups;
  if (primary !== null) moment.setState({ renaming: { what: 'node', id: primary } });
  else if (group !== undefined) moment.setState({ renaming: { what: 'group', id: group } });
}

function cardMap({ layout, projection }: CanvasEditor): CardMap {
  return { positions: layout.positions, edges: projection.edges };
}

function moveSelection(desk: CanvasEditor, direction: Direction): void {
  const { selection, doc } = desk;
  const { primary } = selection;
  const next = primary === null ? doc.nodes[0]?.id : neighbourOf(cardMap(desk), primary, direction);
  if (next !== undefined) selection.select([next], next);
}

function selectWay(desk: CanvasEditor, direction: 'left' | 'right'): void {
  const { primary } = desk.selection;
  if (primary !== null) desk.selection.select(reachableFrom(cardMap(desk), primary, direction), primary);
}
