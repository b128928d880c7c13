import { hostname } from 'node:os';
import { beforeEach, describe, expect, test } from 'vitest';
import { asRunId } from '../../base/ids.ts';
import type { RunEvent } from '../../runtime/kernel/events/run-event.ts';
import { createManualClock, type ManualClock } from '../../testing/manual-clock.ts';
import { envelopes, newRun, runCompleted, runStart } from '../../testing/run-samples.ts';
import { type Db, openDb } from './db.ts';
import { migrate } from './migrate.ts';
import { currentOwner, type Owner } from './owner.ts';
import type { RunStore } from './run-store.ts';
import { createSqliteRunStore } from './sqlite-run-store.ts';

/** A process of this machine that has ended. */
const dead: Owner = { host: hostname(), pid: 2 ** 22 + 1, start: 'x' };
const elsewhere: Owner = { host: 'another-machine', pid: 1, start: 'x' };
const minute = 60_000;

const runId = asRunId('r1');
const resumed: RunEvent = { type: 'run:resumed' };
const suspended: RunEvent = { type: 'run:suspended', reason: 'operator', nodeId: 'send' };
const invalid = expect.objectContaining({ code: 'run.invalid-state' });

let db: Db;
let clock: ManualClock;
beforeEach(async () => {
  db = await openDb(null);
  await migrate(db);
  clock = createManualClock();
});

function storeOf(owner: Owner = currentOwner()): RunStore {
  return createSqliteRunStore(db, { clock, owner });
}

/** Records a run with these events in a store with a process that has ended. */
function leaveRun(events: readonly RunEvent[]): void {
  const lost = storeOf(dead);
  lost.createRun(newRun('r1'));
  lost.append(runId, envelopes(runId, events));
}

describe('claim', () => {
  test('takes over a run of a dead process and continues its numbering', () => {
    leaveRun([runStart, { type: 'phase:start', name: 'Run Flow' }]);
    const store = storeOf();
    expect(store.getRun(runId)?.status).toBe('interrupted');
    store.claim(runId);
    expect(store.getRun(runId)?.status).toBe('running');
    store.append(runId, envelopes(runId, [resumed, runCompleted], 2));
    expect(store.readEvents(runId, -1, 9).map(({ seq }) => seq)).toEqual([0, 1, 2, 3]);
    expect(store.getRun(runId)).toMatchObject({ status: 'completed', startedAt: 2_000 });
  });

  test('takes over a run that was queued when its process died', () => {
    storeOf(dead).createRun(newRun('r1'));
    const store = storeOf();
    expect(store.getRun(runId)?.status).toBe('interrupted');
    store.claim(runId);
    expect(store.getRun(runId)?.status).toBe('queued');
    store.append(runId, envelopes(runId, [runStart]));
    expect(store.getRun(runId)?.status).toBe('running');
  });

  test('takes over a run that was given up, even by the same store', () => {
    const store = storeOf();
    store.createRun(newRun('r1'));
    store.giveUp(runId);
    store.claim(runId);
    expect(store.getRun(runId)?.status).toBe('queued');
    expect(clock.openTimers).toBe(1);
  });

  test('rejects a run that has ended and says what can be done', () => {
    leaveRun([runStart, runCompleted]);
    expect(() => storeOf().claim(runId)).toThrow(invalid);
    expect(() => storeOf().claim(runId)).toThrow(/ended \(completed\).*redo/);
  });

  test('rejects a run that is active here or in another living process', () => {
    const [store, other] = [storeOf(), storeOf(elsewhere)];
    store.createRun(newRun('r1'));
    expect(() => store.claim(runId)).toThrow(/already queued in this program/);
    other.createRun(newRun('r2'));
    expect(() => store.claim(asRunId('r2'))).toThrow(invalid);
    expect(() => store.claim(asRunId('r2'))).toThrow(/in another program \(process 1 on another-machine\)/);
    expect(() => store.append(asRunId('r2'), envelopes(asRunId('r2'), [runStart]))).toThrow(/another engine/);
  });

  test('reports a run that does not exist', () => {
    expect(() => storeOf().claim(runId)).toThrow(expect.objectContaining({ code: 'run.not-found' }));
  });

  test('only the first claim succeeds, even if an earlier owner has given up the run', () => {
    leaveRun([runStart]);
    const [first, second] = [storeOf(), storeOf(elsewhere)];
    first.claim(runId);
    expect(() => second.claim(runId)).toThrow(invalid);
    first.giveUp(runId);
    second.claim(runId);
    expect(first.getRun(runId)?.status).toBe('running');
    expect(() => first.claim(runId)).toThrow(invalid);
  });
});

describe('a suspended run', () => {
  test('a suspended run has no owner, is never interrupted, and continues in the process that claims it', () => {
    const store = storeOf();
    store.createRun(newRun('r1'));
    store.append(runId, envelopes(runId, [runStart, suspended]));
    expect(store.getRun(runId)?.status).toBe('suspended');
    expect(clock.openTimers).toBe(0);
    expect(() => store.append(runId, envelopes(runId, [resumed], 2))).toThrow(
      expect.objectContaining({ code: 'store.not-owner' }),
    );
    const other = storeOf(elsewhere);
    other.claim(runId);
    expect(() => store.claim(runId)).toThrow(/suspended in another program/);
    other.append(runId, envelopes(runId, [resumed], 2));
    expect([store, other].map((seen) => seen.getRun(runId)?.status)).toEqual(['running', 'running']);
  });

  test('a suspended run stays suspended if its claimer dies before it continues', () => {
    leaveRun([runStart, suspended]);
    storeOf(dead).claim(runId);
    const store = storeOf();
    expect(store.getRun(runId)?.status).toBe('suspended');
    store.claim(runId);
    store.close();
  });
});

describe('an owner with an expired lease', () => {
  test('an owner with an expired lease continues if no other process has claimed the run', async () => {
    let now = clock.now();
    const there = createSqliteRunStore(db, { clock: { ...clock, now: () => now }, owner: elsewhere });
    there.createRun(newRun('r1'));
    now += 2 * minute;
    await clock.advance(2 * minute - 1);
    there.append(runId, envelopes(runId, [runStart]));
    expect(storeOf().getRun(runId)?.status).toBe('running');
  });

  test('an owner with an expired lease writes nothing more once another process has claimed the run', () => {
    let now = 0;
    const sleeping = { ...clock, now: () => now };
    const there = createSqliteRunStore(db, { clock: sleeping, owner: elsewhere });
    there.createRun(newRun('r1'));
    there.append(runId, envelopes(runId, [runStart]));
    now = clock.now();
    const here = storeOf();
    here.claim(runId);
    here.append(runId, envelopes(runId, [resumed], 1));
    now += 2 * minute;
    expect(() => there.append(runId, envelopes(runId, [runCompleted], 1))).toThrow(
      expect.objectContaining({ code: 'store.not-owner' }),
    );
    there.giveUp(runId);
    here.append(runId, envelopes(runId, [runCompleted], 2));
    expect(here.getRun(runId)?.status).toBe('completed');
  });
});
