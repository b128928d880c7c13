/**
 * Commands about the text of the active file: undo, saving, formatting.
 */

import type { FlowChange } from '../../../engine/isomorphic.ts';
import type { OpenFile } from '../../stores/text/file.ts';
import { initialFlowView } from '../../stores/window/selection.ts';
import { switchTabKey } from '../../text-view/text-action.ts';
import { activeFile, onActiveFile } from './active-file.ts';
import type { Command, CommandContext } from './command.ts';

/*
 * What is typed into a search, a name or a note that is being written is not in the file yet, so the keys of undo go by
 * the field there; fields that write into the file go by the undo of the file.
 */

/** Set on what holds fields that write into the file while they are typed into. */
const writingPlaces = '[data-undo="file"], .monaco-editor';
const typedInputs: ReadonlySet<string> = new Set(['text', 'search', 'number', 'password', 'url', 'email', 'tel']);

/** Whether the keyboard is in a field whose text is its own. */
function isInOwnField(): boolean {
  const field = document.activeElement;
  const isField =
    field instanceof HTMLTextAreaElement || (field instanceof HTMLInputElement && typedInputs.has(field.type));
  return isField && field.closest(writingPlaces) === null;
}

/** Takes back, or does again, what was typed into the field that has the keyboard. Returns whether there is such a field. */
function undoInField(what: 'undo' | 'redo'): boolean {
  if (!isInOwnField()) return false;
  // Only the browser knows the history of its fields, and has no other way to ask for it.
  document.execCommand(what);
  return true;
}

function takeBack(what: 'undo' | 'redo'): Command['run'] {
  // What was just typed into a form comes first.
  return onActiveFile(({ stores }, path) => void stores.edits.whenChanged(path).then(() => stores.edits[what](path)));
}

function hasUnsaved({ stores }: CommandContext): boolean {
  return [...stores.openFiles.getState().files.values()].some(({ isDirty }) => isDirty);
}

/** A file that another program changed as well is not written over: its two texts are put side by side. */
function saveOrAsk({ stores, dialogs }: CommandContext, path: string): void {
  const conflict = stores.openFiles.getState().files.get(path)?.conflict ?? null;
  if (conflict === null) void stores.edits.save(path);
  else if (conflict.diskText !== null) dialogs.getState().show('conflict');
  else
    stores.notices.getState().add({
      tone: 'info',
      title: `${path} was deleted by another program`,
      detail: 'Choose in the line above the text whether to write it again or to close it.',
    });
}

export const editCommands = [
  {
    id: 'edit.undo',
    title: 'Undo',
    group: 'Edit',
    shortcut: 'Mod+Z',
    holdsKeys: true,
    repeats: true,
    runInField: () => undoInField('undo'),
    isAvailable: (context) => activeFile(context)?.undoLabel != null,
    run: takeBack('undo'),
  },
  {
    id: 'edit.redo',
    title: 'Redo',
    group: 'Edit',
    shortcut: 'Mod+Shift+Z',
    holdsKeys: true,
    repeats: true,
    runInField: () => undoInField('redo'),
    isAvailable: (context) => activeFile(context)?.redoLabel != null,
    run: takeBack('redo'),
  },
  {
    id: 'file.save',
    title: 'Save',
    group: 'Files',
    shortcut: 'Mod+S',
    isAvailable: (context) => activeFile(context)?.status === 'ready',
    run: onActiveFile(saveOrAsk),
  },
  {
    id: 'file.saveAll',
    title: 'Save all',
    group: 'Files',
    shortcut: 'Mod+Alt+S',
    isAvailable: hasUnsaved,
    run: ({ stores }) => void stores.edits.saveAll(),
  },
  {
    id: 'file.revert',
    title: 'Discard changes',
    group: 'Files',
    isAvailable: (context) => activeFile(context)?.isDirty === true,
    run: onActiveFile(({ stores }, path) => stores.edits.revert(path)),
  },
  {
    id: 'file.history',
    title: 'Local history…',
    group: 'Files',
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

/** @param part what is to be formatted of a flow; undefined = there is no such thing */
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

/** The lines that are marked in the text, as long as that is on screen. */
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
    title: 'Toggle Tab key moves focus',
    group: 'Edit',
    shortcut: 'Ctrl+M',
    isAvailable(context) {
      const file = activeFile(context);
      return file !== undefined && (!hasCanvas(file) || showsText(context, file.path));
    },
    run: () => void switchTabKey(),
  },
  {
    id: 'format.file',
    title: 'Format file',
    group: 'Edit',
    shortcut: 'Shift+Alt+F',
    ...formatCommand(() => ({ do: 'format' })),
  },
  { id: 'format.selection', title: 'Format selection', group: 'Edit', ...formatCommand(markedLines) },
  { id: 'format.node', title: 'Format node', group: 'Edit', ...formatCommand(onlyNode) },
] as const satisfies readonly Command[];
