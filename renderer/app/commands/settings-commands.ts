/**
 * Commands for packs and settings, the theme and the size of the interface among them.
 */

import type { PreferencesTab } from '../../stores/window/preferences.ts';
import type { ThemeChoice } from '../../stores/window/settings.ts';
import type { Command, CommandContext } from './command.ts';

function setTheme({ stores }: CommandContext, theme: ThemeChoice): void {
  stores.main
    .call('settings.setTheme', { theme })
    .catch((error: unknown) => stores.notices.getState().addError('The theme could not be changed', error));
}

function themeCommand(theme: ThemeChoice, title: string): Command {
  return { id: `theme.${theme}`, title, group: 'View', run: (context) => setTheme(context, theme) };
}

export const themeCommands = [
  themeCommand('system', 'Theme: like the system'),
  themeCommand('light', 'Theme: light'),
  themeCommand('dark', 'Theme: dark'),
] as const satisfies readonly Command[];

/** How large the whole interface is drawn. Apart from the zoom of a canvas, which has the plain keys. */
function zoom({ stores }: CommandContext, change: 'in' | 'out' | 'reset'): void {
  stores.main
    .call('zoom.set', { change })
    .catch((error: unknown) => stores.notices.getState().addError('The size could not be changed', error));
}

export const zoomCommands = [
  {
    id: 'zoom.in',
    title: 'Increase the size of everything',
    group: 'View',
    shortcut: 'Mod+Alt+=',
    run: (context) => zoom(context, 'in'),
  },
  {
    id: 'zoom.out',
    title: 'Decrease the size of everything',
    group: 'View',
    shortcut: 'Mod+Alt+-',
    run: (context) => zoom(context, 'out'),
  },
  {
    id: 'zoom.reset',
    title: 'Reset the size of everything',
    group: 'View',
    shortcut: 'Mod+Alt+0',
    run: (context) => zoom(context, 'reset'),
  },
] as const satisfies readonly Command[];

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
    id: 'settings.secrets',
    title: 'Secrets of flows',
    group: 'View',
    isAvailable: hasFolder,
    run: (context) => openSettings(context, 'secrets'),
  },
  {
    id: 'settings.trust',
    title: 'Trust in this workspace',
    group: 'View',
    isAvailable: hasFolder,
    run: (context) => openSettings(context, 'trust'),
  },
  {
    id: 'settings.tools',
    title: 'Tools of this workspace',
    group: 'View',
    isAvailable: hasFolder,
    run: (context) => openSettings(context, 'tools'),
  },
  {
    id: 'settings.servers',
    title: 'MCP servers',
    group: 'View',
    isAvailable: hasFolder,
    run: (context) => openSettings(context, 'servers'),
  },
  {
    id: 'settings.policies',
    title: 'Policies: what may happen without asking',
    group: 'View',
    isAvailable: hasFolder,
    run: (context) => openSettings(context, 'policies'),
  },
  {
    id: 'settings.team',
    title: 'What a team sets',
    group: 'View',
    isAvailable: hasFolder,
    run: (context) => openSettings(context, 'team'),
  },
  {
    id: 'settings.messages',
    title: 'Messages about what waits',
    group: 'View',
    isAvailable: hasFolder,
    run: (context) => openSettings(context, 'messages'),
  },
  {
    id: 'settings.updates',
    title: 'Updates of Millrace',
    group: 'View',
    isAvailable: hasFolder,
    run: (context) => openSettings(context, 'updates'),
  },
] as const satisfies readonly Command[];
