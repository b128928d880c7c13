/**
 * Commands that make new things in the workspace, and those about the file in front itself.
 */
import { folderOf, isWorkspaceFile } from '../../stores/text/paths.ts';
import { activeFile } from './active-file.ts';
import type { Command, CommandContext } from './command.ts';
import type { NewThing } from './dialogs.ts';
import { openPath } from './open-file.ts';

/**
 * Closing files without losing what was not saved.
 */

/** Closes a tab; one with unsaved edits asks first. */
export function closeFile({ stores, dialogs }: CommandContext, path: string): void {
  const { files, close } = stores.openFiles.getState();
  if (files.get(path)?.isDirty) dialogs.getState().askClose(path);
  else close(path);
}

/** New things go beside the file in front. An agent of a pack lies elsewhere. */
function folderInFront(context: CommandContext): string {
  const path = activeFile(context)?.path ?? '';
  return /^[\\/]|^[a-z]:|@|^\.aipack\//i.test(path) ? '' : folderOf(path);
}

function newCommand<Id extends string>(id: Id, title: string, thing: Omit<NewThing, 'folder'>) {
  return {
    id,
    title,
    group: 'Files',
    isAvailable: ({ stores }: CommandContext) => stores.workspace.getState().folder !== null,
    run: (context: CommandContext) => context.dialogs.getState().askNew({ ...thing, folder: folderInFront(context) }),
  } as const;
}

/** A file of the workspace that is on the disk. */
function hasOwnFile(context: CommandContext): boolean {
  const file = activeFile(context);
  return file !== undefined && isWorkspaceFile(file) && !file.isMissing;
}

async function duplicate({ stores }: CommandContext, path: string): Promise<void> {
  const copy = await stores.files.duplicate(path);
  if (copy !== null) await openPath(stores, copy);
}

const emptyFlow = { kind: 'flow', beginning: 'empty' } as const;

export const fileCommands = [
  { ...newCommand('file.new', 'New…', emptyFlow), shortcut: 'Mod+N' },
  newCommand('file.newFlow', 'New flow…', emptyFlow),
  newCommand('file.newFromExample', 'New flow from an example…', { kind: 'flow', beginning: 'example' }),
  newCommand('file.newAgent', 'New agent…', { kind: 'agent', beginning: 'empty' }),
  newCommand('file.newPack', 'New pack…', { kind: 'pack', beginning: 'empty' }),
  {
    id: 'file.rename',
    title: 'Rename or move this file…',
    group: 'Files',
    isAvailable: hasOwnFile,
    run: ({ dialogs }) => dialogs.getState().show('rename-file'),
  },
  {
    id: 'file.duplicate',
    title: 'Duplicate this file',
    group: 'Files',
    isAvailable: hasOwnFile,
    run(context) {
      const path = activeFile(context)?.path;
      if (path !== undefined) void duplicate(context, path);
    },
  },
  {
    id: 'file.trash',
    title: 'Move this file to the trash…',
    group: 'Files',
    isAvailable: hasOwnFile,
    run: ({ dialogs }) => dialogs.getState().show('trash-file'),
  },
] as const satisfies readonly Command[];
