import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { FilesCapability } from '../../runtime/kernel/capabilities/files-capability.ts';
import { createTestFolder, type TestFolder } from './testing/test-folder.ts';
import { createWorkspaceFiles } from './workspace-files.ts';

const { signal } = new AbortController();

let folder: TestFolder;
let outer: TestFolder;
let files: FilesCapability;
beforeEach(() => {
  outer = createTestFolder();
  outer.write('secret.md', 'secret');
  folder = createTestFolder();
  files = createWorkspaceFiles(folder.path);
});
afterEach(() => {
  folder.remove();
  outer.remove();
});

async function pathsOf(...globs: string[]): Promise<string[]> {
  return (await files.readGlobs(globs, signal)).map(({ path }) => path);
}

function withCode(code: string) {
  return expect.objectContaining({ code, message: expect.stringMatching(/\. .+\.$/) });
}

describe('readText', () => {
  test('reads UTF-8, removes a byte order mark, and returns the normalized path', async () => {
    folder.write('notes/tee.md', '\uFEFFGrüner Tee 🍵\n');
    expect(await files.readText('./notes/../notes/tee.md', signal)).toEqual({
      path: 'notes/tee.md',
      text: 'Grüner Tee 🍵\n',
    });
    expect((await files.readText(folder.at('notes/tee.md'), signal)).path).toBe('notes/tee.md');
  });

  test.each([
    ['a missing file', 'none.md', 'files.not-found'],
    ['a file below a file', 'plain.md/x.md', 'files.not-found'],
    ['a folder', 'folder', 'files.not-text'],
    ['bytes that are not UTF-8', 'latin.txt', 'files.not-text'],
    ['text with NUL, as in most binary files', 'binary.bin', 'files.not-text'],
    ['more than 16 MiB', 'huge.txt', 'files.too-large'],
  ])('rejects %s', async (_title, path, code) => {
    folder.write('plain.md', 'x');
    mkdirSync(folder.at('folder'));
    folder.write('latin.txt', Uint8Array.of(0x47, 0x72, 0xfc, 0x6e));
    folder.write('binary.bin', 'a\0b');
    folder.write('huge.txt', '');
    truncateSync(folder.at('huge.txt'), 16 * 1024 * 1024 + 1);
    await expect(files.readText(path, signal)).rejects.toThrow(
      expect.objectContaining({ code, message: expect.stringContaining(path) }),
    );
  });

  test.skipIf(process.platform === 'win32')('does not block on a pipe', async () => {
    execFileSync('sh', ['-c', 'mkfifo "$0"', folder.at('pipe')]);
    await expect(files.readText('pipe', signal)).rejects.toMatchObject({ code: 'files.not-text' });
  });

  test('reads exactly 16 MiB', async () => {
    folder.write('full.txt', 'x'.repeat(16 * 1024 * 1024));
    expect((await files.readText('full.txt', signal)).text).toHaveLength(16 * 1024 * 1024);
  });

  test('reports that the workspace folder itself is missing', async () => {
    folder.remove();
    for (const attempt of [() => files.readText('a.md', signal), () => files.writeText('a.md', 'x', 'append')]) {
      await expect(attempt()).rejects.toMatchObject({
        code: 'files.not-found',
        message: expect.stringContaining(folder.path),
      });
    }
  });

  test('stops with the reason of the signal', async () => {
    folder.write('a.md', 'a');
    const controller = new AbortController();
    controller.abort(new Error('enough'));
    await expect(files.readText('a.md', controller.signal)).rejects.toThrow('enough');
    await expect(files.readGlobs(['*.md'], controller.signal)).rejects.toThrow('enough');
  });
});

