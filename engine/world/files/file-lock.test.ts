import { existsSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createFastClock } from '../../testing/fast-clock.ts';
import { withFileLock } from './file-lock.ts';
import { createTestFolder, type TestFolder } from './testing/test-folder.ts';

let folder: TestFolder;

beforeEach(() => {
  folder = createTestFolder();
});

afterEach(() => folder.remove());

const { signal } = new AbortController();
const clock = createFastClock(1000);
const options = { clock, signal, shown: 'packs.lock' };

test('runs one at a time, in the order of requests, and leaves no files', async () => {
  const lock = folder.at('a/lock');
  const told: string[] = [];
  const work = (name: string) =>
    withFileLock(lock, options, async () => {
      told.push(`${name} begins`);
      expect(existsSync(lock)).toBe(true);
      await nextTurn();
      told.push(`${name} ends`);
      if (name === 'b') throw new Error('b fails');
    });
  const all = await Promise.allSettled([work('a'), work('b'), work('c')]);
  expect(told).toEqual(['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends']);
  expect(all.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(existsSync(lock)).toBe(false);
});

test('removes the lock of a program that no longer runs', async () => {
  // No process has this ID, because it exceeds the range of the system.
  folder.write('lock', '2147483646');
  expect(await withFileLock(folder.at('lock'), options, async () => 'done')).toBe('done');
});

test('waits for the lock of another program, and gives up after ten seconds', async () => {
  const lock = folder.at('lock');
  folder.write('lock', `${process.pid}`);
  const waiting = withFileLock(lock, options, async () => 'done');
  await expect(waiting).rejects.toMatchObject({ code: 'files.locked', message: expect.stringContaining('packs.lock') });
  expect(existsSync(lock)).toBe(true);
});

test('stops waiting when it is canceled', async () => {
  folder.write('lock', `${process.pid}`);
  const controller = new AbortController();
  const waiting = withFileLock(folder.at('lock'), { ...options, signal: controller.signal }, async () => 'done');
  const reason = new Error('stop');
  controller.abort(reason);
  await expect(waiting).rejects.toBe(reason);
});
