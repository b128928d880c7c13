/**
 * Executes the commands that shortcuts, menus and buttons send to the canvas.
 */

import { failureBranch } from '../stores/flow/branches.ts';
import { isStepFlow } from '../stores/flow/step-lane.ts';
import {
  type CanvasCommand,
  type CanvasEdit,
  type CanvasLook,
  type Direction,
  isForSteps,
} from '../stores/window/canvases.ts';
import { addFiles } from './edit/add-files.ts';
import { copyChosen, cutChosen, duplicateChosen, pasteClipboard } from './edit/clipboard.ts';
import { stepToMatch } from './edit/find-in-flow.ts';
import {
  align,
  layOut,
  nudge,
  removeChosen,
  toggleContinue,
  toggleDirection,
  toggleDisabled,
  toggleSuccess,
} from './edit/node-edits.ts';
import { addNote, groupChosen, toggleCollapsed, ungroupChosen } from './edit/note-edits.ts';
import { openQuickAddByKey } from './edit/open-quick-add.ts';
import { type CardMap, neighbourOf, reachableFrom } from './projection/neighbors.ts';
import { neighbourOfTrigger, triggerBefore } from './projection/trigger-boxes.ts';
import { boxOf, type CanvasEditor, edgeOf, mayEdit } from './state/canvas-editor.ts';

export interface CanvasCommandContext {
  readonly editor: CanvasEditor;
  readonly toggleMinimap: () => void;
  /** Focuses the selected node in the inspector. */
  readonly inspect: () => void;
}

/** The handler of each command. */
type CanvasCommandHandlers<Command extends CanvasCommand, Context> = {
  readonly [Do in Command['do']]: (context: Context, command: Command & { readonly do: Do }) => unknown;
};

const viewCommands: CanvasCommandHandlers<CanvasLook, CanvasCommandContext> = {
  'zoom-in': ({ editor }) => editor.camera.zoomIn(),
  'zoom-out': ({ editor }) => editor.camera.zoomOut(),
  'zoom-100': ({ editor }) => editor.camera.zoomTo100(),
  fit: ({ editor }) => editor.camera.fit(),
  'fit-selection': ({ editor }) => editor.camera.fit(editor.selection.ids),
  'toggle-minimap': ({ toggleMinimap }) => toggleMinimap(),
  'select-all': ({ editor }) => selectAll(editor),
  'select-none': ({ editor }) => editor.selection.select([], null),
  'select-way': ({ editor }, { direction }) => selectWay(editor, direction),
  'go-to-end': ({ editor }, { end }) => goToEnd(editor, end),
  inspect: openChosen,
  move: ({ editor }, { direction }) => moveSelection(editor, direction),
  copy: ({ editor }) => copyChosen(editor),
  'toggle-notes': ({ editor }) => editor.interaction.setState(({ hidesNotes }) => ({ hidesNotes: !hidesNotes })),
  'toggle-collapsed': ({ editor }) => toggleCollapsed(editor, false),
  'toggle-all-collapsed': ({ editor }) => toggleCollapsed(editor, true),
  find: ({ editor }) => editor.interaction.setState({ bar: 'find' }),
  replace: ({ editor }) => editor.interaction.setState({ bar: 'replace' }),
  'find-next': ({ editor }) => stepToMatch(editor, 1),
  'find-previous': ({ editor }) => stepToMatch(editor, -1),
  'save-picture': async ({ editor }, { format }) => (await pictures()).savePicture(editor, format),
  'copy-picture': async ({ editor }) => (await pictures()).copyPicture(editor),
};

/** Loaded on demand, because few users export pictures. */
function pictures(): Promise<typeof import('./export/export-picture.ts')> {
  return import('./export/export-picture.ts');
}

const editCommands: CanvasCommandHandlers<CanvasEdit, CanvasEditor> = {
  nudge: (editor, { direction, steps }) => nudge(editor, direction, steps),
  align: (editor, { to }) => align(editor, to),
  'ask-alignment': ({ interaction }) => interaction.setState({ bar: 'align' }),
  'lay-out': layOut,
  'toggle-direction': toggleDirection,
  'quick-add': (editor) => openQuickAddByKey(editor),
  'add-for-failure': (editor) => openQuickAddByKey(editor, failureBranch),
  'toggle-continue': toggleContinue,
  'toggle-success': toggleSuccess,
  'toggle-palette': ({ interaction }) => interaction.setState(({ hasPalette }) => ({ hasPalette: !hasPalette })),
  rename,
  'toggle-disabled': toggleDisabled,
  remove: (editor, { heal }) => removeChosen(editor, heal),
  cut: cutChosen,
  duplicate: duplicateChosen,
  paste: (editor, { withLinks }) => pasteClipboard(editor, withLinks),
  'add-files': (editor, { paths, at }) => addFiles(editor, paths, at),
  'add-note': addNote,
  'add-trigger': async (editor) => (await import('./triggers/trigger-edits.ts')).addTrigger(editor),
  group: groupChosen,
  ungroup: ungroupChosen,
};

