/**
 * Builds the application menu as data. Entries that run a page command send its id to the page.
 */
import type { MenuItemConstructorOptions } from 'electron';
import type { Theme } from '../../ipc/contracts/main-contract.ts';
import { text } from '../text.ts';

interface MenuState {
  readonly isMac: boolean;
  /** Whether the program runs unpackaged. The menu then contains entries for developers. */
  readonly isDevelopment: boolean;
  /** Existing folders, most recently opened first. */
  readonly recentWorkspaces: readonly string[];
  readonly theme: Theme;
  /** Whether triggers run while no window is open. */
  readonly keepsRunning: boolean;
}

/** Actions of the menu entries. */
export interface MenuActions {
  /** Runs a command of the page in the focused window. */
  invokeCommand(id: string): void;
  openWorkspace(folder: string): void;
  openNewWindow(): void;
  setTheme(theme: Theme): void;
  setKeepsRunning(isOn: boolean): void;
  /** Shows the documentation. */
  openDocs(): void;
  /** Runs an entry of the help menu for troubleshooting or licenses. */
  help(wish: HelpMenuAction): void;
}

export type HelpMenuAction = 'licenses' | 'copyDiagnostics' | 'showLogs' | 'resetSettings' | 'restartInSafeMode';

const separator: MenuItemConstructorOptions = { type: 'separator' };

/** Builds the whole menu for a state. Must be called again when the state changes. */
export function createMenuTemplate(state: MenuState, actions: MenuActions): MenuItemConstructorOptions[] {
  const words = text().menu;
  return [
    ...(state.isMac ? [{ role: 'appMenu', submenu: macMenu() } as const] : []),
    { label: words.file, submenu: fileMenu(state, actions) },
    { label: words.edit, submenu: editMenu(actions) },
    { label: words.view, submenu: viewMenu(state, actions) },
    { label: words.run, submenu: runMenu(actions) },
    { role: 'windowMenu', label: words.window, submenu: windowMenu(state) },
    { role: 'help', label: words.help, submenu: helpMenu(state, actions) },
  ];
}

function macMenu(): MenuItemConstructorOptions[] {
  const words = text().menu;
  return [
    { role: 'about', label: words.about },
    separator,
    { role: 'services', label: words.services },
    separator,
    { role: 'hide', label: words.hide },
    { role: 'hideOthers', label: words.hideOthers },
    { role: 'unhide', label: words.showAll },
    separator,
    { role: 'quit', label: words.quit },
  ];
}

function windowMenu({ isMac }: MenuState): MenuItemConstructorOptions[] {
  const words = text().menu;
  return [
    { role: 'minimize', label: words.minimize },
    ...(isMac
      ? [
          { role: 'zoom', label: words.zoomWindow } as const,
          separator,
          { role: 'front', label: words.bringToFront } as const,
        ]
      : [{ role: 'close', label: words.close } as const]),
  ];
}

function fileMenu(
  { isMac, recentWorkspaces, keepsRunning }: MenuState,
  actions: MenuActions,
): MenuItemConstructorOptions[] {
  const words = text().menu;
  const recent = recentWorkspaces.map((folder) => ({ label: folder, click: () => actions.openWorkspace(folder) }));
  return [
    command(actions, { label: words.new, id: 'file.new', accelerator: 'CmdOrCtrl+N' }),
    command(actions, { label: words.open, id: 'go.anything', accelerator: 'CmdOrCtrl+P' }),
    command(actions, { label: words.save, id: 'file.save', accelerator: 'CmdOrCtrl+S' }),
    command(actions, { label: words.saveAll, id: 'file.saveAll', accelerator: 'CmdOrCtrl+Alt+S' }),
    command(actions, { label: words.closeTab, id: 'tab.close', accelerator: 'CmdOrCtrl+W' }),
    separator,
    command(actions, { label: words.savePng, id: 'canvas.exportPng' }),
    command(actions, { label: words.saveSvg, id: 'canvas.exportSvg' }),
    separator,
    { label: words.newWindow, accelerator: 'CmdOrCtrl+Shift+N', click: () => actions.openNewWindow() },
    command(actions, { label: words.openFolder, id: 'workspace.open', accelerator: 'CmdOrCtrl+O' }),
    { label: words.openRecent, submenu: recent, enabled: recent.length > 0 },
    command(actions, { label: words.openSentRun, id: 'run.openSent' }),
    command(actions, { label: words.gallery, id: 'examples.gallery' }),
    command(actions, { label: words.import, id: 'file.import' }),
    separator,
    command(actions, { label: words.installPack, id: 'packs.install' }),
    command(actions, { label: words.settings, id: 'settings.models', accelerator: 'CmdOrCtrl+,' }),
    separator,
    {
      label: words.keepRunning,
      type: 'checkbox',
      checked: keepsRunning,
      click: () => actions.setKeepsRunning(!keepsRunning),
    },
    { role: 'close', label: words.closeWindow, accelerator: 'CmdOrCtrl+Shift+W' },
    ...(isMac ? [] : [{ role: 'quit', label: words.quit } as const]),
  ];
}

