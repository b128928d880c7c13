/**
 * Commands for packs and settings.
 */
import type { PreferencesTab } from '../../stores/window/preferences.ts';
import type { Command, CommandContext } from './command.ts';

/** Packs and settings are read from the engine of a folder. */
function hasFolder({ stores }: CommandContext): boolean {
  return stores.workspace.getState().folder !== null;
}

function openSettings({ stores }: CommandContext, tab: PreferencesTab): void {
  stores.preferences.getState().open(tab);
}

export const settingsCommands = [
  {
    id: 'packs.install',
    title: 'Install a pack…',
    group: 'Files',
    isAvailable: hasFolder,
    run: ({ stores }) => stores.packs.getState().askInstall(''),
  },
  {
    id: 'settings.editor',
    title: 'Settings of the editor',
    group: 'View',
    isAvailable: hasFolder,
    run: (context) => openSettings(context, 'editor'),
  },
  {
    id: 'settings.models',
    title: 'Settings',
    group: 'View',
    shortcut: 'Mod+,',
    isAvailable: hasFolder,
    run: (context) => openSettings(context, 'models'),
  },
  {
    id: 'settings.trust',
    title: 'Trust in this workspace',
    group: 'View',
    isAvailable: hasFolder,
    run: (context) => openSettings(context, 'trust'),
  },
] as const satisfies readonly Command[];
