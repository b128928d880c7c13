/**
 * Commands for packs and settings, including the theme and the zoom of the interface.
 */

import type { Theme } from '../../bridge/main-client.ts';
import type { PreferencesTab } from '../../stores/window/preferences.ts';
import type { Command, CommandContext } from './command.ts';
import { text } from './text.ts';

function setTheme({ stores }: CommandContext, theme: Theme): void {
  stores.main
    .call('settings.setTheme', { theme })
    .catch((error: unknown) => stores.notices.getState().addError(text.view.themeFailed, error));
}

function themeCommand<const Choice extends Theme>(theme: Choice, title: string) {
  return {
    id: `theme.${theme}`,
    title,
    group: text.groups.view,
    run: (context) => setTheme(context, theme),
  } as const satisfies Command;
}

export const themeCommands = [
  themeCommand('system', text.view.themeSystem),
  themeCommand('light', text.view.themeLight),
  themeCommand('dark', text.view.themeDark),
];

/** Changes the zoom of the whole interface. This is separate from the zoom of a canvas, which uses the plain keys. */
function zoom({ stores }: CommandContext, change: 'in' | 'out' | 'reset'): void {
  stores.main
    .call('zoom.set', { change })
    .catch((error: unknown) => stores.notices.getState().addError(text.view.zoomFailed, error));
}

function zoomCommand<const Change extends 'in' | 'out' | 'reset'>(change: Change, title: string, shortcut: string) {
  return {
    id: `zoom.${change}`,
    title,
    group: text.groups.view,
    shortcut,
    run: (context) => zoom(context, change),
  } as const satisfies Command;
}

export const zoomCommands = [
  zoomCommand('in', text.view.zoomIn, 'Mod+Alt+='),
  zoomCommand('out', text.view.zoomOut, 'Mod+Alt+-'),
  zoomCommand('reset', text.view.zoomReset, 'Mod+Alt+0'),
];

/** Packs and settings are read from the engine of the open folder. */
function hasFolder({ stores }: CommandContext): boolean {
  return stores.workspace.getState().folder !== null;
}

function settingsCommand<const Tab extends PreferencesTab>(tab: Tab, title: string, shortcut?: string) {
  return {
    id: `settings.${tab}`,
    title,
    group: text.groups.view,
    ...(shortcut === undefined ? {} : { shortcut }),
    isAvailable: hasFolder,
    run: ({ stores }) => stores.preferences.getState().open(tab),
  } as const satisfies Command;
}

export const settingsCommands = [
  {
    id: 'packs.install',
    title: text.settings.installPack,
    group: text.groups.files,
    isAvailable: hasFolder,
    run: ({ stores }) => stores.packs.getState().askInstall(''),
  } as const satisfies Command,
  settingsCommand('editor', text.settings.editor),
  settingsCommand('models', text.settings.models, 'Mod+,'),
  settingsCommand('secrets', text.settings.secrets),
  settingsCommand('trust', text.settings.trust),
  settingsCommand('tools', text.settings.tools),
  settingsCommand('servers', text.settings.servers),
  settingsCommand('policies', text.settings.policies),
  settingsCommand('team', text.settings.team),
  settingsCommand('history', text.settings.history),
  settingsCommand('remote', text.settings.remote),
  settingsCommand('messages', text.settings.messages),
  settingsCommand('background', text.settings.background),
  settingsCommand('updates', text.settings.updates),
];
