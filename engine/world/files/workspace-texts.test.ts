import { chmodSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { testRounds } from '../../testing/test-rounds.ts';
import { createTestFolder, type TestFolder } from './testing/test-folder.ts';
import { readWorkspaceText, writeWorkspaceText } from './workspace-texts.ts';

let folder: TestFolder;

beforeEach(() => {
  folder = createTestFolder();
});

afterEach(() => folder.remove());

const read = (path: string) => readWorkspaceText(folder.path, path);
const write = (path: string, text: string, expected?: string | null) =>
  writeWorkspaceText(folder.path, { path, text, ...(expected === undefined ? {} : { expected }) });
const bytesOf = (path: string) => readFileSync(folder.at(path));

describe('reading and writing back', () => {
  const piece = fc.oneof(
    fc.constantFrom('\r\n', '\n', '\r', '\t', '\uFEFF', '\u2028', '', '# note', '😀', 'é', 'e\u0301'),
    fc.string({ unit: 'grapheme' }),
  );

  test('preserves the exact bytes, including line endings, byte order marks and characters', async () => {
    await fc.assert(
      fc.asyncProperty(fc.boolean(), fc.array(piece), async (hasMark, pieces) => {
        const text = `${hasMark ? '\uFEFF' : ''}${pieces.join('')}`.replaceAll('\0', '');
        const bytes = Buffer.from(text);
        folder.write('a.txt', bytes);
        const found = await read('a.txt');
        expect(found.text).toBe(text);
        await write('a.txt', found.text, text);
        expect(bytesOf('a.txt').equals(bytes)).toBe(true);
      }),
      { numRuns: testRounds(60) },
    );
  });

  test('keeps permissions, and writes through a link', async () => {
    folder.write('run.sh', 'old\n');
    chmodSync(folder.at('run.sh'), 0o750);
    symlinkSync('run.sh', folder.at('link.sh'));
    await write('link.sh', 'new\r\n', 'old\n');
    expect(bytesOf('run.sh').toString()).toBe('new\r\n');
    expect(statSync(folder.at('run.sh')).mode & 0o777).toBe(0o750);
    expect(bytesOf('link.sh').toString()).toBe('new\r\n');
  });

  test('creates a file and its folders if no file is expected', async () => {
    await write('new/deep/a.md', 'x', null);
    await write('new/b.md', 'y');
    expect([bytesOf('new/deep/a.md').toString(), bytesOf('new/b.md').toString()]).toEqual(['x', 'y']);
  });
});

describe('a file with unexpected content', () => {
  test('stays unchanged, and the error contains its text', async () => {
    folder.write('a.md', '\uFEFFtheirs\r\n');
    const refused = write('a.md', 'mine', 'before');
    await expect(refused).rejects.toMatchObject({ code: 'files.changed', details: { text: '\uFEFFtheirs\r\n' } });
    await expect(write('a.md', 'mine', null)).rejects.toMatchObject({ details: { text: '\uFEFFtheirs\r\n' } });
    await expect(write('a.md', 'mine', 'theirs\r\n')).rejects.toMatchObject({ code: 'files.changed' });
    expect(bytesOf('a.md').toString()).toBe('\uFEFFtheirs\r\n');
  });

  test('reports a deleted file, and does not create it again', async () => {
    folder.write('a.md', 'before');
    rmSync(folder.at('a.md'));
    await expect(write('a.md', 'mine', 'before')).rejects.toMatchObject({
      code: 'files.changed',
      details: { text: null },
    });
    await expect(read('a.md')).rejects.toMatchObject({ code: 'files.not-found' });
    await write('a.md', 'mine', null);
    expect(bytesOf('a.md').toString()).toBe('mine');
  });

  test('does not replace a file that is no longer text', async () => {
    folder.write('a.md', new Uint8Array([0xff, 0xfe, 0]));
    await expect(write('a.md', 'mine', 'before')).rejects.toMatchObject({ code: 'files.not-text' });
    expect([...bytesOf('a.md')]).toEqual([0xff, 0xfe, 0]);
  });
});

describe('rejections', () => {
  test('a file that is not text, too large, not a regular file or missing', async () => {
    folder.write('binary', new Uint8Array([0x80]));
    folder.write('nul', 'a\0b');
    folder.write('large', new Uint8Array(16 * 1024 * 1024 + 1).fill(0x61));
    await expect(read('binary')).rejects.toMatchObject({ code: 'files.not-text' });
    await expect(read('nul')).rejects.toMatchObject({ code: 'files.not-text' });
    await expect(read('large')).rejects.toMatchObject({ code: 'files.too-large' });
    await expect(read('.')).rejects.toMatchObject({ code: 'files.not-text' });
    await expect(read('none')).rejects.toMatchObject({ code: 'files.not-found' });
  });

  test('text that could not be read back unchanged', async () => {
    await expect(write('a.md', 'half \uD83D')).rejects.toMatchObject({ code: 'files.not-text' });
    await expect(write('a.md', 'a\0b')).rejects.toMatchObject({ code: 'files.not-text' });
    await expect(write('a.md', 'é'.repeat(8 * 1024 * 1024 + 1))).rejects.toMatchObject({ code: 'files.too-large' });
    await expect(read('a.md')).rejects.toMatchObject({ code: 'files.not-found' });
  });

  test.each(['.git/config', '.millrace/x', 'sub/.git/hooks/x', '.GIT/x', 'git~1/x', '.\uFEFFgit/x', 'door/x'])(
    'writing to %s',
    async (path) => {
      folder.write('.git/config', '');
      folder.write('.millrace/x', '');
      symlinkSync('.git', folder.at('door'));
      await expect(write(path, 'mine')).rejects.toMatchObject({ code: 'files.not-writable' });
      expect(bytesOf('.millrace/x').toString()).toBe('');
    },
  );

  test('paths outside the workspace, also through links', async () => {
    const outside = createTestFolder();
    outside.write('secret.txt', 'secret');
    symlinkSync(outside.path, folder.at('door'));
    symlinkSync(outside.at('secret.txt'), folder.at('file.txt'));
    symlinkSync(outside.at('nothing'), folder.at('dangling'));
    for (const path of ['door/secret.txt', 'file.txt', '../x', outside.at('secret.txt'), 'dangling', 'a\0b', '']) {
      await expect(read(path)).rejects.toMatchObject({ code: 'files.outside' });
      await expect(write(path, 'mine')).rejects.toMatchObject({ code: 'files.outside' });
    }
    expect(readFileSync(outside.at('secret.txt'), 'utf8')).toBe('secret');
    outside.remove();
  });
});

test('reports whether a file is writable', async () => {
  folder.write('a.md', '');
  folder.write('.millrace/notes.md', '');
  expect(await read('a.md')).toEqual({ text: '', isWritable: true });
  expect(await read('.millrace/notes.md')).toEqual({ text: '', isWritable: false });
  if (process.getuid?.() === 0) return;
  chmodSync(folder.at('a.md'), 0o444);
  expect(await read('a.md')).toEqual({ text: '', isWritable: false });
  await expect(write('a.md', 'x')).rejects.toMatchObject({ code: 'files.not-writable' });
});
