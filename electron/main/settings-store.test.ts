import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { preferencesSchema } from '../ipc/main-contract.ts';
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

test('the first start has defaults and writes nothing', () => {
  expect(openSettingsStore(file).settings).toEqual({ theme: 'system', recentWorkspaces: [] });
  expect(readdirSync(folder)).toEqual([]);
});

test('what is changed is there at the next start, and no half-written file is left beside it', () => {
  const windowBounds = { x: 10, y: 20, width: 1440, height: 900, isMaximized: false };
  openSettingsStore(file).update({ theme: 'dark', windowBounds });
  expect(openSettingsStore(file).settings).toEqual({ theme: 'dark', recentWorkspaces: [], windowBounds });
  expect(readdirSync(path.dirname(file))).toEqual(['settings.json']);
});

test('a change that cannot be written is told, and holds until the program ends', () => {
  const store = openSettingsStore(file);
  writeFileSync(path.dirname(file), 'a file where the folder should be');
  expect(() => store.update({ theme: 'dark' })).toThrow(/ENOTDIR|EEXIST/);
  expect(store.settings.theme).toBe('dark');
});

test.each(['{ "theme": "da', '{ "theme": "pink" }', '[]', '', '\0\0\0'])(
  'a broken file %j is set aside and defaults are used',
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

test('settings that an older version did not know get their defaults', () => {
  mkdirSync(path.dirname(file));
  writeFileSync(file, '{ "theme": "dark" }');
  expect(openSettingsStore(file).settings).toEqual({ theme: 'dark', recentWorkspaces: [] });
});

test('preferences of a newer version, which this one does not know, cost no other setting', () => {
  mkdirSync(path.dirname(file));
  writeFileSync(file, '{ "theme": "dark", "zoom": 1.5, "preferences": { "wheel": "dance" } }');
  const { settings } = openSettingsStore(file);
  expect([settings.theme, settings.zoom, settings.preferences]).toEqual(['dark', 1.5, undefined]);
});

test('preferences are there at the next start', () => {
  const preferences = preferencesSchema.parse({ wheel: 'zoom', keys: { 'run.redo': null } });
  openSettingsStore(file).update({ preferences });
  expect(openSettingsStore(file).settings.preferences).toEqual(preferences);
});

test('recent workspaces: the last opened is first, none twice, ten at most', () => {
  const store = openSettingsStore(file);
  const folders = [...Array(12).keys()].map((number) => createFolder(`w${number}`));
  for (const workspace of folders) store.rememberWorkspace(workspace);
  store.rememberWorkspace(folders[5]!);
  const names = openSettingsStore(file)
    .recentWorkspaces()
    .map((workspace) => path.basename(workspace));
  expect(names).toEqual(['w5', 'w11', 'w10', 'w9', 'w8', 'w7', 'w6', 'w4', 'w3', 'w2']);
});

test('recent workspaces that are missing are not listed, and come back when they do', () => {
  const store = openSettingsStore(file);
  const drive = createFolder('drive');
  store.rememberWorkspace(createFolder('home'));
  store.rememberWorkspace(drive);
  rmSync(drive, { recursive: true });
  expect(store.recentWorkspaces().map((workspace) => path.basename(workspace))).toEqual(['home']);
  mkdirSync(drive);
  expect(store.recentWorkspaces().map((workspace) => path.basename(workspace))).toEqual(['drive', 'home']);
});
