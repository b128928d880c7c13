/**
 * Tests that a run of child flows with a process that is killed repeatedly, at any moment, loses nothing and does
 * nothing twice.
 */
import { expect, test } from 'vitest';
import { foldRun } from '../../runtime/kernel/events/fold-run.ts';
import type { EventEnvelope } from '../../runtime/kernel/events/run-event.ts';
import { emptyRunState } from '../../runtime/kernel/events/run-state.ts';
import type { JournalLine } from '../../testing/chaos-order.ts';
import { setUpChaos } from '../../testing/chaos-story.ts';
import { openScopes } from '../../testing/open-scopes.ts';

const { measure, killOften } = setUpChaos();

/** Returns everything that must be independent of the number of interruptions. */
function resultOf(log: readonly EventEnvelope[]) {
  const { status, output, failedNodes, children } = foldRun(emptyRunState, log);
  const called = [...children.values()].map((run) => `${run.name} ${run.status} ${JSON.stringify(run.output)}`);
  return { status, output, failed: [...failedNodes], called: called.sort() };
}

const isBooking = ({ work }: JournalLine): boolean => work.startsWith('book ');

/** Returns the bookings with results in a log. */
function bookedIn(log: readonly EventEnvelope[]): ReadonlySet<string> {
  const inputs = new Map<string, string>();
  const booked = new Set<string>();
  for (const { runId, event } of log) {
    if (event.type === 'node:input' && event.nodeId === 'book')
      inputs.set(runId, `book ${JSON.stringify(event.input)}`);
    if (event.type === 'task:complete' && event.nodeId === 'book') booked.add(inputs.get(runId) ?? '');
  }
  return booked;
}

test('BB-30 killed at any moment and resumed, a run with child flows repeats nothing without consent', {
  timeout: 1_800_000,
}, async ({ annotate }) => {
  const whole = await measure('flows');
  const bookings = new Set(whole.journal.filter(isBooking).map(({ work }) => work));
  expect(bookings.size).toBe(9);
  const told = await killOften(1, whole, ({ log, logs, journal }) => {
    expect(openScopes(log)).toEqual([]);
    expect(resultOf(log)).toEqual(resultOf(whole.log));
    const starts = journal.filter((line) => isBooking(line) && line.moment === 'start');
    for (const { session, work } of starts) {
      const isDone = session > 0 && bookedIn(logs[session - 1] ?? []).has(work);
      expect({ session, work, isDone }).toEqual({ session, work, isDone: false });
    }
    expect(new Set(starts.map(({ work }) => work))).toEqual(bookings);
    const asks = log.filter(({ event }) => event.type === 'node:suspended').length;
    const again = starts.length - bookings.size;
    expect(again).toBeLessThanOrEqual(asks);
    // Each flow is called once, however often its run was interrupted.
    const calls = log.filter(({ event, parentRunId }) => event.type === 'run:start' && parentRunId !== undefined);
    expect(calls).toHaveLength(12);
    return { asks, again };
  });
  await annotate(told);
});
