/**
 * Builds the application menu as data. Entries that are commands of the page are sent to it by command id.
 */
import type { MenuItemConstructorOptions } from 'electron';
import type { Theme } from '../settings-store.ts';

interface MenuState {
  readonly isMac: boolean;
  /** Whether the program runs unpackaged, which shows entries for its developers. */
  readonly isDevelopment: boolean;
  /** Existing folders, most recently opened first. */
  readonly recentWorkspaces: readonly string[];
  readonly theme: Theme;
}

/** Actions of the menu entries. */
export interface MenuActions {
  /** Runs a command of the page in the focused window. */
  invokeCommand(id: string): void;
  openWorkspace(folder: string): void;
  openNewWindow(): void;
  setTheme(theme: Theme): void;
  /** Runs an entry of the help menu for troubleshooting or licenses. */
  help(wish: HelpMenuAction): void;
}

export type HelpMenuAction = 'licenses' | 'copyDiagnostics' | 'showLogs' | 'resetSettings' | 'restartInSafeMode';

const separator: MenuItemConstructorOptions = { type: 'separator' };
const themeLabels: Readonly<Record<Theme, string>> = { system: 'Like the System', light: 'Light', dark: 'Dark' };

/** Builds the whole menu for a state. Called again when the state changes. */
export function createMenuTemplate(state: MenuState, actions: MenuActions): MenuItemConstructorOptions[] {
  return [
    ...(state.isMac ? [{ role: 'appMenu' } as const] : []),
    { label: '&File', submenu: fileMenu(state, actions) },
    { label: '&Edit', submenu: editMenu(actions) },
    { label: '&View', submenu: viewMenu(state, actions) },
    { label: '&Run', submenu: runMenu(actions) },
    { role: 'windowMenu' },
    { role: 'help', submenu: helpMenu(state, actions) },
  ];
}

function fileMenu({ isMac, recentWorkspaces }: MenuState, actions: MenuActions): MenuItemConstructorOptions[] {
  const recent = recentWorkspaces.map((folder) => ({ label: folder, click: () => actions.openWorkspace(folder) }));
  return [
    command(actions, { label: 'New…', id: 'file.new', accelerator: 'CmdOrCtrl+N' }),
    command(actions, { label: 'Open…', id: 'go.anything', accelerator: 'CmdOrCtrl+P' }),
    command(actions, { label: 'Save', id: 'file.save', accelerator: 'CmdOrCtrl+S' }),
    command(actions, { label: 'Save All', id: 'file.saveAll', accelerator: 'CmdOrCtrl+Alt+S' }),
    command(actions, { label: 'Close Tab', id: 'tab.close', accelerator: 'CmdOrCtrl+W' }),
    separator,
    command(actions, { label: 'Save Picture as PNG…', id: 'canvas.exportPng' }),
    command(actions, { label: 'Save Picture as SVG…', id: 'canvas.exportSvg' }),
    separator,
    { label: 'New Window', accelerator: 'CmdOrCtrl+Shift+N', click: () => actions.openNewWindow() },
    command(actions, { label: 'Open Folder…', id: 'workspace.open', accelerator: 'CmdOrCtrl+O' }),
    { label: 'Open Recent', submenu: recent, enabled: recent.length > 0 },
    separator,
    command(actions, { label: 'Install Pack…', id: 'packs.install' }),
    command(actions, { label: 'Settings', id: 'settings.models', accelerator: 'CmdOrCtrl+,' }),
    separator,
    { role: 'close', label: 'Close Window', accelerator: 'CmdOrCtrl+Shift+W' },
    ...(isMac ? [] : [{ role: 'quit' } as const]),
  ];
}

/** Undo and redo belong to the active file, so they are commands. In a text field, the page handles the key first. */
function editMenu(actions: MenuActions): MenuItemConstructorOptions[] {
  return [
    command(actions, { label: 'Undo', id: 'edit.undo', accelerator: 'CmdOrCtrl+Z' }),
    command(actions, { label: 'Redo', id: 'edit.redo', accelerator: 'CmdOrCtrl+Shift+Z' }),
    separator,
    { role: 'cut' },
    { role: 'copy' },
    { role: 'paste' },
    { role: 'selectAll' },
    separator,
    command(actions, { label: 'Search in All Files', id: 'view.search', accelerator: 'CmdOrCtrl+Shift+F' }),
    command(actions, { label: 'Format File', id: 'format.file', accelerator: 'Shift+Alt+F' }),
  ];
}

function helpMenu({ isMac }: MenuState, actions: MenuActions): MenuItemConstructorOptions[] {
  return [
    command(actions, { label: 'Keyboard Shortcuts', id: 'help.shortcuts' }),
    separator,
    { label: 'Copy Diagnostics', click: () => actions.help('copyDiagnostics') },
    { label: 'Show Logs', click: () => actions.help('showLogs') },
    { label: 'Reset Settings…', click: () => actions.help('resetSettings') },
    { label: 'Restart in Safe Mode', click: () => actions.help('restartInSafeMode') },
    separator,
    { label: 'Licences of Others', click: () => actions.help('licenses') },
    // On a Mac, the About entry is in the application menu.
    ...(isMac ? [] : [{ role: 'about' } as const]),
  ];
}

function viewMenu({ isDevelopment, theme }: MenuState, actions: MenuActions): MenuItemConstructorOptions[] {
  const themes = (Object.keys(themeLabels) as Theme[]).map((choice) => ({
    label: themeLabels[choice],
    type: 'radio' as const,
    checked: choice === theme,
    click: () => actions.setTheme(choice),
  }));
  return [
    { label: 'Theme', submenu: themes },
    separator,
    // Without Alt, these keys belong to the canvas.
    command(actions, { label: 'Zoom In', id: 'zoom.in', accelerator: 'CmdOrCtrl+Alt+=' }),
    command(actions, { label: 'Zoom Out', id: 'zoom.out', accelerator: 'CmdOrCtrl+Alt+-' }),
    command(actions, { label: 'Actual Size', id: 'zoom.reset', accelerator: 'CmdOrCtrl+Alt+0' }),
    { role: 'togglefullscreen' },
    separator,
    { role: 'reload', label: 'Reload Window' },
    ...(isDevelopment ? [{ role: 'toggleDevTools' } as const] : []),
  ];
}

function runMenu(actions: MenuActions): MenuItemConstructorOptions[] {
  return [
    command(actions, { label: 'Run Flow', id: 'run.start', accelerator: 'CmdOrCtrl+Enter' }),
    command(actions, { label: 'Cancel Run', id: 'run.cancel' }),
    command(actions, { label: 'Run Again', id: 'run.redo' }),
    command(actions, {
      label: 'Run Again from Selected or First Stale Node',
      id: 'run.fromHere',
      accelerator: 'CmdOrCtrl+Shift+Enter',
    }),
    command(actions, { label: 'Resume Interrupted Run', id: 'run.resume' }),
  ];
}

/** The page receives a key first. The accelerator only works if the page does not handle it. */
function command(
  actions: MenuActions,
  entry: { label: string; id: string; accelerator?: string },
): MenuItemConstructorOptions {
  return { ...entry, click: () => actions.invokeCommand(entry.id) };
}
