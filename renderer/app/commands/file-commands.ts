/**
 * Commands for folders, windows, tabs and whole files.
 */
import { hasErrors } from '../../../engine/isomorphic.ts';
import { isStepFlow } from '../../stores/flow/step-lane.ts';
import { folderOf, isWorkspaceFile } from '../../stores/text/paths.ts';
import { activeFile, onActiveFile } from './active-file.ts';
import { text as assistantText } from './assistant/text.ts';
import type { Command, CommandContext } from './command.ts';
import type { NewFileDialogTarget } from './dialogs.ts';
import { openPath } from './open-file.ts';
import { text } from './text.ts';

/** Closes a tab after pending work for it is done; asks first if there are unsaved changes. */
export async function closeFile({ stores, dialogs }: CommandContext, path: string): Promise<void> {
  await stores.edits.whenSettled(path);
  const { files, close } = stores.openFiles.getState();
  if (files.get(path)?.isDirty) dialogs.getState().askClose(path);
  else close(path);
}

function goToTab({ stores }: CommandContext, step: 1 | -1): void {
  const { tabs, activePath, activate } = stores.openFiles.getState();
  if (activePath === null) return;
  const next = tabs.at((tabs.indexOf(activePath) + step) % tabs.length);
  if (next !== undefined) activate(next);
}

/** Moves a tab by one position; at either end it stays. */
function moveTab({ stores }: CommandContext, step: 1 | -1): void {
  const { tabs, activePath, moveTab: putTab } = stores.openFiles.getState();
  if (activePath !== null) putTab(activePath, Math.max(0, tabs.indexOf(activePath) + step));
}

export const tabCommands = [
  {
    id: 'workspace.open',
    title: text.tabs.openFolder,
    group: text.groups.files,
    shortcut: 'Mod+O',
    run({ stores }) {
      stores.main
        .call('workspace.choose')
        .catch((error: unknown) => stores.notices.getState().addError(text.tabs.openFolderFailed, error));
    },
  },
  {
    id: 'workspace.openExamples',
    title: text.tabs.openExamples,
    group: text.groups.files,
    run({ stores }) {
      stores.main
        .call('workspace.openExamples', { showsGallery: false })
        .catch((error: unknown) => stores.notices.getState().addError(text.tabs.openExamplesFailed, error));
    },
  },
  {
    id: 'examples.gallery',
    title: text.tabs.gallery,
    words: text.tabs.galleryWords,
    group: text.groups.files,
    run({ stores }) {
      // Examples are copied into a workspace. Without one, the examples folder is the workspace.
      if (stores.workspace.getState().folder !== null) return stores.gallery.getState().open();
      stores.main
        .call('workspace.openExamples', { showsGallery: true })
        .catch((error: unknown) => stores.notices.getState().addError(text.tabs.openExamplesFailed, error));
    },
  },
  {
    id: 'window.new',
    title: text.tabs.newWindow,
    group: text.groups.files,
    shortcut: 'Mod+Shift+N',
    run({ stores }) {
      stores.main
        .call('window.openNew')
        .catch((error: unknown) => stores.notices.getState().addError(text.tabs.newWindowFailed, error));
    },
  },
  {
    id: 'tab.close',
    title: text.tabs.close,
    group: text.groups.files,
    shortcut: 'Mod+W',
    isAvailable: (context) => activeFile(context) !== undefined,
    run: onActiveFile((context, path) => void closeFile(context, path)),
  },
  {
    id: 'tab.next',
    title: text.tabs.next,
    group: text.groups.files,
    shortcut: 'Ctrl+Tab',
    run: (context) => goToTab(context, 1),
  },
  {
    id: 'tab.previous',
    title: text.tabs.previous,
    group: text.groups.files,
    shortcut: 'Ctrl+Shift+Tab',
    run: (context) => goToTab(context, -1),
  },
  {
    id: 'tab.moveLeft',
    title: text.tabs.moveLeft,
    group: text.groups.files,
    shortcut: 'Ctrl+Shift+PageUp',
    isAvailable: (context) => activeFile(context) !== undefined,
    run: (context) => moveTab(context, -1),
  },
  {
    id: 'tab.moveRight',
    title: text.tabs.moveRight,
    group: text.groups.files,
    shortcut: 'Ctrl+Shift+PageDown',
    isAvailable: (context) => activeFile(context) !== undefined,
    run: (context) => moveTab(context, 1),
  },
] as const satisfies readonly Command[];

/** New files are created next to the active file, unless it is an agent of a pack, which is elsewhere. */
export function folderForNew(context: CommandContext): string {
  const path = activeFile(context)?.path ?? '';
  return /^[\\/]|^[a-z]:|@|^\.aipack\//i.test(path) ? '' : folderOf(path);
}

function newCommand<Id extends string>(id: Id, title: string, thing: Omit<NewFileDialogTarget, 'folder'>) {
  return {
    id,
    title,
    group: text.groups.files,
    isAvailable: ({ stores }: CommandContext) => stores.workspace.getState().folder !== null,
    run: (context: CommandContext) => context.dialogs.getState().askNew({ ...thing, folder: folderForNew(context) }),
  } as const;
}

/** Whether the active file is in the workspace and on disk. */
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
  { ...newCommand('file.new', text.files.new, emptyFlow), shortcut: 'Mod+N' },
  newCommand('file.newFlow', text.files.newFlow, emptyFlow),
  newCommand('file.describe', assistantText.describe, { kind: 'flow', beginning: 'words' }),
  newCommand('file.newSteps', text.files.newSteps, { kind: 'steps', beginning: 'empty' }),
  newCommand('file.newDialogue', text.files.newConversation, { kind: 'dialogue', beginning: 'empty' }),
  newCommand('file.newAgent', text.files.newAgent, { kind: 'agent', beginning: 'empty' }),
  newCommand('file.newPack', text.files.newPack, { kind: 'pack', beginning: 'empty' }),
  {
    id: 'file.import',
    title: text.files.import,
    words: text.files.importWords,
    group: text.groups.files,
    isAvailable: ({ stores }) => stores.workspace.getState().folder !== null,
    run: ({ stores }) => stores.imports.getState().ask(),
  },
  {
    id: 'file.convert',
    title: text.files.convert,
    group: text.groups.files,
    isAvailable(context) {
      const file = activeFile(context);
      return isStepFlow(file?.doc) && file?.isOldVersion === false && !hasErrors(file.diagnostics);
    },
    run: ({ dialogs }) => dialogs.getState().show('convert'),
  },
  {
    id: 'file.rename',
    title: text.files.rename,
    group: text.groups.files,
    isAvailable: hasOwnFile,
    run: ({ dialogs }) => dialogs.getState().show('rename-file'),
  },
  {
    id: 'file.duplicate',
    title: text.files.duplicate,
    group: text.groups.files,
    isAvailable: hasOwnFile,
    run: onActiveFile((context, path) => void duplicate(context, path)),
  },
  {
    id: 'file.trash',
    title: text.files.trash,
    group: text.groups.files,
    isAvailable: hasOwnFile,
    run: ({ dialogs }) => dialogs.getState().show('trash-file'),
  },
] as const satisfies readonly Command[];
