import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { withLock } from './lock.mjs';

let folder = '';
let file = '';

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'millrace-lock-'));
  file = path.join(folder, 'deep', 'bootstrap.lock');
});

afterEach(() => rm(folder, { recursive: true }));

test('two operations under one lock never overlap', async () => {
  const steps: string[] = [];
  async function work(name: string) {
    steps.push(`${name} begins`);
    await new Promise((resolve) => setImmediate(resolve));
    steps.push(`${name} ends`);
  }
  await Promise.all([withLock(file, () => work('a')), withLock(file, () => work('b'))]);
  expect(steps).toHaveLength(4);
  expect(steps[1]).toBe(steps[0]?.replace('begins', 'ends'));
});

test('the lock contains the process that holds it and is removed afterward, even after an error', async () => {
  const failing = withLock(file, async () => {
    throw new Error(await readFile(file, 'utf8'));
  });
  await expect(failing).rejects.toThrow(String(process.pid));
  expect(existsSync(file)).toBe(false);
});

test('a lock held by a killed process is taken over', async () => {
  const { pid } = spawnSync(process.execPath, ['--version']);
  await withLock(file, async () => undefined);
  await writeFile(file, String(pid));
  expect(await withLock(file, async () => 'done')).toBe('done');
});

test('a lock of a process that was killed before it wrote its number is taken over', async () => {
  await withLock(file, async () => undefined);
  await writeFile(file, '');
  await utimes(file, 0, 0);
  expect(await withLock(file, async () => 'done')).toBe('done');
});
