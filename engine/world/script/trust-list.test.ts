import { existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createTestFolder, type TestFolder } from '../files/testing/test-folder.ts';
import { createTrustList, type TrustList } from './trust-list.ts';

let folder: TestFolder;
let list: TrustList;
beforeEach(() => {
  folder = createTestFolder();
  mkdirSync(folder.at('one'));
  mkdirSync(folder.at('two'));
  list = createTrustList(folder.at('base'));
});
afterEach(() => folder.remove());

test('trusts no workspace initially, and checking creates no file', async () => {
  expect(await list.isTrusted(folder.at('one'))).toBe(false);
  expect(existsSync(folder.at('base'))).toBe(false);
});

test('stores the real path of a workspace in the base folder only', async () => {
  symlinkSync(folder.at('one'), folder.at('alias'));
  await list.setTrusted(folder.at('alias'), true);
  expect(await createTrustList(folder.at('base')).isTrusted(folder.at('one'))).toBe(true);
  expect(await list.isTrusted(folder.at('two'))).toBe(false);
  expect(JSON.parse(readFileSync(folder.at('base/millrace/trusted.json'), 'utf8'))).toEqual({
    version: 1,
    workspaces: [folder.at('one')],
  });
});

test('does not trust subfolders or parents of a trusted folder', async () => {
  mkdirSync(folder.at('one/inner'));
  await list.setTrusted(folder.at('one'), true);
  expect([await list.isTrusted(folder.at('one/inner')), await list.isTrusted(folder.path)]).toEqual([false, false]);
});

test('removes a workspace, even if its folder no longer exists', async () => {
  await list.setTrusted(folder.at('one'), true);
  await list.setTrusted(folder.at('two'), true);
  await list.setTrusted(folder.at('one'), false);
  expect(await list.all()).toEqual([folder.at('two')]);
  folder.remove();
  mkdirSync(folder.path);
  folder.write('base/millrace/trusted.json', JSON.stringify({ version: 1, workspaces: [folder.at('gone')] }));
  await list.setTrusted(folder.at('gone'), false);
  expect(await list.all()).toEqual([]);
});

test('applies all concurrent changes', async () => {
  const names = ['a', 'b', 'c', 'd'];
  for (const name of names) mkdirSync(folder.at(name));
  await Promise.all(names.map((name) => list.setTrusted(folder.at(name), true)));
  expect([...(await list.all())].sort()).toEqual(names.map((name) => folder.at(name)));
});

test('rejects a path that is not a folder, and a workspace that contains the list', async () => {
  await expect(list.setTrusted(folder.at('none'), true)).rejects.toMatchObject({ code: 'trust.not-a-folder' });
  await expect(list.setTrusted(folder.path, true)).rejects.toMatchObject({ code: 'trust.list-inside' });
  folder.write('base/millrace/trusted.json', JSON.stringify({ version: 1, workspaces: [folder.path] }));
  expect(await list.isTrusted(folder.path)).toBe(false);
});

test.each(['no json', '[]', '{"workspaces": 3}', '{"workspaces": [1]}', ''])(
  'a list that contains %j trusts no workspace',
  async (text) => {
    folder.write('base/millrace/trusted.json', text);
    expect(await list.isTrusted(folder.at('one'))).toBe(false);
  },
);
