import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { EngineError } from '../../base/engine-error.ts';
import { timesBetween } from '../../language/triggers/next-times.ts';
import type { TriggerDoc } from '../../language/triggers/trigger-doc.ts';
import { createManualClock, type ManualClock } from '../../testing/manual-clock.ts';
import { entry, TriggerLife } from './test-trigger-life.ts';
import type { TriggerEntry } from './trigger-list.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

let folder: string;
let clock: ManualClock;
const lives: TriggerLife[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'millrace-triggers-'));
});
afterEach(async () => {
  for (const life of lives.splice(0)) await life.end();
  rmSync(folder, { recursive: true, force: true });
});

async function live(
  entries: readonly TriggerEntry[],
  change: Pick<Partial<TriggerLife>, 'runMs'> = {},
): Promise<TriggerLife> {
  const life = Object.assign(new TriggerLife({ folder, clock }), change);
  lives.push(life);
  return await life.begin(entries);
}

async function pass(ms: number, ...services: readonly TriggerLife[]): Promise<void> {
  await clock.advance(ms);
  for (const { service } of services) await service?.settled();
}

/** Firings of a trigger, oldest first: when they were due, and what became of them. */
function firingsOf(life: TriggerLife, trigger: string): readonly (readonly [key: string, state: string])[] {
  return life.store.firings
    .list({ trigger, limit: 10_000 })
    .map(({ key, state }) => [key, state] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1));
}

