import { mkdir, mkdtemp, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { fingerprint, readStamp, writeStamp } from './stamp.mjs';

let base = '';

beforeEach(async () => {
  base = await mkdtemp(path.join(tmpdir(), 'millrace-stamp-'));
  await mkdir(path.join(base, 'src', 'deep'), { recursive: true });
  await writeFile(path.join(base, 'src', 'a.ts'), 'one');
  await writeFile(path.join(base, 'src', 'deep', 'b.ts'), 'two');
  await writeFile(path.join(base, 'config.json'), '{}');
});

afterEach(() => rm(base, { recursive: true }));

function current() {
  return fingerprint(base, ['src', 'config.json', 'missing'], (file) => !file.endsWith('.test.ts'));
}

test('stays the same if only times or excluded files change', async () => {
  const before = await current();
  await utimes(path.join(base, 'src', 'a.ts'), 0, 0);
  await writeFile(path.join(base, 'src', 'a.test.ts'), 'test');
  expect(await current()).toBe(before);
});

test('changes with a content, a name, a new file and a removed one', async () => {
  const seen = [await current()];
  await writeFile(path.join(base, 'src', 'a.ts'), 'one!');
  seen.push(await current());
  await rename(path.join(base, 'src', 'a.ts'), path.join(base, 'src', 'c.ts'));
  seen.push(await current());
  await writeFile(path.join(base, 'src', 'deep', 'd.ts'), '');
  seen.push(await current());
  await rm(path.join(base, 'config.json'));
  seen.push(await current());
  expect(new Set(seen).size).toBe(seen.length);
});

test('a stamp is read as it was written, and a missing one is undefined', async () => {
  const file = path.join(base, 'out', 'node.stamp');
  expect(await readStamp(file)).toBeUndefined();
  await writeStamp(file, 'abc');
  expect(await readStamp(file)).toBe('abc');
});
