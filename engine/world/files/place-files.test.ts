import { execFileSync } from 'node:child_process';
import {
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
} from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { copyName, createEntry, duplicateEntry, renameEntry } from './place-files.ts';
import { createTestFolder, type TestFolder } from './testing/test-folder.ts';

let folder: TestFolder;

beforeEach(() => {
  folder = createTestFolder();
});

afterEach(() => folder.remove());

const create = (path: string, kind: 'file' | 'folder' = 'file', text = '') =>
  createEntry(folder.path, { path, kind, text });
const rename = (from: string, to: string) => renameEntry(folder.path, { from, to });
const textOf = (path: string) => readFileSync(folder.at(path), 'utf8');

describe('creating', () => {
  test('a file or a folder, including its parent folders', async () => {
    await create('a/b/c.md', 'file', '\uFEFFx\r\n');
    await create('a/d/e', 'folder');
    expect(textOf('a/b/c.md')).toBe('\uFEFFx\r\n');
    expect(lstatSync(folder.at('a/d/e')).isDirectory()).toBe(true);
  });

  test('replaces nothing', async () => {
    folder.write('a.md', 'mine');
    mkdirSync(folder.at('b'));
    symlinkSync('nowhere', folder.at('link'));
    for (const path of ['a.md', 'b', 'link']) {
      await expect(create(path)).rejects.toMatchObject({ code: 'files.exists' });
      await expect(create(path, 'folder')).rejects.toMatchObject({ code: 'files.exists' });
    }
    await expect(create('a.md/b.md')).rejects.toMatchObject({ code: 'files.not-writable' });
    expect(textOf('a.md')).toBe('mine');
  });

  test('of several requests at once, one succeeds and the others fail', async () => {
    const made = await Promise.allSettled(Array.from({ length: 8 }, (_, index) => create('a.md', 'file', `${index}`)));
    expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(Number(textOf('a.md'))).toBe(made.findIndex(({ status }) => status === 'fulfilled'));
  });

  test.each(['a?.md', 'a:b', 'nul', 'con.txt', 'a.', 'a ', ' a', 'a\\b', 'a\nb', 'a/'])(
    'rejects %j, a name that some systems do not allow',
    async (path) => {
      await expect(create(path)).rejects.toMatchObject({ code: 'files.bad-name' });
    },
  );

  test.each(['.git', '.git/x', '.millrace/x', '.Git', 'GIT~1', '.g\u200Cit', 'sub/MILLRA~1/x'])(
    'rejects %s, which is protected',
    async (path) => {
      folder.write('.git/config', '');
      await expect(create(path, 'folder')).rejects.toMatchObject({ code: 'files.not-writable' });
    },
  );

  test('rejects paths outside the workspace', async () => {
    const outside = createTestFolder();
    symlinkSync(outside.path, folder.at('door'));
    for (const path of ['door/x', '../x.md', outside.at('x'), '.']) {
      await expect(create(path)).rejects.toMatchObject({
        code: expect.stringMatching(/^files\.(?:outside|bad-name)$/),
      });
    }
    expect(readdirSync(outside.path)).toEqual([]);
    outside.remove();
  });
});

