import { execFileSync, spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { systemClock } from '../base/clock.ts';
import { asRunId } from '../base/ids.ts';
import { currentOwner, isOwnerAlive, type Owner } from './owner.ts';
import { bundleStoreChild, type StoreChildProgram } from './spawn-store-child.ts';
import { openRunStore } from './sqlite-run-store.ts';

const context = { clock: systemClock, owner: currentOwner() };

let program: StoreChildProgram;
let folder: string;
beforeAll(async () => {
  program = await bundleStoreChild();
});
afterAll(() => program.remove());
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'millrace-store-'));
  chmodSync(folder, 0o755);
});
afterEach(() => {
  chmodSync(folder, 0o755);
  rmSync(folder, { recursive: true, force: true });
});

test('processes that start a history at the same moment do not lock each other out', async () => {
  const startAt = String(Date.now() + 500);
  const children = Array.from({ length: 4 }, () => program.start('open-many', folder, startAt));
  const results = await Promise.all(children.map(({ ended }) => ended));
  expect(results.map(({ errors }) => errors)).toEqual(['', '', '', '']);
});

test('several processes write one history together and lose nothing', async () => {
  const file = join(folder, 'runs.db');
  const names = ['a', 'b', 'c', 'd'];
  const children = names.map((name) => program.start('write-run', file, name));
  const results = await Promise.all(children.map(({ ended }) => ended));
  expect(results.map(({ errors }) => errors)).toEqual(['', '', '', '']);
  const store = await openRunStore({ file, ...context });
  for (const name of names) {
    expect(store.getRun(asRunId(name))?.status).toBe('completed');
    expect(store.readEvents(asRunId(name), -1, 1_000).map(({ seq }) => seq)).toEqual([...Array(200).keys()]);
  }
  store.close();
});

test('everything that was appended survives kill -9, and the run is interrupted at once', async () => {
  const file = join(folder, 'runs.db');
  const child = program.start('write-forever', file, 'r1');
  const store = await openRunStore({ file, ...context });
  await expect.poll(() => store.readEvents(asRunId('r1'), 50, 1).length, { timeout: 10_000 }).toBe(1);
  expect(store.getRun(asRunId('r1'))?.status).toBe('queued');
  child.process.kill('SIGKILL');
  const { said } = await child.ended;
  expect(store.getRun(asRunId('r1'))?.status).toBe('interrupted');
  const seqs = store.readEvents(asRunId('r1'), -1, 1_000_000).map(({ seq }) => seq);
  const durable = said.slice(1);
  expect(seqs.slice(0, durable.length)).toEqual(durable);
  expect(seqs.length - durable.length).toBeLessThanOrEqual(1);
  store.close();
});

test.runIf(process.platform === 'linux')('a killed process that its parent has not fetched yet is dead', async () => {
  const file = join(folder, 'runs.db');
  const writer = [process.execPath, program.file, 'write-forever', file, 'r1'];
  // A parent that never fetches its children: the shell becomes `sleep` after starting the writer.
  const parent = spawn('sh', ['-c', '"$@" & exec sleep 60', 'sh', ...writer]);
  const owner = await new Promise<Owner>((done) => {
    parent.stdout.once('data', (chunk) => done(JSON.parse(String(chunk).split('\n')[0] ?? '') as Owner));
  });
  const lease = { until: Number.MAX_SAFE_INTEGER, now: 0 };
  expect(isOwnerAlive(owner, lease)).toBe(true);
  process.kill(owner.pid, 'SIGKILL');
  await expect.poll(() => isOwnerAlive(owner, lease)).toBe(false);
  expect(execFileSync('ps', ['-o', 'stat=', '-p', String(owner.pid)], { encoding: 'utf8' })).toMatch(/^Z/);
  parent.kill();
});

test.runIf(process.getuid !== undefined)('a workspace without write permission is used, with a notice', async () => {
  mkdirSync(join(folder, 'flows'));
  chmodSync(folder, 0o555);
  const otherUser = process.getuid?.() === 0 ? '65534' : '';
  const { said, errors } = await program.start('open-as', folder, otherUser).ended;
  expect({ said, errors }).toEqual({
    said: [
      {
        file: null,
        runs: 1,
        notices: [{ code: 'store.in-memory', message: expect.stringContaining(join(folder, '.millrace')) }],
      },
    ],
    errors: '',
  });
  expect(readdirSync(folder)).toEqual(['flows']);
});

test.runIf(process.getuid !== undefined)('a history that may only be read is left alone, with a notice', async () => {
  const otherUser = process.getuid?.() === 0 ? '65534' : '';
  const file = join(folder, '.millrace', 'runs.db');
  await program.start('open-as', folder, '').ended;
  expect(existsSync(file)).toBe(true);
  chmodSync(file, 0o444);
  chmodSync(join(folder, '.millrace'), 0o555);
  const { said, errors } = await program.start('open-as', folder, otherUser).ended;
  chmodSync(join(folder, '.millrace'), 0o755);
  expect({ said, errors }).toMatchObject({
    said: [{ file: null, notices: [{ code: 'store.in-memory', message: expect.stringContaining(file) }] }],
    errors: '',
  });
});
