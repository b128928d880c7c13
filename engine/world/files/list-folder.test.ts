import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { listFolder } from './list-folder.ts';
import { createTestFolder, type TestFolder } from './testing/test-folder.ts';
import { findFiles } from './walk-files.ts';

let folder: TestFolder;

beforeEach(() => {
  folder = createTestFolder();
});

afterEach(() => folder.remove());

const list = (path = '') => listFolder(folder.path, path);
const namesIn = async (path = '') => (await list(path)).entries.map(({ name }) => name);

describe('one folder', () => {
  test('lists folders first, in natural order, with the number of their entries', async () => {
    for (const name of ['note 10.md', 'note 9.md', 'Alpha.md', 'beta.md', 'z/1.md', 'z/2.md', 'Y/a/b.md']) {
      folder.write(name, '');
    }
    mkdirSync(folder.at('empty'));
    expect(await namesIn()).toEqual(['empty', 'Y', 'z', 'Alpha.md', 'beta.md', 'note 9.md', 'note 10.md']);
    expect((await list('z/')).entries).toEqual([
      { name: '1.md', path: 'z/1.md', kind: 'file', change: null },
      { name: '2.md', path: 'z/2.md', kind: 'file', change: null },
    ]);
    const counts = (await list()).entries.flatMap(({ kind, count }) => (kind === 'folder' ? count : []));
    expect(counts).toEqual([0, 1, 2]);
  });

  test('includes the git status; a folder is marked if anything in it differs', async () => {
    folder.git('init', '-q');
    for (const path of ['ws/same/a.md', 'ws/changed/deep/a.md', 'ws/changed.md', 'ws/gone/a.md', 'ws/gone/b.md']) {
      folder.write(path, '1');
    }
    folder.git('add', '.');
    folder.git('commit', '-q', '-m', 'Start');
    folder.write('ws/changed/deep/a.md', '2');
    folder.write('ws/changed.md', '2');
    folder.write('ws/new.md', '1');
    rmSync(folder.at('ws/gone/b.md'));
    const changes = async (path: string) =>
      Object.fromEntries((await listFolder(folder.at('ws'), path)).entries.map(({ name, change }) => [name, change]));
    expect(await changes('')).toEqual({
      changed: 'modified',
      gone: 'modified',
      same: null,
      'changed.md': 'modified',
      'new.md': 'untracked',
    });
    expect(await changes('changed')).toEqual({ deep: 'modified' });
    expect(await changes('changed/deep')).toEqual({ 'a.md': 'modified' });
  });

  test('omits internal files of programs, and links that lead outside or nowhere', async () => {
    for (const path of [
      '.git/HEAD',
      '.millrace/x',
      'node_modules/p/x',
      '.aipack/.session/1/x',
      '.aipack/config.toml',
    ]) {
      folder.write(path, '');
    }
    folder.write('.0b6c3f0e-5a39-4b0c-9a53-1d8f2d3f4a5b.tmp', '');
    folder.write('notes/a.md', '');
    const outside = createTestFolder();
    symlinkSync(outside.path, folder.at('door'));
    symlinkSync('nowhere', folder.at('dangling'));
    symlinkSync('notes', folder.at('link'));
    expect(await namesIn()).toEqual(['.aipack', 'link', 'notes']);
    expect(await namesIn('.aipack')).toEqual(['config.toml']);
    expect((await list('link')).entries).toMatchObject([{ path: 'link/a.md', kind: 'file' }]);
    await expect(list('door')).rejects.toMatchObject({ code: 'files.outside' });
    await expect(list('..')).rejects.toMatchObject({ code: 'files.outside' });
    outside.remove();
  });

  test('is truncated at 5,000 entries', async () => {
    mkdirSync(folder.at('many'));
    for (let index = 0; index < 5_001; index += 1) writeFileSync(folder.at(`many/${index}.md`), '');
    const { entries, isCut } = await list('many');
    expect([entries.length, isCut, entries.at(-1)?.name]).toEqual([5_000, true, '4999.md']);
  });

  test('reports a path that is not a folder', async () => {
    folder.write('a.md', '');
    await expect(list('a.md')).rejects.toMatchObject({ code: 'files.no-folder' });
    await expect(list('none')).rejects.toMatchObject({ code: 'files.not-found' });
  });
});

describe('all files', () => {
  test('are listed in path order, without what git ignores and internal files of programs', async () => {
    folder.git('init', '-q');
    folder.write('.gitignore', 'out/\n*.log\n!keep.log\n');
    for (const path of [
      'a 10.md',
      'a 9.md',
      'x/y/z.aip',
      'out/r.md',
      'x/out/r.md',
      'e.log',
      'keep.log',
      '.millrace/x',
    ]) {
      folder.write(path, '');
    }
    expect(await findFiles(folder.path)).toEqual({
      paths: ['.gitignore', 'a 10.md', 'a 9.md', 'keep.log', 'x/y/z.aip'],
      isCut: false,
    });
    expect((await findFiles(folder.at('x'))).paths).toEqual(['y/z.aip']);
  });

  test('are found without git, and truncated at 20,000', async () => {
    mkdirSync(folder.at('deep/many'), { recursive: true });
    for (let index = 0; index < 20_001; index += 1) writeFileSync(folder.at(`deep/many/${index}`), '');
    folder.write('a.md', '');
    const { paths, isCut } = await findFiles(folder.path);
    expect([paths.length, isCut, paths[0]]).toEqual([20_000, true, 'a.md']);
  });
});
