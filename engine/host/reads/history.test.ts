import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { currentOwner } from '../../history/store/owner.ts';
import type { RunStore } from '../../history/store/run-store.ts';
import { openRunStore } from '../../history/store/sqlite-run-store.ts';
import { readWholeRun } from '../../runtime/kernel/capabilities/read-run.ts';
import type { EventEnvelope, RunEvent } from '../../runtime/kernel/events/run-event.ts';
import { createManualClock, type ManualClock } from '../../testing/manual-clock.ts';
import { newRun } from '../../testing/run-samples.ts';
import { createHistory, createHistoryWatch } from './history.ts';

let folder: string;
let clock: ManualClock;
let own: RunStore;
let other: RunStore;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'millrace-history-'));
  clock = createManualClock();
  const context = { file: join(folder, 'runs.db'), clock, owner: currentOwner() };
  own = await openRunStore(context);
  other = await openRunStore(context);
});
afterEach(() => {
  own.close();
  other.close();
  rmSync(folder, { recursive: true });
});

test('reports writes of other processes once, and none of this store', async () => {
  const watch = createHistoryWatch(own, clock);
  let told = 0;
  watch.subscribe(() => told++);
  own.createRun(newRun('mine'));
  await clock.advance(1000);
  expect(told).toBe(0);
  other.createRun(newRun('theirs'));
  await clock.advance(1000);
  expect(told).toBe(1);
  await clock.advance(5000);
  expect(told).toBe(1);
  watch.close();
});

test('stops reading when all listeners have unsubscribed', async () => {
  const watch = createHistoryWatch(own, clock);
  let told = 0;
  const ends = [watch.subscribe(() => told++), watch.subscribe(() => told++)];
  for (const end of ends) end();
  other.createRun(newRun('theirs'));
  await clock.advance(5000);
  expect(told).toBe(0);
  watch.subscribe(() => told++);
  await clock.advance(5000);
  expect(told).toBe(0);
  watch.close();
});

test('a run is read up to the event of its summary, even if more events are written meanwhile', async () => {
  const history = createHistory(own);
  const { runId } = newRun('r1');
  own.createRun(newRun('r1'));
  const at = (seq: number, event: RunEvent): EventEnvelope => ({
    ...{ seq, at: 0, runId, context: { sessionId: newRun('r1').sessionId }, event },
  });
  own.append(runId, [at(0, { type: 'agent:text', content: 'a' })]);
  const growing: Pick<typeof history, 'readHead' | 'readEvents'> = {
    ...history,
    async readEvents(...asked) {
      own.append(runId, [
        at(1, { type: 'agent:text', content: 'b' }),
        at(2, { type: 'run:end', status: 'completed', failedNodes: [], durationMs: 1 }),
      ]);
      return await history.readEvents(...asked);
    },
  };
  const { run, events } = await readWholeRun(growing, runId);
  expect([run.status, events.map(({ seq }) => seq)]).toEqual(['queued', [0]]);
  expect(await history.readHead(runId)).toMatchObject({ run: { status: 'completed' }, lastSeq: 2 });
});

test('a read of a closed history rejects', async () => {
  const history = createHistory(own);
  own.close();
  await expect(history.getRun(newRun('r1').runId)).rejects.toThrow('it is closed');
  await expect(history.readHead(newRun('r1').runId)).rejects.toThrow('it is closed');
});

test('values read together do not include writes of another process in between', () => {
  own.createRun(newRun('r1'));
  const counts = own.readTogether(() => {
    const before = own.listRuns({ limit: 9 }).length;
    other.createRun(newRun('r2'));
    return [before, own.listRuns({ limit: 9 }).length];
  });
  expect(counts).toEqual([1, 1]);
  expect(own.listRuns({ limit: 9 })).toHaveLength(2);
});