describe('a day with 40 triggers, a change of the clock and three kills', () => {
  const start = Date.parse('2026-10-24T22:30Z');
  const zones = ['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'UTC'];
  const rules = ['all', 'once', 'skip'] as const;
  const crons = ['*/20 * * * *', '30 2 * * *', '0 */2 * * *', '5 * * * *', '15,45 1-4 * * *', '0 7 * * *'];
  const entries = [...Array(40).keys()].map((index) => {
    const missed = rules[index % 3] ?? 'all';
    const timezone = zones[index % 4] ?? 'UTC';
    const cron = crons[index % 6] ?? '';
    const schedule = index % 10 === 9 ? { every: '25m' } : { cron, timezone };
    return entry(`t${index}`, { schedule, missed, overlap: 'queue' }, `f${index}.flow.yaml`);
  });

  test('13.8: every time fires exactly once, or is missed by its rule', { timeout: 600_000 }, async () => {
    clock = createManualClock(start);
    // It is killed between the record of firings and their runs, then after a run has started, then while it waits.
    const first = await live(entries);
    await pass(2 * hourMs, first);
    first.killAt = (step) => step === 'before run';
    await pass(1 * hourMs, first);
    expect(first.isDead).toBe(true);
    const second = await live(entries);
    await pass(3 * hourMs, second);
    second.killAt = (step) => step === 'after run';
    await pass(1 * hourMs, second);
    expect(second.isDead).toBe(true);
    const third = await live(entries);
    await pass(3 * hourMs, third);
    third.kill();
    const downAt = clock.now();
    await pass(4 * hourMs);
    const last = await live(entries);
    await pass(10 * hourMs, last);
    const end = clock.now();

    for (const { trigger, doc } of entries) {
      const found = firingsOf(last, trigger);
      const due = doc.schedule === undefined ? [] : timesBetween(doc.schedule, { after: start, until: end });
      expect(found.map(([key]) => key)).toEqual(due.map((time) => new Date(time).toISOString()));
      expect(found.filter(([, state]) => state !== 'started' && state !== 'missed')).toEqual([]);
      const missed = found.filter(([, state]) => state === 'missed').map(([key]) => Date.parse(key));
      if (doc.missed === 'all') expect(missed).toEqual([]);
      // While a service ran, nothing was missed.
      expect(missed.filter((time) => time > downAt + 4 * hourMs)).toEqual([]);
    }
    const started = last.store.firings.list({ limit: 10_000 }).filter(({ state }) => state === 'started');
    const runs = last.store.listRuns({ limit: 10_000 });
    expect(started.length).toBeGreaterThan(500);
    expect(new Set(started.map(({ runId }) => runId))).toEqual(new Set(runs.map(({ runId }) => runId)));
    expect(runs).toHaveLength(started.length);
    expect(runs.filter(({ status }) => status !== 'completed' && status !== 'running')).toEqual([]);
  });
});

describe('times that passed while nothing ran', () => {
  const start = Date.parse('2026-11-29T08:30Z');
  const hourly = { schedule: { cron: '0 * * * *' } };

  async function afterOutage(missed: TriggerDoc['missed']): Promise<readonly string[]> {
    clock = createManualClock(start);
    const entries = [entry('t', { ...hourly, overlap: 'queue', ...(missed && { missed }) })];
    const first = await live(entries);
    await pass(minuteMs, first);
    first.kill();
    await pass(4 * hourMs);
    const second = await live(entries);
    await pass(10 * minuteMs, second);
    return firingsOf(second, 't').map(([key, state]) => `${key.slice(11, 16)} ${state}`);
  }

  test.each([
    [undefined, ['09:00 missed', '10:00 missed', '11:00 missed', '12:00 started']],
    ['all', ['09:00 started', '10:00 started', '11:00 started', '12:00 started']],
    ['skip', ['09:00 missed', '10:00 missed', '11:00 missed', '12:00 missed']],
  ] as const)('start runs by the rule %s', async (missed, expected) => {
    expect(await afterOutage(missed)).toEqual(expected);
  });
});

describe('a clock that is set', () => {
  test('back repeats nothing, and forward leaves what was missed', async () => {
    clock = createManualClock(Date.parse('2026-11-29T08:59:30Z'));
    const life = await live([entry('t', { schedule: { cron: '0 * * * *' }, overlap: 'queue' })]);
    await pass(2 * minuteMs, life);
    clock.put(-30 * minuteMs);
    await pass(40 * minuteMs, life);
    expect(firingsOf(life, 't')).toEqual([['2026-11-29T09:00:00.000Z', 'started']]);
    clock.put(5 * hourMs);
    await pass(5 * minuteMs, life);
    expect(firingsOf(life, 't').map(([key, state]) => `${key.slice(11, 16)} ${state}`)).toEqual([
      '09:00 started',
      '10:00 missed',
      '11:00 missed',
      '12:00 missed',
      '13:00 missed',
      '14:00 started',
    ]);
  });
});

test('two services share the work, and each firing starts one run', async () => {
  clock = createManualClock(Date.parse('2026-11-29T08:59:30Z'));
  const entries = [...Array(10).keys()].map((index) => entry(`t${index}`, { schedule: { every: '1m' } }, `f${index}`));
  const [one, two] = [await live(entries), await live(entries)];
  await pass(30 * minuteMs, one, two);
  const firings = one.store.firings.list({ limit: 10_000 });
  expect(firings).toHaveLength(300);
  expect(firings.filter(({ state }) => state !== 'started')).toEqual([]);
  expect(one.started.length + two.started.length).toBe(300);
});

describe('while an earlier run is unfinished', () => {
  async function statesOf(overlap: TriggerDoc['overlap']): Promise<readonly string[]> {
    clock = createManualClock(Date.parse('2026-11-29T08:59:50Z'));
    const life = await live([entry('t', { schedule: { every: '1m' }, ...(overlap && { overlap }) })], {
      runMs: 150_000,
    });
    await pass(5 * minuteMs, life);
    return life.store.firings
      .list({ limit: 10 })
      .map(({ state, runId }) => (runId === undefined ? state : (life.store.findSummary(runId)?.status ?? '')))
      .reverse();
  }

  test.each<[TriggerDoc['overlap'], readonly string[]]>([
    [undefined, ['completed', 'skipped', 'skipped', 'running', 'skipped']],
    ['queue', ['completed', 'running', 'waiting', 'waiting', 'waiting']],
    ['cancelPrevious', ['cancelled', 'cancelled', 'cancelled', 'cancelled', 'running']],
    [{ parallel: 2 }, ['completed', 'completed', 'running', 'running', 'waiting']],
  ])('%j', async (overlap, expected) => {
    expect(await statesOf(overlap)).toEqual(expected);
  });

  test('13.8: an accepted request waits if its trigger has no rule', async () => {
    clock = createManualClock();
    const life = await live([entry('t', { webhook: { path: 'x' } })], { runMs: 150_000 });
    const place = { flow: 'a.flow.yaml', trigger: 't', event: { body: {} }, priority: 0, state: 'waiting' } as const;
    for (const key of ['a', 'b']) await life.service?.fire({ ...place, key, createdAt: clock.now() });
    await pass(minuteMs, life);
    expect(firingsOf(life, 't')).toEqual([
      ['a', 'started'],
      ['b', 'waiting'],
    ]);
    await pass(3 * minuteMs, life);
    expect(firingsOf(life, 't')[1]).toEqual(['b', 'started']);
  });
});

describe('what starts, and with which inputs', () => {
  test('higher priorities first, at most the limit per hour', async () => {
    clock = createManualClock(Date.parse('2026-11-29T08:59:50Z'));
    const schedule = { every: '1m' };
    const low = entry('low', { schedule, overlap: 'queue', limit: 2 });
    const high = entry('high', { schedule, overlap: 'queue', priority: 5 });
    const life = await live([low, high], { runMs: 1_000 });
    await pass(4 * minuteMs, life);
    expect(life.started.slice(0, 2).map(({ startedBy }) => startedBy?.name)).toEqual(['high', 'low']);
    expect(firingsOf(life, 'low').map(([, state]) => state)).toEqual(['started', 'started', 'skipped', 'skipped']);
    expect(life.store.firings.list({ trigger: 'low', limit: 1 })[0]?.reason).toBe(
      'limit: 2 runs have started in the last hour.',
    );
  });

  test('the event of a time has the time before', async () => {
    clock = createManualClock(Date.parse('2026-11-29T08:59:50Z'));
    const inputs = { now: '{{event.dueAt}}', since: '{{event.previousAt}}' };
    const life = await live([entry('t', { schedule: { every: '1h' }, inputs })]);
    await pass(2 * hourMs, life);
    expect(life.started.map((request) => request.inputs)).toEqual([
      { now: '2026-11-29T09:00:00.000Z', since: '2026-11-29T08:00:00.000Z' },
      { now: '2026-11-29T10:00:00.000Z', since: '2026-11-29T09:00:00.000Z' },
    ]);
  });

  test('a run of another flow that has ended, also while nothing ran', async () => {
    clock = createManualClock(Date.parse('2026-11-29T08:59:50Z'));
    const after = { flow: 'import.flow.yaml', status: ['completed', 'cancelled'] as const };
    const entries = [
      entry('source', { schedule: { every: '1h' }, missed: 'all' }, 'import.flow.yaml'),
      entry('next', { after, inputs: { id: '{{event.runId}}', how: '{{event.status}}' } }, 'report.flow.yaml'),
    ];
    const only = entries.slice(0, 1);
    const first = await live(entries);
    await pass(minuteMs, first);
    first.kill();
    const second = await live(only);
    await pass(hourMs, second);
    second.kill();
    const third = await live(entries);
    await pass(minuteMs, third);
    const runs = third.store.listRuns({ sourcePath: 'report.flow.yaml', limit: 9 });
    expect(runs.map(({ startedBy }) => startedBy?.name)).toEqual(['next', 'next']);
    expect(third.started.at(-1)?.inputs).toMatchObject({ how: 'completed' });
  });

  test('an event without the value of an input is refused, with the reason', async () => {
    clock = createManualClock();
    const life = await live([entry('t', { webhook: { path: 'x' }, inputs: { id: '{{event.body.id}}' } })]);
    const added = await life.service?.fire({
      ...{ flow: 'a.flow.yaml', trigger: 't', key: '1', event: { body: {} } },
      ...{ priority: 0, createdAt: clock.now(), state: 'waiting' },
    });
    await life.service?.settled();
    expect(life.store.firings.find(added?.firing.id ?? 0)).toMatchObject({
      state: 'refused',
      reason: expect.stringContaining('event.body.id'),
    });
  });

  test('others that are refused within a minute are only counted', async () => {
    clock = createManualClock();
    const life = await live([entry('t', { webhook: { path: 'x' }, inputs: { id: '{{event.body.id}}' } })]);
    const place = { flow: 'a.flow.yaml', trigger: 't', event: { body: {} }, priority: 0, state: 'waiting' } as const;
    const fire = async (key: string): Promise<void> => {
      await life.service?.fire({ ...place, key, createdAt: clock.now() });
      await life.service?.settled();
    };
    for (let key = 0; key < 100; key++) await fire(String(key));
    expect(life.notes).toEqual([expect.stringContaining('event.body.id')]);
    await clock.advance(minuteMs);
    await fire('next');
    expect(life.notes.slice(1)).toEqual([expect.stringContaining('99 more were refused since the last note')]);
  });
});

test('13.8: a firing of a flow that has just changed waits until the change is confirmed', async () => {
  clock = createManualClock(Date.parse('2026-11-02T10:00Z'));
  const entries = [entry('hourly', { schedule: { every: '1h' } })];
  const life = await live(entries);
  life.refusal = new EngineError({ code: 'flow.changed', message: 'changed' });
  // The list is read again, and says that the trigger has changed.
  const [confirmed] = entries.splice(0, 1, { ...entry('hourly', { schedule: { every: '1h' } }), state: 'changed' });
  await pass(hourMs, life);
  expect(firingsOf(life, 'hourly')).toEqual([['2026-11-02T11:00:00.000Z', 'waiting']]);
  life.refusal = undefined;
  await pass(10 * minuteMs, life);
  expect(life.started).toEqual([]);
  if (confirmed !== undefined) entries.splice(0, 1, confirmed);
  life.changeFlows();
  await pass(minuteMs, life);
  expect(firingsOf(life, 'hourly')).toEqual([['2026-11-02T11:00:00.000Z', 'started']]);
  expect(life.started[0]).toMatchObject({ unlessChanged: 'f' });
});
