import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { asRunId } from '../../base/ids.ts';
import { createManualClock } from '../../testing/manual-clock.ts';
import { envelopes, newRun, runCompleted, runStart } from '../../testing/run-samples.ts';
import { againKey, type NewFiring } from './firing-store.ts';
import { currentOwner } from './owner.ts';
import type { RunStore } from './run-store.ts';
import { openRunStore } from './sqlite-run-store.ts';

const name = { flow: 'news.flow.yaml', trigger: 'daily' };

let store: RunStore;
beforeEach(async () => {
  store = await openRunStore({ file: null, clock: createManualClock(), owner: currentOwner() });
});
afterEach(() => store.close());

function firing(key: string, changes: Partial<NewFiring> = {}): NewFiring {
  return { ...name, key, event: { dueAt: key }, priority: 0, createdAt: 1_000, state: 'waiting', ...changes };
}

/** Returns the keys of the waiting firings in the order in which they start, and settles them. */
function keys(): readonly string[] {
  const found: string[] = [];
  for (let next = store.firings.nextWaiting(name); next !== undefined; next = store.firings.nextWaiting(name)) {
    found.push(next.key);
    store.firings.settle(next.id, 'skipped', 'Seen.');
  }
  return found;
}

test('a key is recorded once, and its first firing stays', () => {
  const first = store.firings.add(firing('a'));
  expect(first.isNew).toBe(true);
  expect(store.firings.add(firing('a', { event: { dueAt: 'other' } }))).toEqual({ ...first, isNew: false });
  expect(store.firings.add(firing('a', { trigger: 'weekly' })).isNew).toBe(true);
});

test('a firing that repeats another one counts as the time of that one', () => {
  const { firing: one } = store.firings.add(firing('2026-11-30T06:30:00.000Z'));
  store.firings.settle(one.id, 'refused', 'No.');
  const { firing: again } = store.firings.add(firing(againKey(one)));
  store.createRun(newRun('r1', { firing: { id: again.id } }));
  expect(store.firings.lastStarted(name)).toBe(one.key);
});

test('firings wait by priority, then by age', () => {
  for (const [key, priority] of [
    ['a', 0],
    ['b', 5],
    ['c', -1],
    ['d', 5],
  ] as const) {
    store.firings.add(firing(key, { priority }));
  }
  store.firings.add(firing('e', { state: 'missed', reason: 'Too late.' }));
  expect(keys()).toEqual(['b', 'd', 'a', 'c']);
});

test('several firings are recorded together, or none', () => {
  const { firing: known } = store.firings.add(firing('a'));
  const added = store.firings.addAll([firing('b'), firing('a'), firing('b')]);
  expect(added.map(({ isNew }) => isNew)).toEqual([true, false, false]);
  expect(added[1]?.firing).toEqual(known);
  expect(added[2]?.firing).toEqual(added[0]?.firing);
  const broken = { ...firing('d'), priority: 'high' as unknown as number };
  expect(() => store.firings.addAll([firing('c'), broken])).toThrow();
  expect(keys()).toEqual(['a', 'b']);
});

test('the firings of one trigger are settled without those of others', () => {
  for (const key of ['a', 'b']) store.firings.add(firing(key));
  const other = { ...name, trigger: 'weekly' };
  store.firings.add(firing('a', other));
  store.firings.settleWaiting(other, 'canceled', 'Its trigger is off.');
  expect(store.firings.waitingTriggers()).toEqual([name]);
  expect(store.firings.nextWaiting(other)).toBeUndefined();
  expect(keys()).toEqual(['a', 'b']);
});

test('a large event is stored under its hash and stays as long as its firing waits', () => {
  const event = { body: 'x'.repeat(50_000) };
  const { firing: large } = store.firings.add(firing('a', { event }));
  expect(store.firings.find(large.id)?.event).toEqual(event);
  const other = newRun('r1', { definition: JSON.stringify(event) });
  store.createRun(other);
  store.append(other.runId, envelopes(other.runId, [runStart, runCompleted]));
  store.deleteRun(other.runId);
  expect(store.firings.find(large.id)?.event).toEqual(event);
});

describe('looking at the past of a trigger', () => {
  const first = { definitionHash: 'h', lookedAt: 100 };

  test('records firings and moves the watch, unless another process was faster', () => {
    expect(store.firings.look(name, { from: undefined, to: first }, [firing('a'), firing('b')])).toBe(2);
    expect(store.firings.watchOf(name)).toEqual(first);
    const later = { ...first, lookedAt: 200 };
    expect(store.firings.look(name, { from: undefined, to: later }, [firing('c')])).toBeUndefined();
    expect(store.firings.look(name, { from: first, to: later }, [firing('b'), firing('c')])).toBe(1);
    expect(keys()).toEqual(['a', 'b', 'c']);
  });

  test('never moves back', () => {
    store.firings.look(name, { from: undefined, to: first }, []);
    store.firings.look(name, { from: first, to: { ...first, lookedAt: 50 } }, []);
    expect(store.firings.watchOf(name)?.lookedAt).toBe(100);
  });
});

