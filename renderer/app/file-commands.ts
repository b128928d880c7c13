/**
 * Commands that make new things in the workspace.
 */
import { folderOf } from '../stores/moved-path.ts';
import type { Command, CommandContext } from './command.ts';
import type { NewThing } from './dialogs.ts';
import { activeFlow } from './in-front.ts';

/** New things go beside the file in front. An agent of a pack lies elsewhere. */
function folderInFront(context: CommandContext): string {
  const path = activeFlow(context)?.path ?? '';
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

const emptyFlow = { kind: 'flow', beginning: 'empty' } as const;

export const fileCommands = [
  { ...newCommand('file.new', 'New…', emptyFlow), shortcut: 'Mod+N' },
  newCommand('file.newFlow', 'New flow…', emptyFlow),
  newCommand('file.newFromExample', 'New flow from an example…', { kind: 'flow', beginning: 'example' }),
  newCommand('file.newAgent', 'New agent…', { kind: 'agent', beginning: 'empty' }),
  newCommand('file.newPack', 'New pack…', { kind: 'pack', beginning: 'empty' }),
] as const satisfies readonly Command[];
