import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { systemClock } from '../../base/clock.ts';
import { currentOwner } from '../../history/store/owner.ts';
import type { RunStore } from '../../history/store/run-store.ts';
import { openRunStore } from '../../history/store/sqlite-run-store.ts';
import { createManualClock, type ManualClock } from '../../testing/manual-clock.ts';
import { envelope, envelopes, newRun, runCompleted, runStart } from '../../testing/run-samples.ts';
import type { EngineNotice } from '../executor/notices.ts';
import { createRetention, type RetentionEngine } from './retention-engine.ts';

const dayMs = 86_400_000;

let folder: string;
let clock: ManualClock;
let store: RunStore;
let retention: RetentionEngine;
let close: () => void;
let told: number;
let notices: EngineNotice[];
const listFile = (): string => path.join(folder, 'base', 'millrace', 'retention.json');
beforeEach(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'millrace-retention-'));
  mkdirSync(path.join(folder, 'ws'));
  clock = createManualClock();
  store = await openRunStore({ file: path.join(folder, 'runs.db'), clock, owner: currentOwner() });
  told = 0;
  notices = [];
  ({ engine: retention, close } = create('ws'));
});
afterEach(() => {
  close();
  store.close();
  rmSync(folder, { recursive: true, force: true });
});

function create(workspace: string): ReturnType<typeof createRetention> {
  return createRetention({
    ...{ workspace: path.join(folder, workspace), baseFolder: path.join(folder, 'base'), clock, store },
    onDeleted: async () => void told++,
    prune: async () => undefined,
    note: (notice) => notices.push(notice),
  });
}

const open = (workspace: string): RetentionEngine => create(workspace).engine;

/** Records runs of one flow that start `daysAgo` and end at once. */
function record(ids: readonly string[], daysAgo = 0): void {
  const at = clock.now() - daysAgo * dayMs;
  for (const id of ids) {
    const { runId } = newRun(id);
    store.createRun(newRun(id, { queuedAt: at }));
    store.append(runId, [{ ...envelope(runId, runStart, 0), at }, ...envelopes(runId, [runCompleted], 1)]);
  }
}

const left = (): readonly string[] => store.listRuns({ limit: 1_000 }).map(({ runId }) => runId);
const many = (prefix: string, count: number): string[] => Array.from({ length: count }, (_, n) => `${prefix}${n}`);

describe('the rule of a workspace', () => {
  test('is stored in the base folder, for this workspace only', async () => {
    expect((await retention.readRetention()).rule).toBeUndefined();
    await retention.setRetention({ olderThanDays: 90 });
    mkdirSync(path.join(folder, 'other'));
    expect((await open('other').readRetention()).rule).toBeUndefined();
    expect((await open('ws').readRetention()).rule).toEqual({ olderThanDays: 90 });
    await retention.setRetention({});
    expect((await retention.readRetention()).rule).toEqual({});
  });

  test('is neither read from nor written to a folder that contains the list', async () => {
    await retention.setRetention({ keepPerFlow: 1 });
    const text = readFileSync(listFile(), 'utf8');
    writeFileSync(listFile(), text.replace(/\/ws"/, '"'));
    expect((await open('.').readRetention()).rule).toBeUndefined();
    const refused = expect.objectContaining({ code: 'retention.list-inside' });
    await expect(open('.').setRetention({ keepPerFlow: 1 })).rejects.toEqual(refused);
  });

  test('is not guessed from a damaged list, and nothing is deleted', async () => {
    record(['old'], 100);
    await retention.setRetention({ olderThanDays: 90 });
    writeFileSync(listFile(), '{"version":1,"entries":{"x":{"olderThanDays":0}}}');
    retention.followRetention();
    await clock.advance(60_000);
    await expect.poll(() => notices).toMatchObject([{ code: 'http.bad-list' }]);
    expect(left()).toEqual(['old']);
  });
});

test('a history becomes large with more than 1,000 runs', async () => {
  record(many('r', 1_000));
  expect(await retention.readRetention()).toMatchObject({ runs: 1_000, isLarge: false });
  record(['last']);
  expect(await retention.readRetention()).toMatchObject({ runs: 1_001, isLarge: true });
  // A rule cannot be set there.
  expect(await open('.').readRetention()).toMatchObject({ runs: 1_001, isLarge: false });
});

describe('deletes by hand', () => {
  test('exactly the runs that it lists, in several batches', async () => {
    record(many('old', 120), 91);
    record(['new'], 89);
    const rule = { olderThanDays: 90 };
    expect(await retention.findOldRuns(rule)).toHaveLength(120);
    expect(await retention.countOldRuns(rule)).toEqual({ runs: 120, oldestAt: clock.now() - 91 * dayMs });
    expect(left()).toHaveLength(121);
    expect(await retention.deleteOldRuns(rule)).toBe(120);
    expect([left(), told]).toEqual([['new'], 3]);
    expect(await retention.deleteOldRuns({})).toBe(0);
  });
});

describe('deletes while idle', () => {
  /** Lets the clock pass the next pause, once the timer for it is set. */
  async function pass(ms: number): Promise<void> {
    await expect.poll(() => clock.openTimers).toBe(1);
    await clock.advance(ms);
  }

  test('in batches, and runs that become old later', async () => {
    await retention.setRetention({ olderThanDays: 90 });
    record(many('old', 60), 91);
    record(['new'], 89);
    retention.followRetention();
    await pass(59_000);
    expect(left()).toHaveLength(61);
    await pass(1_000);
    await expect.poll(() => left().length).toBe(11);
    await pass(1_000);
    await expect.poll(left).toEqual(['new']);
    await pass(2 * dayMs);
    await expect.poll(left).toEqual([]);
  });

  test('nothing without a rule, and follows a rule that another program sets', async () => {
    record(many('r', 3));
    retention.followRetention();
    await pass(60_000);
    await pass(1);
    expect(left()).toHaveLength(3);
    await open('ws').setRetention({ keepPerFlow: 1 });
    await pass(600_000);
    await expect.poll(left).toEqual(['r2']);
  });

  test('at once by a rule that is set here, also before the first pause ends', async () => {
    record(many('r', 3));
    retention.followRetention();
    await retention.setRetention({ keepPerFlow: 2 });
    await expect.poll(left).toEqual(['r2', 'r1']);
    await retention.setRetention({ keepPerFlow: 1 });
    await expect.poll(left).toEqual(['r2']);
    await expect.poll(() => clock.openTimers).toBe(1);
  });

  test('nothing while a run is active', async () => {
    await retention.setRetention({ keepPerFlow: 1 });
    record(['r0', 'r1']);
    const { runId } = newRun('going');
    const other = await openRunStore({ file: store.file, clock: systemClock, owner: currentOwner() });
    other.createRun(newRun('going'));
    other.append(runId, envelopes(runId, [runStart]));
    retention.followRetention();
    await pass(60_000);
    await pass(1);
    expect(left()).toEqual(['going', 'r1', 'r0']);
    other.append(runId, envelopes(runId, [runCompleted], 1));
    other.close();
    await pass(600_000);
    await expect.poll(left).toEqual(['going']);
  });

  test('nothing after it is closed', async () => {
    await retention.setRetention({ keepPerFlow: 1 });
    record(['r0', 'r1']);
    retention.followRetention();
    close();
    expect(clock.openTimers).toBe(0);
  });
});
