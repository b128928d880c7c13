/**
 * Tests the ownership of runs by processes on several machines.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { asRunId } from '../../base/ids.ts';
import { bundleChildProgram, type ChildProgram } from '../../testing/child-program.ts';
import { envelopes, newRun, runCompleted, runStart } from '../../testing/run-samples.ts';
import { isMissing, sharedPostgres } from '../../testing/test-postgres.ts';
import { openSharedHistory } from './open-shared-history.ts';
import type { SharedHistory } from './shared-history.ts';

const postgres = await sharedPostgres();
const why = isMissing(postgres) ? ` (skipped: ${postgres.missing})` : '';
const validMs = 2_000;

describe.skipIf(isMissing(postgres))(`ownership in a shared history${why}`, () => {
  let url: string;
  let program: ChildProgram;
  let watcher: SharedHistory;
  const children: ChildProcess[] = [];

  beforeAll(async () => {
    if (isMissing(postgres)) return;
    url = await postgres.createDatabase();
    program = await bundleChildProgram(fileURLToPath(new URL('../../testing/lease-child.ts', import.meta.url)));
    watcher = await openSharedHistory({ url, workspace: 'w', home: 'here' });
  });
  afterAll(async () => {
    for (const child of children) child.kill('SIGKILL');
    program?.remove();
    await watcher?.close();
  });

  async function startChild(id: string): Promise<ChildProcess> {
    const child = spawn(process.execPath, [program.file, url, 'w', id, String(validMs)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    children.push(child);
    await once(child.stdout, 'data');
    return child;
  }

  async function statusOf(id: string): Promise<string | undefined> {
    return (await watcher.findSummary(asRunId(id)))?.status;
  }

  test('13.11 a run shows as running while its process renews the lease, and as interrupted otherwise', async () => {
    const [one, other] = await Promise.all([startChild('one'), startChild('other')]);
    expect([await statusOf('one'), await statusOf('other')]).toEqual(['running', 'running']);
    one.kill('SIGSTOP');
    await vi.waitUntil(async () => (await statusOf('one')) === 'interrupted');
    expect(await statusOf('other')).toBe('running');
    one.kill('SIGCONT');
    await vi.waitUntil(async () => (await statusOf('one')) === 'running');
    other.kill('SIGKILL');
    await vi.waitUntil(async () => (await statusOf('other')) === 'interrupted');
    expect(await statusOf('one')).toBe('running');
    expect((await watcher.listRuns({ limit: 9 })).map(({ runId, status }) => [runId, status]).sort()).toEqual([
      ['one', 'running'],
      ['other', 'interrupted'],
    ]);
  });

  test('a run has one owner, and none after its end', async () => {
    const open = () => openSharedHistory({ url, workspace: 'w', home: 'shared' });
    const [one, other] = [await open(), await open()];
    const runId = asRunId('owned');
    await one.createRun(newRun(runId));
    expect(await other.own(runId)).toBe(false);
    expect(await one.own(runId)).toBe(true);
    expect(await watcher.own(runId)).toBe(false);
    await one.disown(runId);
    expect(await statusOf('owned')).toBe('interrupted');
    const owners = await Promise.all([one.own(runId), other.own(runId)]);
    expect([...owners].sort()).toEqual([false, true]);
    await (owners[0] ? one : other).close();
    expect(await statusOf('owned')).toBe('interrupted');
    const left = owners[0] ? other : one;
    expect(await left.own(runId)).toBe(true);
    await left.project([{ runId, events: envelopes(runId, [runStart, runCompleted]) }]);
    expect(await statusOf('owned')).toBe('completed');
    await left.close();
  });
});