/** Undo and redo apply to the active file, so they are commands. In a text field, the page handles the key first. */
function editMenu(actions: MenuActions): MenuItemConstructorOptions[] {
  const words = text().menu;
  return [
    command(actions, { label: words.undo, id: 'edit.undo', accelerator: 'CmdOrCtrl+Z' }),
    command(actions, { label: words.redo, id: 'edit.redo', accelerator: 'CmdOrCtrl+Shift+Z' }),
    separator,
    { role: 'cut', label: words.cut },
    { role: 'copy', label: words.copy },
    { role: 'paste', label: words.paste },
    { role: 'selectAll', label: words.selectAll },
    separator,
    command(actions, { label: words.search, id: 'view.search', accelerator: 'CmdOrCtrl+Shift+F' }),
    command(actions, { label: words.format, id: 'format.file', accelerator: 'Shift+Alt+F' }),
  ];
}

function helpMenu({ isMac }: MenuState, actions: MenuActions): MenuItemConstructorOptions[] {
  const words = text().menu;
  return [
    { label: words.documentation, accelerator: 'F1', click: () => actions.openDocs() },
    command(actions, { label: words.shortcuts, id: 'help.shortcuts' }),
    separator,
    { label: words.copyDiagnostics, click: () => actions.help('copyDiagnostics') },
    { label: words.showLogs, click: () => actions.help('showLogs') },
    { label: words.resetSettings, click: () => actions.help('resetSettings') },
    { label: words.restartInSafeMode, click: () => actions.help('restartInSafeMode') },
    separator,
    { label: words.licenses, click: () => actions.help('licenses') },
    // On a Mac, the About entry is in the application menu.
    ...(isMac ? [] : [{ role: 'about', label: words.about } as const]),
  ];
}

function viewMenu({ isDevelopment, theme }: MenuState, actions: MenuActions): MenuItemConstructorOptions[] {
  const words = text().menu;
  const themeLabels: Readonly<Record<Theme, string>> = {
    system: words.themeSystem,
    light: words.themeLight,
    dark: words.themeDark,
  };
  const themes = (Object.keys(themeLabels) as Theme[]).map((choice) => ({
    label: themeLabels[choice],
    type: 'radio' as const,
    checked: choice === theme,
    click: () => actions.setTheme(choice),
  }));
  return [
    { label: words.theme, submenu: themes },
    separator,
    // Without Alt, these keys belong to the canvas.
    command(actions, { label: words.zoomIn, id: 'zoom.in', accelerator: 'CmdOrCtrl+Alt+=' }),
    command(actions, { label: words.zoomOut, id: 'zoom.out', accelerator: 'CmdOrCtrl+Alt+-' }),
    command(actions, { label: words.actualSize, id: 'zoom.reset', accelerator: 'CmdOrCtrl+Alt+0' }),
    { role: 'togglefullscreen', label: words.fullScreen },
    separator,
    { role: 'reload', label: words.reload },
    ...(isDevelopment ? [{ role: 'toggleDevTools', label: words.developerTools } as const] : []),
  ];
}

function runMenu(actions: MenuActions): MenuItemConstructorOptions[] {
  const words = text().menu;
  return [
    command(actions, { label: words.runFlow, id: 'run.start', accelerator: 'CmdOrCtrl+Enter' }),
    command(actions, { label: words.pauseRun, id: 'run.pause', accelerator: 'F5' }),
    command(actions, { label: words.stepRun, id: 'run.step', accelerator: 'F10' }),
    command(actions, { label: words.breakpoint, id: 'run.breakpoint', accelerator: 'F9' }),
    command(actions, { label: words.cancelRun, id: 'run.cancel' }),
    command(actions, { label: words.runAgain, id: 'run.redo' }),
    command(actions, {
      label: words.runFromHere,
      id: 'run.fromHere',
      accelerator: 'CmdOrCtrl+Shift+Enter',
    }),
    command(actions, { label: words.resume, id: 'run.resume' }),
  ];
}

/** The page receives a key first. The accelerator only works if the page does not handle it. */
function command(
  actions: MenuActions,
  entry: { label: string; id: string; accelerator?: string },
): MenuItemConstructorOptions {
  return { ...entry, click: () => actions.invokeCommand(entry.id) };
}
