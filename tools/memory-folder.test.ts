import { existsSync } from 'node:fs';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { withMemoryFolder } from './memory-folder.mjs';

let place = '';

beforeEach(async () => {
  place = await mkdtemp(path.join(tmpdir(), 'millrace-memory-'));
});

afterEach(() => rm(place, { recursive: true }));

test('the work has an empty folder for its temporary files, which is removed afterward', async () => {
  let folder = '';
  const result = await withMemoryFolder(
    { A: '1' },
    async ({ A, TMPDIR = '' }) => {
      folder = TMPDIR;
      expect([A, path.dirname(folder), await readdir(folder)]).toEqual(['1', place, []]);
      await writeFile(path.join(folder, 'left'), '');
      return 'done';
    },
    place,
  );
  expect([result, existsSync(folder)]).toEqual(['done', false]);
});

test('the folder is also removed after work that failed', async () => {
  const work = () => Promise.reject(new Error('failed'));
  await expect(withMemoryFolder({}, work, place)).rejects.toThrow('failed');
  expect(await readdir(place)).toEqual([]);
});

test('the environment is unchanged if the folder does not exist', async () => {
  const env = { TMPDIR: '/somewhere' };
  expect(await withMemoryFolder(env, async (given) => given, path.join(place, 'none'))).toBe(env);
});
