/** Tests that runs end when the budget of their trigger is used up. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { asRunId } from '../../base/ids.ts';
import { currentOwner } from '../../history/store/owner.ts';
import type { RunStore } from '../../history/store/run-store.ts';
import { openRunStore } from '../../history/store/sqlite-run-store.ts';
import type { BudgetDoc } from '../../language/triggers/budget-doc.ts';
import type { RunEvent } from '../../runtime/kernel/events/run-event.ts';
import type { RunListener } from '../../runtime/kernel/hub/hub-core.ts';
import { createManualClock, type ManualClock } from '../../testing/manual-clock.ts';
import { envelope, newRun, runCompleted, runStart } from '../../testing/run-samples.ts';
import { RunBudgets } from './run-budgets.ts';

const runId = asRunId('run');
let clock: ManualClock;
let store: RunStore;
let canceled: string[];
let budgets: RunBudgets;
let folder: string;
let pid = 4_000_000;
const listeners = new Set<RunListener>();

/** A process that starts: it knows only what is in the history. The processes before it no longer exist. */
async function begin(): Promise<void> {
  budgets?.close();
  store?.close();
  const owner = { ...currentOwner(), pid: pid++, start: 'gone' };
  store = await openRunStore({ file: join(folder, 'runs.db'), clock, owner });
  budgets = service();
}

function service(): RunBudgets {
  return new RunBudgets({
    ...{ clock, store, onNote: (text) => canceled.push(text), cancelRun: () => undefined },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  });
}

function emit(event: RunEvent): void {
  if (event.type === 'run:resumed') store.claim(runId);
  const last = { ...envelope(runId, event, store.lastSeq(runId) + 1), at: clock.now() };
  store.append(runId, [last]);
  for (const listener of listeners) listener([last]);
}

function response(tokens: number, costUsd: number): RunEvent {
  const usage = { promptTokens: tokens, completionTokens: 0 };
  return { type: 'model:response', nodeId: 'a', requestId: 'r', text: '', usage, costUsd } as unknown as RunEvent;
}

beforeEach(async () => {
  clock = createManualClock(Date.parse('2026-11-27T08:00Z'));
  folder = mkdtempSync(join(tmpdir(), 'millrace-budgets-'));
  canceled = [];
  await begin();
  store.createRun(newRun(runId, {}));
  emit(runStart);
});
afterEach(() => {
  budgets.close();
  store.close();
  rmSync(folder, { recursive: true, force: true });
});

const cases: readonly (readonly [string, BudgetDoc, string])[] = [
  ['tokens', { tokens: 100 }, '100 tokens'],
  ['dollars', { usd: 0.5 }, '$0.5'],
];
test.each(cases)('%s that were used before a service started count', async (_name, budget, words) => {
  budgets.watch(runId, budget);
  emit(response(60, 0.3));
  expect(canceled).toEqual([]);
  await begin();
  emit({ type: 'run:resumed' });
  budgets.watch(runId, budget);
  budgets.watch(runId, budget);
  expect(canceled).toEqual([]);
  emit(response(60, 0.3));
  expect(canceled).toEqual([`Run run was canceled: it has used its budget of ${words}.`]);
  emit(response(60, 0.3));
  expect(canceled).toHaveLength(1);
});

test('time counts while the run is active: not while it waits, and not after a crash', async () => {
  await clock.advance(20_000);
  emit({ type: 'run:suspended', reason: 'waiting' } as unknown as RunEvent);
  await clock.advance(3_600_000);
  emit({ type: 'run:resumed' });
  await clock.advance(20_000);
  emit(response(1, 0));
  // The crash leaves the run active in its history.
  await clock.advance(3_600_000);
  await begin();
  budgets.watch(runId, { seconds: 60 });
  await clock.advance(3_600_000);
  emit({ type: 'run:resumed' });
  await clock.advance(19_000);
  expect(canceled).toEqual([]);
  await clock.advance(1_000);
  expect(canceled).toEqual(['Run run was canceled: it has used its budget of 60 s.']);
});

test('a run that ends in time is forgotten', async () => {
  budgets.watch(runId, { seconds: 60 });
  await clock.advance(59_000);
  emit(runCompleted);
  await clock.advance(3_600_000);
  expect(canceled).toEqual([]);
});