describe('files outside the workspace', () => {
  const ways: readonly [string, () => string][] = [
    ['over ..', () => '../secret.md'],
    ['over .. behind an existing name', () => 'inside/../../secret.md'],
    ['as an absolute path', () => outer.at('secret.md')],
    ['through a link to a file', () => 'link.md'],
    ['through a link to a folder', () => 'linked/secret.md'],
    ['as a new file behind a linked folder', () => 'linked/new/deep.md'],
    ['through a link to a missing file', () => 'dangling.md'],
    ['through a link that leads to itself', () => 'circle.md'],
    ['as no path at all', () => ''],
    ['with a NUL in it', () => 'a\0.md'],
  ];

  test.each(ways)('cannot be read or written %s', async (_title, path) => {
    mkdirSync(folder.at('inside'));
    symlinkSync(outer.at('secret.md'), folder.at('link.md'));
    symlinkSync(outer.path, folder.at('linked'));
    symlinkSync(outer.at('new.md'), folder.at('dangling.md'));
    symlinkSync('circle.md', folder.at('circle.md'));
    await expect(files.readText(path(), signal)).rejects.toThrow(withCode('files.outside'));
    for (const mode of ['overwrite', 'append'] as const) {
      await expect(files.writeText(path(), 'x', mode)).rejects.toThrow(withCode('files.outside'));
    }
    expect(readdirSync(outer.path)).toEqual(['secret.md']);
    expect(readFileSync(outer.at('secret.md'), 'utf8')).toBe('secret');
  });

  test.each(['../*.md', '/*.md', 'inside/../../*.md', '../../**'])(
    'cannot be searched by the glob %s',
    async (glob) => {
      await expect(files.readGlobs([glob], signal)).rejects.toThrow(withCode('files.outside'));
    },
  );

  test('a glob rejects a linked folder as its base and omits links that lead outside', async () => {
    symlinkSync(outer.path, folder.at('linked'));
    symlinkSync(outer.at('secret.md'), folder.at('link.md'));
    folder.write('own.md', 'own');
    await expect(files.readGlobs(['linked/*.md'], signal)).rejects.toThrow(withCode('files.outside'));
    expect(await pathsOf('**/*.md', '{linked,.}/*.md')).toEqual(['own.md']);
  });

  test('allows a link that stays inside, and a workspace that is itself behind a link', async () => {
    folder.write('notes/real.md', 'real');
    symlinkSync('notes/real.md', folder.at('alias.md'));
    symlinkSync(folder.path, outer.at('workspace'));
    const behindLink = createWorkspaceFiles(outer.at('workspace'));
    expect(await behindLink.readText('alias.md', signal)).toEqual({ path: 'alias.md', text: 'real' });
    expect(await behindLink.writeText('alias.md', 'new', 'overwrite')).toEqual({ path: 'alias.md', sizeBytes: 3 });
    expect(readFileSync(folder.at('notes/real.md'), 'utf8')).toBe('new');
    expect(await pathsOf('*.md')).toEqual(['alias.md']);
  });
});