/** Executes a command. Shows a notice if the command would change a read-only flow. */
export function runCommand(context: CanvasCommandContext, command: CanvasCommand): void {
  // The tables are typed by command, but TypeScript cannot infer which entry belongs to this command.
  const look = (
    viewCommands as Partial<Record<string, (context: CanvasCommandContext, command: CanvasCommand) => unknown>>
  )[command.do];
  const edit = (editCommands as Partial<Record<string, (editor: CanvasEditor, command: CanvasCommand) => unknown>>)[
    command.do
  ];
  if (isStepFlow(context.editor.doc) && !isForSteps(command)) return;
  if (look !== undefined) look(context, command);
  else if (edit !== undefined && mayEdit(context.editor)) edit(context.editor, command);
}

function selectAll({ path, stores, doc, edges, selection }: CanvasEditor): void {
  stores.selection.getState().choose(
    path,
    {
      nodes: doc.nodes.map(({ id }) => id),
      edges: isStepFlow(doc) ? [] : edges.map(({ id }) => id),
      notes: Object.keys(doc.layout?.notes ?? {}),
      groups: Object.keys(doc.layout?.groups ?? {}),
      triggers: (doc.flow.triggers ?? []).map(({ id }) => id),
    },
    selection.primary ?? doc.nodes[0]?.id ?? null,
  );
}

/** Selects the node at one end of the selected edge, and shows it. */
function goToEnd(editor: CanvasEditor, end: 'from' | 'to'): void {
  const [edgeId] = editor.selection.chosen.edges;
  const edge = edgeId === undefined ? undefined : edgeOf(editor, edgeId);
  if (edge === undefined) return;
  selectCard(editor, edge[end]);
}

/** Handles Enter: opens a node or an edge in the inspector, edits a note, or renames a group. */
function openChosen({ editor, inspect }: CanvasCommandContext): void {
  const { primary, chosen } = editor.selection;
  const [note] = chosen.notes;
  const [group] = chosen.groups;
  if (primary !== null || chosen.edges.size + chosen.triggers.size > 0) inspect();
  else if (note !== undefined && mayEdit(editor)) editor.interaction.setState({ editedNote: note });
  else if (group !== undefined && mayEdit(editor))
    editor.interaction.setState({ renaming: { what: 'group', id: group } });
}

function rename({ selection: { primary, chosen }, interaction }: CanvasEditor): void {
  const [group] = chosen.groups;
  if (primary !== null) interaction.setState({ renaming: { what: 'node', id: primary } });
  else if (group !== undefined) interaction.setState({ renaming: { what: 'group', id: group } });
}

function cardMap({ layout, projection }: CanvasEditor): CardMap {
  return { positions: layout.positions, edges: projection.edges };
}

function moveSelection(editor: CanvasEditor, direction: Direction): void {
  const { selection, doc } = editor;
  const { primary, chosen } = selection;
  const [trigger] = chosen.triggers;
  const beside =
    primary === null && trigger !== undefined
      ? neighbourOfTrigger(editor, doc, { id: trigger, direction })
      : primary !== null && direction === 'left'
        ? triggerBefore(editor, doc, primary)
        : undefined;
  if (beside?.part === 'triggers')
    editor.stores.selection.getState().choose(editor.path, { triggers: [beside.id] }, null);
  else if (beside !== undefined) selectCard(editor, beside.id);
  if (beside !== undefined || trigger !== undefined) return;
  const next = primary === null ? doc.nodes[0]?.id : neighbourOf(cardMap(editor), primary, direction);
  if (next !== undefined) selectCard(editor, next);
}

function selectCard(editor: CanvasEditor, id: string): void {
  editor.selection.select([id], id);
  const box = boxOf(editor, id);
  if (box !== undefined) editor.camera.reveal(box);
}

function selectWay(editor: CanvasEditor, direction: 'left' | 'right'): void {
  const { primary } = editor.selection;
  if (primary !== null) editor.selection.select(reachableFrom(cardMap(editor), primary, direction), primary);
}
