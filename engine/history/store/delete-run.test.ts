import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { systemClock } from '../../base/clock.ts';
import { asRunId, asSessionId, type RunId } from '../../base/ids.ts';
import type { JsonValue } from '../../language/json/json-value.ts';
import type { RunEvent } from '../../runtime/kernel/events/run-event.ts';
import { envelope, envelopes, newRun, runCompleted, runStart } from '../../testing/run-samples.ts';
import { openDb } from './db.ts';
import { currentOwner } from './owner.ts';
import type { NewRun, RunStore } from './run-store.ts';
import { openRunStore } from './sqlite-run-store.ts';

let folder: string;
let store: RunStore;
const file = (): string => path.join(folder, 'runs.db');
beforeEach(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'millrace-delete-'));
  store = await openRunStore({ file: file(), clock: systemClock, owner: currentOwner() });
});
afterEach(() => {
  store.close();
  rmSync(folder, { recursive: true, force: true });
});

function complete(result: JsonValue): RunEvent {
  return { type: 'task:complete', taskId: 'node:a', nodeId: 'a', result, durationMs: 1, attempts: 1 };
}

/** Records a run with these events after its start. */
function record(id: string, events: readonly RunEvent[], changes: Partial<NewRun> = {}): RunId {
  const { runId } = newRun(id);
  store.createRun(newRun(id, changes));
  store.append(runId, envelopes(runId, [runStart]));
  if (events.length > 0) store.append(runId, envelopes(runId, events, 1));
  return runId;
}

/** Returns the number of rows of each kind. */
async function countRows(): Promise<Readonly<Record<string, number | undefined>>> {
  const db = await openDb(file());
  const count = (table: string) => db.get<{ n: number }>(`SELECT count(*) AS n FROM ${table}`)?.n;
  const counts = { runs: count('run'), groups: count('event_group'), values: count('value') };
  db.close();
  return counts;
}

const large = (letter: string): string => letter.repeat(20_000);

function hashOf(handle: JsonValue): string {
  return (handle as { $value: string }).$value;
}

test('deletes the run with its events, its child runs and values that no other run uses', async () => {
  const own = store.intern(large('a'));
  const called = store.intern(large('b'));
  const runId = record('r1', [complete(own)], { definition: 'flow: { name: One }\n', nodeSettings: { a: 's' } });
  const child = { ...envelope(asRunId('c1'), complete({ deep: [called] }), 2), rootRunId: runId };
  store.append(runId, [child]);
  store.append(runId, envelopes(runId, [runCompleted], 3));
  expect(await countRows()).toEqual({ runs: 1, groups: 4, values: 4 });
  store.deleteRun(runId);
  expect(await countRows()).toEqual({ runs: 0, groups: 0, values: 0 });
  expect([store.getRun(runId), store.readEvents(runId, -1, 10), store.listRuns({ limit: 9 })]).toEqual([
    undefined,
    [],
    [],
  ]);
});

test('keeps what a conversation uses: its catalog, and large values in its log and its snapshots', async () => {
  const sessionId = asSessionId('s1');
  const text = 'name: Desk\n';
  const hash = store.sessions.create({ sessionId, catalogue: { path: 'desk.dialogue.yaml', name: 'Desk', text } });
  const [told, kept, alone] = ['a', 'b', 'c'].map((letter) => store.intern(large(letter))) as [
    JsonValue,
    JsonValue,
    JsonValue,
  ];
  const event = { type: 'stack:complete', flowId: 'f1', result: { found: [told] } } as const;
  store.sessions.append(sessionId, [{ seq: 0, at: 1, sessionId, event }]);
  store.sessions.keepSnapshot(sessionId, { seq: 0, text: JSON.stringify({ kept }) });
  const runId = record('r1', [complete({ catalogue: hash, told, kept, alone }), runCompleted]);
  store.deleteRun(runId);
  const left = [told, kept, alone].map((handle) => store.readValue(hashOf(handle)));
  expect(left).toEqual([large('a'), large('b'), undefined]);
  expect(await countRows()).toMatchObject({ runs: 0, values: 3 });
});

test('keeps the events of other runs and the values they share with it', async () => {
  const shared = store.intern(large('a'));
  const alone = store.intern(large('b'));
  const before = record('r0', [complete(shared), runCompleted]);
  const runId = record('r1', [complete([shared, alone]), runCompleted]);
  const behind = record('r2', [runCompleted], { nodeSettings: { a: 's' } });
  const kept = [before, behind].map((id) => [store.getRun(id), store.readEvents(id, -1, 10)]);
  store.deleteRun(runId);
  expect([before, behind].map((id) => [store.getRun(id), store.readEvents(id, -1, 10)])).toEqual(kept);
  expect(store.readValue(hashOf(shared))).toBe(large('a'));
  expect(store.readValue(hashOf(alone))).toBeUndefined();
  expect(store.readDefinition(store.getRun(before)?.definitionHash ?? '')).toBe('flow: {}\n');
});

test("does not reuse the run's number", () => {
  store.deleteRun(record('r1', [runCompleted]));
  record('r2', []);
  expect([store.findRun(1), store.getRun(asRunId('r2'))?.number]).toEqual([undefined, 2]);
});

test('keeps all values while another run is active, because it may be about to use one', () => {
  const handle = store.intern(large('a'));
  const runId = record('r1', [complete(handle), runCompleted]);
  const going = record('r2', []);
  store.deleteRun(runId);
  store.append(going, envelopes(going, [complete(handle)], 1));
  expect([store.getRun(runId), store.readValue(hashOf(handle))]).toEqual([undefined, large('a')]);
});

describe('refusals', () => {
  const invalid = expect.objectContaining({ code: 'run.invalid-state' });

  test('rejects a run that is active here or in another program, and changes nothing', async () => {
    const runId = record('r1', []);
    expect(() => store.deleteRun(runId)).toThrow(invalid);
    const other = await openRunStore({ file: file(), clock: systemClock, owner: currentOwner() });
    expect(() => other.deleteRun(runId)).toThrow(invalid);
    other.close();
    expect(store.readEvents(runId, -1, 10)).toHaveLength(1);
  });

  test('rejects a suspended run that has been resumed', () => {
    const runId = record('r1', [{ type: 'run:suspended', reason: 'approval' }]);
    store.claim(runId);
    expect(() => store.deleteRun(runId)).toThrow(invalid);
    store.giveUp(runId);
    store.deleteRun(runId);
    expect(store.getRun(runId)).toBeUndefined();
  });

  test('rejects a run with results that an unfinished run uses', () => {
    const runId = record('r1', [runCompleted]);
    const rerun = record('r2', [], { rerunOf: runId });
    expect(() => store.deleteRun(runId)).toThrow(invalid);
    store.append(rerun, envelopes(rerun, [runCompleted], 1));
    store.deleteRun(runId);
    expect(store.getRun(rerun)?.rerunOf).toBe(runId);
  });

  test('rejects a run that does not exist', () => {
    expect(() => store.deleteRun(asRunId('r9'))).toThrow(expect.objectContaining({ code: 'run.not-found' }));
  });
});

test('deletes an interrupted run', async () => {
  const runId = record('r1', []);
  store.close();
  store = await openRunStore({ file: file(), clock: systemClock, owner: currentOwner() });
  store.deleteRun(runId);
  expect(await countRows()).toEqual({ runs: 0, groups: 0, values: 0 });
});
