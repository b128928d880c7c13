import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { preferencesSchema } from '../ipc/contracts/main-contract.ts';
import { openSettingsStore } from './settings-store.ts';

let folder: string;
let file: string;

beforeEach(() => {
  folder = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'millrace-settings-')));
  file = path.join(folder, 'data', 'settings.json');
});

afterEach(() => rmSync(folder, { recursive: true }));

function createFolder(name: string): string {
  const created = path.join(folder, name);
  mkdirSync(created);
  return created;
}

test('the first start uses defaults and writes nothing', () => {
  expect(openSettingsStore(file).settings).toEqual({ theme: 'system', recentWorkspaces: [], keepsRunning: false });
  expect(readdirSync(folder)).toEqual([]);
});

test('a change is stored for the next start, and no partial file is left behind', () => {
  const windowBounds = { x: 10, y: 20, width: 1440, height: 900, isMaximized: false };
  openSettingsStore(file).update({ theme: 'dark', windowBounds });
  expect(openSettingsStore(file).settings).toEqual({
    theme: 'dark',
    recentWorkspaces: [],
    keepsRunning: false,
    windowBounds,
  });
  expect(readdirSync(path.dirname(file))).toEqual(['settings.json']);
});

test('reports a change that cannot be written, and applies it until the program ends', () => {
  const store = openSettingsStore(file);
  writeFileSync(path.dirname(file), 'a file where the folder should be');
  expect(() => store.update({ theme: 'dark' })).toThrow(/ENOTDIR|EEXIST/);
  expect(store.settings.theme).toBe('dark');
});

test.each(['{ "theme": "da', '{ "theme": "pink" }', '[]', '', '\0\0\0'])(
  'sets aside a broken file %j and uses defaults',
  (text) => {
    mkdirSync(path.dirname(file));
    writeFileSync(file, text);
    const store = openSettingsStore(file);
    expect(store.settings.theme).toBe('system');
    expect(readFileSync(`${file}.broken`, 'utf8')).toBe(text);
    store.update({ theme: 'light' });
    expect(openSettingsStore(file).settings.theme).toBe('light');
  },
);

test('settings that an older version did not have get their defaults', () => {
  mkdirSync(path.dirname(file));
  writeFileSync(file, '{ "theme": "dark" }');
  expect(openSettingsStore(file).settings).toEqual({ theme: 'dark', recentWorkspaces: [], keepsRunning: false });
});

test('unknown preferences of a newer version do not affect other settings', () => {
  mkdirSync(path.dirname(file));
  writeFileSync(file, '{ "theme": "dark", "zoom": 1.5, "preferences": { "wheel": "dance" } }');
  const { settings } = openSettingsStore(file);
  expect([settings.theme, settings.zoom, settings.preferences]).toEqual(['dark', 1.5, undefined]);
});

test('restores preferences at the next start', () => {
  const preferences = preferencesSchema.parse({ wheel: 'zoom', keys: { 'run.redo': null } });
  openSettingsStore(file).update({ preferences });
  expect(openSettingsStore(file).settings.preferences).toEqual(preferences);
});

test('recent workspaces are unique, most recent first, and at most ten', () => {
  const store = openSettingsStore(file);
  const folders = [...Array(12).keys()].map((number) => createFolder(`w${number}`));
  for (const workspace of folders) store.rememberWorkspace(workspace);
  store.rememberWorkspace(folders[5]!);
  const names = openSettingsStore(file)
    .recentWorkspaces()
    .map((workspace) => path.basename(workspace));
  expect(names).toEqual(['w5', 'w11', 'w10', 'w9', 'w8', 'w7', 'w6', 'w4', 'w3', 'w2']);
});

test('hides recent workspaces that are missing, and lists them again when they return', () => {
  const store = openSettingsStore(file);
  const drive = createFolder('drive');
  store.rememberWorkspace(createFolder('home'));
  store.rememberWorkspace(drive);
  rmSync(drive, { recursive: true });
  expect(store.recentWorkspaces().map((workspace) => path.basename(workspace))).toEqual(['home']);
  mkdirSync(drive);
  expect(store.recentWorkspaces().map((workspace) => path.basename(workspace))).toEqual(['drive', 'home']);
});
