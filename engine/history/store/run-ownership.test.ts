import { hostname } from 'node:os';
import { beforeEach, expect, test } from 'vitest';
import { asRunId } from '../../base/ids.ts';
import { createManualClock, type ManualClock } from '../../testing/manual-clock.ts';
import { envelopes, newRun, runCompleted, runStart } from '../../testing/run-samples.ts';
import { type Db, openDb } from './db.ts';
import { migrate } from './migrate.ts';
import { currentOwner, isOwnerAlive, type Owner } from './owner.ts';
import { createSqliteRunStore } from './sqlite-run-store.ts';

const elsewhere: Owner = { host: 'another-machine', pid: 1, start: 'x' };
const minute = 60_000;

let db: Db;
let clock: ManualClock;
beforeEach(async () => {
  db = await openDb(null);
  await migrate(db);
  clock = createManualClock();
});

test('a run of another machine is alive as long as its lease is renewed', async () => {
  const clockThere = createManualClock();
  const there = createSqliteRunStore(db, { clock: clockThere, owner: elsewhere });
  const here = createSqliteRunStore(db, { clock, owner: currentOwner() });
  there.createRun(newRun('r1'));
  await clockThere.advance(10 * minute);
  await clock.advance(10 * minute);
  expect(here.getRun(asRunId('r1'))?.status).toBe('queued');
  // Advances the time only here, as if the other machine were off.
  await clock.advance(2 * minute);
  expect(here.getRun(asRunId('r1'))?.status).toBe('interrupted');
  expect(there.getRun(asRunId('r1'))?.status).toBe('queued');
  there.close();
});

test('a timer runs only while there are unfinished runs', () => {
  const store = createSqliteRunStore(db, { clock, owner: currentOwner() });
  const counts = [clock.openTimers];
  const { runId } = newRun('r1');
  store.createRun(newRun('r1'));
  store.createRun(newRun('r2'));
  counts.push(clock.openTimers);
  store.append(runId, envelopes(runId, [runStart, runCompleted]));
  counts.push(clock.openTimers);
  store.append(asRunId('r2'), envelopes(asRunId('r2'), [runCompleted]));
  counts.push(clock.openTimers);
  store.createRun(newRun('r3'));
  store.close();
  counts.push(clock.openTimers);
  expect(counts).toEqual([0, 1, 1, 0, 0]);
});

test('a run that was given up is interrupted immediately, even if that cannot be written', async () => {
  const store = createSqliteRunStore(db, { clock, owner: currentOwner() });
  const other = createSqliteRunStore(db, { clock, owner: currentOwner() });
  store.createRun(newRun('r1'));
  store.createRun(newRun('r2'));
  store.giveUp(asRunId('r1'));
  db.exec('PRAGMA query_only = ON');
  store.giveUp(asRunId('r2'));
  const statuses = [store, other].map((seen) => seen.listRuns({ limit: 9 }).map(({ status }) => status));
  expect(statuses).toEqual([
    ['interrupted', 'interrupted'],
    ['queued', 'interrupted'],
  ]);
  expect(clock.openTimers).toBe(0);
  db.exec('PRAGMA query_only = OFF');
  store.close();
});

test('an unwritable history stops neither the renewal nor the closing', async () => {
  const store = createSqliteRunStore(db, { clock, owner: currentOwner() });
  store.createRun(newRun('r1'));
  db.exec('PRAGMA query_only = ON');
  await clock.advance(minute);
  expect(clock.openTimers).toBe(1);
  store.close();
});

test('distinguishes processes with the same id, and uses the lease only for unknown ones', () => {
  const own = currentOwner();
  const expired = { until: 0, now: 1 };
  const leased = { until: 1, now: 0 };
  expect({
    own: isOwnerAlive(own, expired),
    gone: isOwnerAlive({ ...own, pid: 2 ** 22 + 1 }, leased),
    elsewhere: isOwnerAlive(elsewhere, leased),
    elsewhereLapsed: isOwnerAlive(elsewhere, expired),
    unknownStart: isOwnerAlive({ host: hostname(), pid: process.pid, start: '' }, leased),
    unknownStartLapsed: isOwnerAlive({ host: hostname(), pid: process.pid, start: '' }, expired),
  }).toEqual({
    own: process.platform === 'linux',
    gone: false,
    elsewhere: true,
    elsewhereLapsed: false,
    unknownStart: true,
    unknownStartLapsed: false,
  });
});

test.runIf(process.platform === 'linux')('a later process with the same id is not the owner', () => {
  expect(isOwnerAlive({ ...currentOwner(), start: 'an earlier start' }, { until: 1, now: 0 })).toBe(false);
});
