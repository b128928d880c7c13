/**
 * Commands for the text of the active file: undo, saving, formatting.
 */

import type { FlowChange } from '../../../engine/isomorphic.ts';
import type { OpenFile } from '../../stores/text/file.ts';
import { initialFlowView } from '../../stores/window/selection.ts';
import { switchTabKey } from '../../text-view/text-action.ts';
import { activeFile, onActiveFile } from './active-file.ts';
import type { Command, CommandContext } from './command.ts';
import { resolveConflicts } from './review-commands.ts';
import { text } from './text.ts';

/* Text typed into a search, name or unfinished note is not in the file yet, so the undo keys act on the field. In
   fields that write into the file they act on the file. */

/** Matches containers of fields that write into the file while the user types. */
const writingPlaces = '[data-undo="file"], .monaco-editor';
const typedInputs: ReadonlySet<string> = new Set(['text', 'search', 'number', 'password', 'url', 'email', 'tel']);

/** Whether the focus is in a field that does not write into the file. */
function isInOwnField(): boolean {
  const field = document.activeElement;
  const isField =
    field instanceof HTMLTextAreaElement || (field instanceof HTMLInputElement && typedInputs.has(field.type));
  return isField && field.closest(writingPlaces) === null;
}

/** Undoes or redoes typing in the focused field. Returns whether there is such a field. */
function undoInField(what: 'undo' | 'redo'): boolean {
  if (!isInOwnField()) return false;
  // Only the browser knows the undo history of its fields, and this is the only way to access it.
  document.execCommand(what);
  return true;
}

function takeBack(what: 'undo' | 'redo'): Command['run'] {
  // Text just typed into a form is applied first.
  return onActiveFile(({ stores }, path) => void stores.edits.whenChanged(path).then(() => stores.edits[what](path)));
}

function hasUnsaved({ stores }: CommandContext): boolean {
  return [...stores.openFiles.getState().files.values()].some(({ isDirty }) => isDirty);
}

/** Saves the file. If another program also changed it, shows both texts instead. */
function saveOrAsk(context: CommandContext, path: string): void {
  const { stores } = context;
  const { conflict = null, openConflicts = 0 } = stores.openFiles.getState().files.get(path) ?? {};
  if (conflict === null || openConflicts > 0) void stores.edits.save(path);
  else if (conflict.diskText !== null) void resolveConflicts(context, path);
  else
    stores.notices.getState().add({
      tone: 'info',
      title: text.files.wasDeleted({ path }),
      detail: text.files.wasDeletedHelp,
    });
}

export const editCommands = [
  {
    id: 'edit.undo',
    title: text.edit.undo,
    group: text.groups.edit,
    shortcut: 'Mod+Z',
    holdsKeys: true,
    repeats: true,
    runInField: () => undoInField('undo'),
    isAvailable: (context) => activeFile(context)?.undoLabel != null,
    run: takeBack('undo'),
  },
  {
    id: 'edit.redo',
    title: text.edit.redo,
    group: text.groups.edit,
    shortcut: 'Mod+Shift+Z',
    holdsKeys: true,
    repeats: true,
    runInField: () => undoInField('redo'),
    isAvailable: (context) => activeFile(context)?.redoLabel != null,
    run: takeBack('redo'),
  },
  {
    id: 'file.save',
    title: text.files.save,
    group: text.groups.files,
    shortcut: 'Mod+S',
    isAvailable: (context) => activeFile(context)?.status === 'ready',
    run: onActiveFile(saveOrAsk),
  },
  {
    id: 'file.saveAll',
    title: text.files.saveAll,
    group: text.groups.files,
    shortcut: 'Mod+Alt+S',
    isAvailable: hasUnsaved,
    run: ({ stores }) => void stores.edits.saveAll(),
  },
  {
    id: 'file.revert',
    title: text.files.revert,
    group: text.groups.files,
    isAvailable: (context) => activeFile(context)?.isDirty === true,
    run: onActiveFile(({ stores }, path) => stores.edits.revert(path)),
  },
  {
    id: 'file.history',
    title: text.files.history,
    group: text.groups.files,
    isAvailable: (context) => activeFile(context)?.status === 'ready',
    run: ({ dialogs }) => dialogs.getState().show('history'),
  },
] as const satisfies readonly Command[];

function hasCanvas({ kind }: Pick<OpenFile, 'kind'>): boolean {
  return kind === 'flow' || kind === 'dialogue';
}

function showsText({ stores }: CommandContext, path: string): boolean {
  const { mode } = stores.selection.getState().views.get(path) ?? initialFlowView;
  return mode === 'split' || mode === 'text';
}

type Format = Extract<FlowChange, { do: 'format' }>;

/** @param part returns what to format in a flow; undefined if there is nothing */
function formatCommand(part: (context: CommandContext, path: string) => Format | undefined) {
  const wish = (context: CommandContext): { path: string; change: Format } | undefined => {
    const file = activeFile(context);
    if (file?.kind !== 'flow' || file.status !== 'ready' || file.readOnlyReason !== null) return undefined;
    const change = part(context, file.path);
    return change && { path: file.path, change };
  };
  return {
    isAvailable: (context: CommandContext) => wish(context) !== undefined,
    run(context: CommandContext) {
      const found = wish(context);
      if (found !== undefined) void context.stores.edits.change(found.path, found.change);
    },
  };
}

/** Returns the selected lines while the text is visible. */
function markedLines(context: CommandContext, path: string): Format | undefined {
  const lines = context.stores.cursors.getState().marked.get(path);
  return lines !== undefined && showsText(context, path) ? { do: 'format', lines } : undefined;
}

function onlyNode({ stores }: CommandContext, path: string): Format | undefined {
  const { nodeId, chosen } = stores.selection.getState().views.get(path) ?? initialFlowView;
  return nodeId !== null && chosen.nodes.size <= 1 ? { do: 'format', node: nodeId } : undefined;
}

export const textCommands = [
  {
    id: 'text.tabKey',
    title: text.edit.tabKey,
    group: text.groups.edit,
    shortcut: 'Ctrl+M',
    isAvailable(context) {
      const file = activeFile(context);
      return file !== undefined && (!hasCanvas(file) || showsText(context, file.path));
    },
    run: () => void switchTabKey(),
  },
  {
    id: 'format.file',
    title: text.edit.formatFile,
    group: text.groups.edit,
    shortcut: 'Shift+Alt+F',
    ...formatCommand(() => ({ do: 'format' })),
  },
  { id: 'format.selection', title: text.edit.formatSelection, group: text.groups.edit, ...formatCommand(markedLines) },
  { id: 'format.node', title: text.edit.formatNode, group: text.groups.edit, ...formatCommand(onlyNode) },
] as const satisfies readonly Command[];
