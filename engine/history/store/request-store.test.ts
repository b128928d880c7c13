/** Tests requests to the owner of a run. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { asRunId } from '../../base/ids.ts';
import { createManualClock } from '../../testing/manual-clock.ts';
import { envelopes, newRun, runCompleted, runStart } from '../../testing/run-samples.ts';
import { currentOwner } from './owner.ts';
import type { RunStore } from './run-store.ts';
import { openRunStore } from './sqlite-run-store.ts';

let store: RunStore;
beforeEach(async () => {
  store = await openRunStore({ file: null, clock: createManualClock(), owner: currentOwner() });
});
afterEach(() => store.close());

test('13.14 a request stays open until its run ends, and the oldest comes first', () => {
  const [first, second] = [asRunId('r1'), asRunId('r2')];
  for (const id of [first, second]) store.createRun(newRun(id));
  expect(store.requests.add(second, 'cancel', 5)).toBe(true);
  expect(store.requests.add(first, 'cancel', 6)).toBe(true);
  expect(store.requests.add(second, 'cancel', 7)).toBe(true);
  expect(store.requests.runsWith('cancel')).toEqual([second, first]);
  store.append(second, envelopes(second, [runStart, { type: 'run:suspended', reason: 'approval' }]));
  expect(store.requests.has(second, 'cancel')).toBe(true);
  store.append(first, envelopes(first, [runStart, runCompleted]));
  expect(store.requests.runsWith('cancel')).toEqual([second]);
  store.deleteRun(second);
  expect(store.requests.runsWith('cancel')).toEqual([]);
});

test('13.14 only a queued or running run can get a request', () => {
  const runId = asRunId('r1');
  store.createRun(newRun(runId));
  store.append(runId, envelopes(runId, [runStart, runCompleted]));
  expect(store.requests.add(runId, 'cancel', 1)).toBe(false);
  expect(store.requests.has(runId, 'cancel')).toBe(false);
  expect(() => store.requests.add(asRunId('none'), 'cancel', 1)).toThrow(
    expect.objectContaining({ code: 'run.not-found' }),
  );
});
