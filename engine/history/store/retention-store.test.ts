import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { RunId } from '../../base/ids.ts';
import type { JsonValue } from '../../language/json/json-value.ts';
import type { RunEvent } from '../../runtime/kernel/events/run-event.ts';
import { createManualClock } from '../../testing/manual-clock.ts';
import { envelope, envelopes, newRun, runCompleted, runStart } from '../../testing/run-samples.ts';
import { currentOwner } from './owner.ts';
import type { NewRun, RunStore } from './run-store.ts';
import { openRunStore } from './sqlite-run-store.ts';

let store: RunStore;
beforeEach(async () => {
  store = await openRunStore({ file: null, clock: createManualClock(), owner: currentOwner() });
});
afterEach(() => store.close());

/** Records a run that starts when it is queued, with these events after its start. */
function record(id: string, events: readonly RunEvent[], changes: Partial<NewRun> = {}): RunId {
  const { runId, queuedAt: at } = newRun(id, changes);
  store.createRun(newRun(id, changes));
  store.append(runId, [{ ...envelope(runId, runStart, 0), at }]);
  if (events.length > 0) store.append(runId, envelopes(runId, events, 1));
  return runId;
}

const left = (): readonly string[] => store.listRuns({ limit: 100 }).map(({ runId }) => runId);

describe('selects', () => {
  test('runs by the time when they ended', () => {
    record('old', [runCompleted], { queuedAt: 1_000 });
    record('long', [{ ...runCompleted, durationMs: 5_000 }], { queuedAt: 1_000 });
    record('new', [runCompleted], { queuedAt: 3_000 });
    expect(store.retention.find({ endedBefore: 2_000 }, 9)).toEqual(['old']);
    expect(store.retention.find({ endedBefore: 9_000 }, 2)).toEqual(['old', 'long']);
  });

  test('runs beyond the newest of each file', () => {
    const other = { sourcePath: 'other.flow.yaml' };
    for (const id of ['a1', 'a2', 'a3']) record(id, [runCompleted]);
    for (const id of ['b1', 'b2']) record(id, [runCompleted], other);
    expect(store.retention.find({ keepPerFlow: 2 }, 9)).toEqual(['a1']);
    expect(store.retention.find({ keepPerFlow: 1 }, 9)).toEqual(['a1', 'a2', 'b1']);
  });

  test('runs to which either condition applies, and none without a condition', () => {
    record('old', [runCompleted], { queuedAt: 1_000, sourcePath: 'other.flow.yaml' });
    for (const id of ['a1', 'a2']) record(id, [runCompleted], { queuedAt: 5_000 });
    expect(store.retention.find({ keepPerFlow: 1, endedBefore: 2_000 }, 9)).toEqual(['old', 'a1']);
    expect(store.retention.count({ keepPerFlow: 1, endedBefore: 2_000 })).toEqual({ runs: 2, oldestAt: 1_000 });
    expect(store.retention.find({}, 9)).toEqual([]);
    expect(store.retention.count({})).toEqual({ runs: 0 });
  });

  test('no active, waiting or interrupted run, and none that an unfinished run reuses results of', () => {
    record('used', [runCompleted]);
    record('rerun', [{ type: 'run:suspended', reason: 'approval' }], { rerunOf: newRun('used').runId });
    record('going', []);
    store.giveUp(record('interrupted', []));
    store.createRun(newRun('queued'));
    record('ended', [runCompleted]);
    expect(store.retention.find({ endedBefore: 1e15 }, 9)).toEqual(['ended']);
    expect(store.retention.delete({ endedBefore: 1e15, keepPerFlow: 1 }, 9)).toEqual(['ended']);
    expect(left()).toEqual(['queued', 'interrupted', 'going', 'rerun', 'used']);
  });
});

describe('deletes', () => {
  const large = (letter: string): JsonValue => store.intern(letter.repeat(20_000));
  const complete = (result: JsonValue): RunEvent => {
    return { type: 'task:complete', taskId: 'node:a', nodeId: 'a', result, durationMs: 1, attempts: 1 };
  };
  const isStored = (handle: JsonValue): boolean =>
    store.readValue((handle as { readonly $value: string }).$value) !== undefined;

  test('the oldest first, with their child runs and the values that no other run uses, and makes space', () => {
    const [alone, shared] = [large('a'), large('b')];
    const first = record('r1', [complete([alone, shared])]);
    store.append(first, [{ ...envelope(newRun('child').runId, complete(alone), 2), rootRunId: first }]);
    store.append(first, envelopes(first, [runCompleted], 3));
    record('r2', [runCompleted]);
    record('r3', [complete(shared), runCompleted]);
    const before = store.retention.size();
    expect(before.runs).toBe(3);
    expect(store.retention.delete({ keepPerFlow: 1 }, 1)).toEqual(['r1']);
    expect(store.retention.delete({ keepPerFlow: 1 }, 1)).toEqual(['r2']);
    expect(store.retention.delete({ keepPerFlow: 1 }, 1)).toEqual([]);
    expect([left(), isStored(alone), isStored(shared)]).toEqual([['r3'], false, true]);
    expect(store.readEvents(first, -1, 9)).toEqual([]);
    const after = store.retention.size();
    expect(after.runs).toBe(1);
    expect(after.bytes).toBeLessThan(before.bytes);
  });

  test('no values while a run is active, because it may be about to use one', () => {
    const value = large('a');
    record('r1', [complete(value), runCompleted]);
    record('going', []);
    expect(store.retention.delete({ keepPerFlow: 1 }, 9)).toEqual(['r1']);
    expect(isStored(value)).toBe(true);
  });
});
