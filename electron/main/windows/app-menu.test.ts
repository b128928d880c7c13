import type { MenuItemConstructorOptions } from 'electron';
import { beforeEach, describe, expect, test } from 'vitest';
import { createMenuTemplate, type MenuActions } from './app-menu.ts';

const state = {
  isMac: false,
  isDevelopment: false,
  recentWorkspaces: ['/flows/a', '/flows/b'],
  theme: 'dark',
  keepsRunning: true,
} as const;

const done: string[] = [];
const actions: MenuActions = {
  invokeCommand: (id) => done.push(id),
  openWorkspace: (folder) => done.push(`open ${folder}`),
  openNewWindow: () => done.push('new window'),
  openDocs: () => done.push('documentation'),
  setKeepsRunning: (isOn) => done.push(`keeps running ${isOn}`),
  setTheme: (theme) => done.push(`theme ${theme}`),
  help: (wish) => done.push(`help ${wish}`),
};

/** Returns all entries by their path, such as `&File/Open Folder…`. */
function entries(template: MenuItemConstructorOptions[], prefix = ''): Map<string, MenuItemConstructorOptions> {
  return new Map(
    template.flatMap((entry) => {
      const name = `${prefix}${entry.label ?? entry.role ?? '-'}`;
      const below = Array.isArray(entry.submenu) ? entries(entry.submenu, `${name}/`) : [];
      return [[name, entry] as const, ...below];
    }),
  );
}

function click(name: string): void {
  const entry = entries(createMenuTemplate(state, actions)).get(name);
  // Electron passes the entry, the window and the key event; our handlers use none of them.
  (entry?.click as (() => void) | undefined)?.();
}

beforeEach(() => {
  done.length = 0;
});

describe('the menu', () => {
  test("sends the page's own commands to the page by their ids", () => {
    const file = ['&File/Open Folder…', '&File/Start from an Example…', '&File/Install Pack…', '&File/Settings'];
    for (const name of [...file, '&Run/Run Flow', '&Run/Cancel Run', '&Run/Run Again']) click(name);
    const fileIds = ['workspace.open', 'examples.gallery', 'packs.install', 'settings.models'];
    expect(done).toEqual([...fileIds, 'run.start', 'run.cancel', 'run.redo']);
  });

  test('sends commands about the active file and the interface to the page', () => {
    for (const label of ['New…', 'Open…', 'Save', 'Save All', 'Close Tab']) click(`&File/${label}`);
    for (const label of ['Undo', 'Redo', 'Search in All Files']) click(`&Edit/${label}`);
    for (const label of ['Zoom In', 'Zoom Out', 'Actual Size']) click(`&View/${label}`);
    click('&Help/Keyboard Shortcuts');
    const files = ['file.new', 'go.anything', 'file.save', 'file.saveAll', 'tab.close'];
    const others = ['edit.undo', 'edit.redo', 'view.search', 'zoom.in', 'zoom.out', 'zoom.reset', 'help.shortcuts'];
    expect(done).toEqual([...files, ...others]);
  });

  test('opens the documentation without the page, which may not be in front', () => {
    click('&Help/Documentation');
    expect(done).toEqual(['documentation']);
  });

  test('shows each accelerator once', () => {
    const shown = [...entries(createMenuTemplate(state, actions)).values()].flatMap(
      ({ accelerator }) => accelerator ?? [],
    );
    expect(new Set(shown).size).toBe(shown.length);
  });

  test('handles recent folders, new windows and themes without the page', () => {
    for (const name of ['&File/Open Recent//flows/b', '&File/New Window', '&View/Theme/Light']) click(name);
    expect(done).toEqual(['open /flows/b', 'new window', 'theme light']);
  });

  test('shows whether the program keeps running without windows, and changes it', () => {
    const name = '&File/Keep Running in the Background';
    expect(entries(createMenuTemplate(state, actions)).get(name)).toMatchObject({ type: 'checkbox', checked: true });
    click(name);
    expect(done).toEqual(['keeps running false']);
  });

  test('marks the current theme', () => {
    const themes = [...entries(createMenuTemplate(state, actions))].filter(([, { type }]) => type === 'radio');
    expect(themes.filter(([, { checked }]) => checked).map(([name]) => name)).toEqual(['&View/Theme/Dark']);
  });

  test('contains the developer tools only in development', () => {
    const has = (isDevelopment: boolean): boolean =>
      entries(createMenuTemplate({ ...state, isDevelopment }, actions)).has('&View/Toggle Developer Tools');
    expect([has(false), has(true)]).toEqual([false, true]);
  });

  test('disables the list of recent folders if there are none', () => {
    const empty = createMenuTemplate({ ...state, recentWorkspaces: [] }, actions);
    expect(entries(empty).get('&File/Open Recent')?.enabled).toBe(false);
  });

  test('has an application menu on a Mac, and no second quit entry there', () => {
    const names = [...entries(createMenuTemplate({ ...state, isMac: true }, actions)).keys()];
    const [has, lacks] = [
      ['appMenu/Quit', '&Help/Keyboard Shortcuts'],
      ['&File/Quit', '&Help/About Millrace'],
    ];
    expect([has.every((name) => names.includes(name)), lacks.some((name) => names.includes(name))]).toEqual([
      true,
      false,
    ]);
  });
});
