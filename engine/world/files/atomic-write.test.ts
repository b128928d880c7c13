import { chmodSync, lstatSync, readdirSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { writeFileAtomically } from './atomic-write.ts';
import { createTestFolder, type TestFolder } from './testing/test-folder.ts';

let folder: TestFolder;
beforeEach(() => {
  folder = createTestFolder();
});
afterEach(() => folder.remove());

test('creates a file and its folders, and leaves no temporary files', async () => {
  await writeFileAtomically(folder.at('a/b/c.txt'), 'new');
  expect(readFileSync(folder.at('a/b/c.txt'), 'utf8')).toBe('new');
  expect(readdirSync(folder.at('a/b'))).toEqual(['c.txt']);
});

test('replaces the content of a file and keeps its permissions', async () => {
  folder.write('run.sh', 'old');
  chmodSync(folder.at('run.sh'), 0o750);
  const before = statSync(folder.at('run.sh'));
  await writeFileAtomically(folder.at('run.sh'), 'new');
  const after = statSync(folder.at('run.sh'));
  expect(readFileSync(folder.at('run.sh'), 'utf8')).toBe('new');
  expect({ mode: after.mode, isSame: after.ino === before.ino }).toEqual({ mode: before.mode, isSame: false });
});

test('writes to the target of a link and keeps the link', async () => {
  folder.write('real.txt', 'old');
  symlinkSync('real.txt', folder.at('link.txt'));
  await writeFileAtomically(folder.at('link.txt'), 'new');
  expect(readFileSync(folder.at('real.txt'), 'utf8')).toBe('new');
  expect(lstatSync(folder.at('link.txt')).isSymbolicLink()).toBe(true);
});

test('changes nothing and leaves no temporary file when it fails', async () => {
  folder.write('taken/inside.txt', 'kept');
  await expect(writeFileAtomically(folder.at('taken'), 'new')).rejects.toThrow();
  expect(readdirSync(folder.path)).toEqual(['taken']);
  expect(readFileSync(folder.at('taken/inside.txt'), 'utf8')).toBe('kept');
});

test('readers see either the old or the new content, never a part', async () => {
  const [first, second] = ['a'.repeat(200_000), 'b'.repeat(300_000)];
  const file = folder.at('big.txt');
  await writeFileAtomically(file, first);
  let isWriting = true;
  const writing = (async () => {
    for (let round = 0; round < 10; round += 1) {
      await writeFileAtomically(file, round % 2 === 0 ? second : first);
    }
  })().finally(() => {
    isWriting = false;
  });
  const seen = new Set<number>();
  while (isWriting) {
    seen.add(readFileSync(file).length);
    await new Promise((resolve) => setImmediate(resolve));
  }
  await writing;
  expect([...seen].every((length) => length === first.length || length === second.length)).toBe(true);
});