describe('starting the run of a firing', () => {
  test('marks it in the same transaction, once', () => {
    const { firing: one } = store.firings.add(firing('a'));
    store.createRun(newRun('r1', { firing: { id: one.id } }));
    expect(store.firings.find(one.id)).toMatchObject({ state: 'started', runId: 'r1' });
    expect(() => store.createRun(newRun('r2', { firing: { id: one.id } }))).toThrow(
      expect.objectContaining({ code: 'firing.taken' }),
    );
    expect(store.getRun(asRunId('r2'))).toBeUndefined();
    expect(store.firings.lastStarted(name)).toBe('a');
    expect([store.firings.countStarted(name, 1_000), store.firings.countStarted(name, 1_001)]).toEqual([1, 0]);
  });

  test('leaves it waiting if the run cannot be recorded', () => {
    const { firing: one } = store.firings.add(firing('a'));
    store.createRun(newRun('r1'));
    expect(() => store.createRun(newRun('r1', { firing: { id: one.id } }))).toThrow();
    expect(keys()).toEqual(['a']);
  });

  test('waits while too many runs of its trigger or flow are unfinished', () => {
    const [one, two] = ['a', 'b'].map((key) => store.firings.add(firing(key)).firing.id);
    store.createRun(newRun('r1', { firing: { id: one ?? 0 } }));
    const blocked = expect.objectContaining({ code: 'firing.blocked' });
    expect(() => store.createRun(newRun('r2', { firing: { id: two ?? 0, mostOfTrigger: 1 } }))).toThrow(blocked);
    expect(() => store.createRun(newRun('r2', { firing: { id: two ?? 0, mostOfFlow: 1 } }))).toThrow(blocked);
    expect(store.firings.unfinishedRuns(name)).toEqual(['r1']);
    store.append(asRunId('r1'), envelopes(asRunId('r1'), [runStart, runCompleted]));
    store.createRun(newRun('r2', { firing: { id: two ?? 0, mostOfTrigger: 1, mostOfFlow: 1 } }));
    expect(store.firings.unfinishedRuns({ flow: name.flow })).toEqual(['r2']);
  });
});

test('only a waiting firing is settled, and only settled ones are deleted', () => {
  const { id } = store.firings.add(firing('a')).firing;
  store.firings.add(firing('b'));
  expect(store.firings.settle(id, 'skipped', 'Too many.')).toBe(true);
  expect(store.firings.settle(id, 'canceled', 'Later.')).toBe(false);
  expect(store.firings.find(id)).toMatchObject({ state: 'skipped', reason: 'Too many.' });
  store.firings.deleteBefore(5_000);
  expect(store.firings.list({ ...name, limit: 9 }).map(({ key }) => key)).toEqual(['b']);
});

describe('a firing that is recorded together with its run', () => {
  const added = (key: string, createdAt = 1_000) => ({ ...name, key, event: {}, priority: 0, createdAt });

  test('starts one run, and is found by its key and by its run', () => {
    store.createRun(newRun('r1', { firing: { added: added('a') } }));
    expect(() => store.createRun(newRun('r2', { firing: { added: added('a') } }))).toThrow(
      expect.objectContaining({ code: 'firing.taken' }),
    );
    expect(store.findSummary(asRunId('r2'))).toBeUndefined();
    const [found] = store.firings.list({ ...name, key: 'a', limit: 1 });
    expect(found).toMatchObject({ state: 'started', runId: 'r1' });
    expect(store.firings.list({ runId: asRunId('r1'), limit: 1 })).toEqual([found]);
    expect(store.firings.list({ runId: asRunId('r2'), limit: 1 })).toEqual([]);
  });

  test('records nothing when its trigger has started too many runs', () => {
    store.createRun(newRun('r1', { firing: { added: added('a', 1_000), mostPerHour: 2 } }));
    store.createRun(newRun('r2', { firing: { added: added('b', 2_000), mostPerHour: 2 } }));
    const late = { mostPerHour: 2, added: added('c', 3_600_999) };
    const limited = expect.objectContaining({ code: 'firing.limited', details: { againAt: 3_601_000 } });
    expect(() => store.createRun(newRun('r3', { firing: late }))).toThrow(limited);
    const blocked = expect.objectContaining({ code: 'firing.blocked' });
    expect(() => store.createRun(newRun('r3', { firing: { ...late, mostPerHour: 9, mostOfTrigger: 2 } }))).toThrow(
      blocked,
    );
    expect(store.firings.list({ ...name, limit: 9 }).map(({ key }) => key)).toEqual(['b', 'a']);
    store.createRun(newRun('r3', { firing: { mostPerHour: 2, added: added('c', 3_601_000) } }));
    expect(store.firings.list({ ...name, limit: 9 }).map(({ key }) => key)).toEqual(['c', 'b', 'a']);
  });
});
