/**
 * Commands about the text of the file in front: taking back, and saving.
 */

import { activeFlow } from './active-flow.ts';
import type { Command, CommandContext } from './command.ts';
import { isInOwnField, undoInField } from './field-undo.ts';

function change(run: (context: CommandContext, path: string) => void): Command['run'] {
  return (context) => {
    const path = activeFlow(context)?.path;
    if (path !== undefined) run(context, path);
  };
}

function takeBack(what: 'undo' | 'redo'): Command['run'] {
  // What was typed into a form a moment ago comes first.
  const inFile = change(({ stores }, path) => void stores.edits.whenChanged(path).then(() => stores.edits[what](path)));
  return (context) => (isInOwnField() ? undoInField(what) : inFile(context));
}

function hasUnsaved({ stores }: CommandContext): boolean {
  return [...stores.openFiles.getState().files.values()].some(({ isDirty }) => isDirty);
}

export const editCommands = [
  {
    id: 'edit.undo',
    title: 'Undo',
    group: 'Edit',
    shortcut: 'Mod+Z',
    holdsKeys: true,
    repeats: true,
    isAvailable: (context) => isInOwnField() || activeFlow(context)?.undoLabel != null,
    run: takeBack('undo'),
  },
  {
    id: 'edit.redo',
    title: 'Redo',
    group: 'Edit',
    shortcut: 'Mod+Shift+Z',
    holdsKeys: true,
    repeats: true,
    isAvailable: (context) => isInOwnField() || activeFlow(context)?.redoLabel != null,
    run: takeBack('redo'),
  },
  {
    id: 'file.save',
    title: 'Save',
    group: 'Files',
    shortcut: 'Mod+S',
    isAvailable: (context) => activeFlow(context)?.status === 'ready',
    run: change(({ stores }, path) => void stores.edits.save(path)),
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
    title: 'Go back to the saved text',
    group: 'Files',
    isAvailable: (context) => activeFlow(context)?.isDirty === true,
    run: change(({ stores }, path) => stores.edits.revert(path)),
  },
  {
    id: 'file.history',
    title: 'Older texts of this file…',
    group: 'Files',
    isAvailable: (context) => activeFlow(context)?.status === 'ready',
    run: ({ dialogs }) => dialogs.getState().show('history'),
  },
] as const satisfies readonly Command[];
