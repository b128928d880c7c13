/**
 * Commands for packs and settings, including the theme and the zoom of the interface.
 */

import type { PreferencesTab } from '../../stores/window/preferences.ts';
import type { ThemeChoice } from '../../stores/window/settings.ts';
import type { Command, CommandContext } from './command.ts';

function setTheme({ stores }: CommandContext, theme: ThemeChoice): void {
  stores.main
    .call('settings.setTheme', { theme })
    .catch((error: unknown) => stores.notices.getState().addError('The theme could not be changed', error));
}

function themeCommand<const Theme extends ThemeChoice>(theme: Theme, title: string) {
  return {
    id: `theme.${theme}`,
    title,
    group: 'View',
    run: (context) => setTheme(context, theme),
  } as const satisfies Command;
}

export const themeCommands = [
  themeCommand('system', 'Theme: like the system'),
  themeCommand('light', 'Theme: light'),
  themeCommand('dark', 'Theme: dark'),
];

/** Changes the zoom of the whole interface. This is separate from the zoom of a canvas, which uses the plain keys. */
function zoom({ stores }: CommandContext, change: 'in' | 'out' | 'reset'): void {
  stores.main
    .call('zoom.set', { change })
    .catch((error: unknown) => stores.notices.getState().addError('The size could not be changed', error));
}

function zoomCommand<const Change extends 'in' | 'out' | 'reset'>(change: Change, title: string, shortcut: string) {
  return {
    id: `zoom.${change}`,
    title,
    group: 'View',
    shortcut,
    run: (context) => zoom(context, change),
  } as const satisfies Command;
}

export const zoomCommands = [
  zoomCommand('in', 'Increase the size of everything', 'Mod+Alt+='),
  zoomCommand('out', 'Decrease the size of everything', 'Mod+Alt+-'),
  zoomCommand('reset', 'Reset the size of everything', 'Mod+Alt+0'),
];

/** Packs and settings are read from the engine of the open folder. */
function hasFolder({ stores }: CommandContext): boolean {
  return stores.workspace.getState().folder !== null;
}

function settingsCommand<const Tab extends PreferencesTab>(tab: Tab, title: string, shortcut?: string) {
  return {
    id: `settings.${tab}`,
    title,
    group: 'View',
    ...(shortcut === undefined ? {} : { shortcut }),
    isAvailable: hasFolder,
    run: ({ stores }) => stores.preferences.getState().open(tab),
  } as const satisfies Command;
}

export const settingsCommands = [
  {
    id: 'packs.install',
    title: 'Install a pack…',
    group: 'Files',
    isAvailable: hasFolder,
    run: ({ stores }) => stores.packs.getState().askInstall(''),
  } as const satisfies Command,
  settingsCommand('editor', 'Settings of the editor'),
  settingsCommand('models', 'Settings', 'Mod+,'),
  settingsCommand('secrets', 'Secrets of flows'),
  settingsCommand('trust', 'Trust in this workspace'),
  settingsCommand('tools', 'Tools of this workspace'),
  settingsCommand('servers', 'MCP servers'),
  settingsCommand('policies', 'Policies: what may happen without asking'),
  settingsCommand('team', 'What a team sets'),
  settingsCommand('messages', 'Messages about what waits'),
  settingsCommand('updates', 'Updates of Millrace'),
];