describe('readGlobs', () => {
  beforeEach(() => {
    const paths = ['a.md', 'b.txt', '.hidden.md', 'notes/c.md', 'notes/d1.md', 'notes/deep/e.md', 'notes/[x].md'];
    for (const path of paths) {
      folder.write(path, path);
    }
    for (const path of ['.git/g.md', 'node_modules/p/n.md', '.millrace/m.md', 'notes/node_modules/n.md']) {
      folder.write(path, path);
    }
  });

  test.each([
    [['*.md'], ['a.md']],
    [['./*.md'], ['a.md']],
    [
      ['notes/**/*.md', 'a.md', '*.md'],
      ['a.md', 'notes/[x].md', 'notes/c.md', 'notes/d1.md', 'notes/deep/e.md'],
    ],
    [['notes/*/*.md'], ['notes/deep/e.md']],
    [['{a,b}.{md,txt}'], ['a.md', 'b.txt']],
    [['notes/?.md'], ['notes/c.md']],
    [['notes/[b-d]*.md'], ['notes/c.md', 'notes/d1.md']],
    [['.*.md'], ['.hidden.md']],
    [['!a.md'], []],
    [['**'], ['a.md', 'b.txt', 'notes/[x].md', 'notes/c.md', 'notes/d1.md', 'notes/deep/e.md']],
    [['notes/c.md', 'none.md', 'notes'], ['notes/c.md']],
    [['none/*.md', ''], []],
    [[], []],
  ])('%j finds %j', async (globs, expected) => {
    expect(await pathsOf(...globs)).toEqual(expected);
  });

  test('returns the text of each file', async () => {
    expect(await files.readGlobs(['notes/deep/*'], signal)).toEqual([
      { path: 'notes/deep/e.md', text: 'notes/deep/e.md' },
    ]);
  });

  test('names the file among many that is not text', async () => {
    folder.write('notes/picture.png', Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0));
    await expect(files.readGlobs(['notes/**'], signal)).rejects.toMatchObject({
      code: 'files.not-text',
      message: expect.stringContaining('notes/picture.png'),
    });
  });

  const longName = `${'a'.repeat(250)}b.md`;

  test('handles a glob with many stars and a long name quickly', async () => {
    folder.write(`many/${longName}`, '');
    const before = performance.now();
    expect(await pathsOf(`many/${'*a'.repeat(20)}`, `${'**/*a'.repeat(20)}/c`)).toEqual([]);
    // A generous limit compared to exponential time.
    expect(performance.now() - before).toBeLessThan(10_000);
  });

  test('yields to other work while matching, and stops immediately when it is canceled', async () => {
    for (let number = 0; number < 2_000; number += 1) folder.write(`many/${number}${longName.slice(10)}`, '');
    const controller = new AbortController();
    // 729 globs with nine stars each: matching all names without a pause would take seconds.
    const found = files.readGlobs([`many/${'{*a,*aa,*aaa}'.repeat(6)}*a*a*c`], controller.signal);
    let abortedAt = 0;
    setTimeout(() => {
      abortedAt = performance.now();
      controller.abort(new Error('enough'));
    }, 100);
    await expect(found).rejects.toThrow('enough');
    expect(performance.now() - abortedAt).toBeLessThan(1_500);
  });

  test('rejects more than 64 MiB at once', async () => {
    for (const name of ['1', '2', '3', '4', '5']) {
      folder.write(`large/${name}.txt`, ' '.repeat(13 * 1024 * 1024));
    }
    await expect(files.readGlobs(['large/*'], signal)).rejects.toThrow(withCode('files.too-large'));
  });
});

describe('writeText', () => {
  test('creates folders, replaces or appends, and returns the size in bytes', async () => {
    expect(await files.writeText('out/täglich/report.md', 'Grün', 'overwrite')).toEqual({
      path: 'out/täglich/report.md',
      sizeBytes: 5,
    });
    expect(await files.writeText('out/täglich/report.md', 'er', 'append')).toMatchObject({ sizeBytes: 7 });
    expect(await files.writeText('new/log.txt', 'x', 'append')).toMatchObject({ sizeBytes: 1 });
    expect(readFileSync(folder.at('out/täglich/report.md'), 'utf8')).toBe('Grüner');
    expect(await files.writeText('out/täglich/report.md', '', 'overwrite')).toMatchObject({ sizeBytes: 0 });
  });

  test.each([
    '.git/hooks/post-commit',
    '.GIT/config',
    'sub/.git/config',
    '.git',
    '.millrace/runs.db',
    '.Millrace/x',
    '.git./config',
    'alias/config',
  ])('rejects %s', async (path) => {
    folder.write('.git/config', 'kept');
    symlinkSync('.git', folder.at('alias'));
    await expect(files.writeText(path, 'x', 'overwrite')).rejects.toThrow(withCode('files.not-writable'));
    await expect(files.writeText(path, 'x', 'append')).rejects.toThrow(withCode('files.not-writable'));
    expect(readFileSync(folder.at('.git/config'), 'utf8')).toBe('kept');
  });

  test('writes similar names: .gitignore and .github are ordinary files', async () => {
    await files.writeText('.gitignore', 'x\n', 'append');
    await files.writeText('.github/flow.md', 'x', 'overwrite');
    expect(readdirSync(folder.path).sort()).toEqual(['.github', '.gitignore']);
  });

  test('rejects a folder and a path below a file', async () => {
    mkdirSync(folder.at('taken'));
    writeFileSync(folder.at('file.md'), 'x');
    for (const path of ['taken', '.', 'file.md/below.md']) {
      await expect(files.writeText(path, 'x', 'overwrite')).rejects.toThrow(withCode('files.not-writable'));
      await expect(files.writeText(path, 'x', 'append')).rejects.toThrow(withCode('files.not-writable'));
    }
  });
});