describe('renaming', () => {
  test('moves files and whole folders, and creates the target folders', async () => {
    folder.write('a/b.md', 'x');
    await rename('a', 'new/place');
    expect(textOf('new/place/b.md')).toBe('x');
    await rename('new/place/b.md', 'c.md');
    expect([textOf('c.md'), existsSync(folder.at('new/place/b.md'))]).toEqual(['x', false]);
  });

  test('can change only the case of a name, and does nothing if the name is the same', async () => {
    folder.write('readme.md', 'x');
    await rename('readme.md', 'README.md');
    await rename('README.md', 'README.md');
    expect(readdirSync(folder.path)).toEqual(['README.md']);
  });

  test('never replaces a file, an empty folder, a link, or another name of the same file', async () => {
    folder.write('a.md', 'a');
    folder.write('b.md', 'b');
    mkdirSync(folder.at('empty'));
    symlinkSync('nowhere', folder.at('link'));
    linkSync(folder.at('a.md'), folder.at('A.md'));
    for (const to of ['b.md', 'empty', 'link', 'A.md']) {
      await expect(rename('a.md', to)).rejects.toMatchObject({ code: 'files.exists' });
    }
    expect([textOf('a.md'), textOf('b.md'), readlinkSync(folder.at('link'))]).toEqual(['a', 'b', 'nowhere']);
  });

  test('moves a link, not its target', async () => {
    const outside = createTestFolder();
    symlinkSync(outside.path, folder.at('door'));
    await rename('door', 'gate');
    expect(readlinkSync(folder.at('gate'))).toBe(outside.path);
    outside.remove();
  });

  test('rejects protected files, missing files, and the workspace itself', async () => {
    folder.write('.git/config', 'c');
    folder.write('.millrace/runs.db', 'r');
    folder.write('a/b.md', '');
    for (const [from, to] of [
      ['.git', 'git'],
      ['.millrace/runs.db', 'runs.db'],
      ['a/b.md', '.git/hook'],
      ['a/b.md', 'a/.millrace'],
    ] as const) {
      await expect(rename(from, to)).rejects.toMatchObject({ code: 'files.not-writable' });
    }
    await expect(rename('none', 'x')).rejects.toMatchObject({ code: 'files.not-found' });
    await expect(rename('.', 'x')).rejects.toMatchObject({ code: 'files.outside' });
    await expect(rename('a', '../x')).rejects.toMatchObject({ code: 'files.outside' });
    await expect(rename('a', 'a/new/b')).rejects.toMatchObject({ code: 'files.bad-name' });
    expect(readdirSync(folder.at('a'))).toEqual(['b.md']);
    expect(readdirSync(folder.path).sort()).toEqual(['.git', '.millrace', 'a']);
  });
});

describe('duplicating', () => {
  test('finds an unused name beside the file and copies it unchanged', async () => {
    folder.write('sub/a.flow.yaml', '\uFEFFx\r\n');
    expect(await duplicateEntry(folder.path, 'sub/a.flow.yaml')).toBe('sub/a-copy.flow.yaml');
    expect(await duplicateEntry(folder.path, 'sub/a.flow.yaml')).toBe('sub/a-copy-2.flow.yaml');
    expect(readFileSync(folder.at('sub/a-copy-2.flow.yaml')).equals(readFileSync(folder.at('sub/a.flow.yaml')))).toBe(
      true,
    );
  });

  test('copies folders without following links in them, and supports many copies at once', async () => {
    folder.write('v1.0/a.md', 'x');
    symlinkSync('a.md', folder.at('v1.0/link'));
    const copies = await Promise.all([1, 2, 3].map(() => duplicateEntry(folder.path, 'v1.0')));
    expect(copies.sort()).toEqual(['v1.0-copy', 'v1.0-copy-2', 'v1.0-copy-3']);
    for (const copy of copies) {
      expect([textOf(`${copy}/a.md`), readlinkSync(folder.at(`${copy}/link`))]).toEqual(['x', 'a.md']);
    }
  });

  test.skipIf(process.platform === 'win32')('does not block on a pipe, and does not copy one', async () => {
    execFileSync('mkfifo', [folder.at('pipe')]);
    await expect(duplicateEntry(folder.path, 'pipe')).rejects.toMatchObject({ code: 'files.not-readable' });
    expect(readdirSync(folder.path)).toEqual(['pipe']);
  });

  test('rejects missing and protected files', async () => {
    folder.write('.git/config', '');
    await expect(duplicateEntry(folder.path, 'none')).rejects.toMatchObject({ code: 'files.not-found' });
    await expect(duplicateEntry(folder.path, '.git')).rejects.toMatchObject({ code: 'files.not-writable' });
  });

  test.each([
    ['a.md', 'a-copy.md'],
    ['a.flow.yaml', 'a-copy.flow.yaml'],
    ['a.b.md', 'a.b-copy.md'],
    ['README', 'README-copy'],
    ['.gitignore', '.gitignore-copy'],
    ['.env.local', '.env-copy.local'],
  ])('%s becomes %s', (name, copy) => {
    expect(copyName(name, 1, false)).toBe(copy);
  });
});
