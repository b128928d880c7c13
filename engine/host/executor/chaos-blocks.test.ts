/**
 * Tests that a run of child flows, loops and scripts with a process that is killed repeatedly loses nothing and does
 * nothing twice.
 */
import { expect, test } from 'vitest';
import { foldRun } from '../../runtime/kernel/events/fold-run.ts';
import type { EventEnvelope } from '../../runtime/kernel/events/run-event.ts';
import { emptyRunState } from '../../runtime/kernel/events/run-state.ts';
import { blockNodes } from '../../testing/chaos-blocks.ts';
import { type JournalLine, workOf } from '../../testing/chaos-order.ts';
import { setUpChaos } from '../../testing/chaos-story.ts';
import { openScopes } from '../../testing/open-scopes.ts';

const { measure, killOften } = setUpChaos();

/** Returns everything that must be independent of the number of interruptions. */
function resultOf(log: readonly EventEnvelope[]) {
  const { status, output, failedNodes, children } = foldRun(emptyRunState, log);
  const called = [...children.values()].map((run) => `${run.name} ${run.status} ${JSON.stringify(run.output)}`);
  return { status, output, failed: [...failedNodes], called: called.sort() };
}

const isBlock = ({ work }: JournalLine): boolean => blockNodes.includes(work.split(' ')[0] ?? '');
/** Bookings and Lua, which are only repeated with a person's consent. */
const actsOutside = ({ work }: JournalLine): boolean => /^(?:book|lua) /.test(work);

/** Returns the work with results in a log. */
function doneIn(log: readonly EventEnvelope[]): ReadonlySet<string> {
  const inputs = new Map<string, string>();
  const done = new Set<string>();
  for (const { runId, event } of log) {
    if (event.type !== 'node:input' && event.type !== 'task:complete') continue;
    const { nodeId = '' } = event;
    const place = `${runId} ${nodeId}`;
    const name = nodeId.split('.').at(-1) ?? '';
    if (event.type === 'node:input') inputs.set(place, workOf(name, event.input));
    else if (blockNodes.includes(name)) done.add(inputs.get(place) ?? '');
  }
  return done;
}

test('BB-30 BB-54 killed at any moment and resumed, child flows, loops and scripts lose nothing and do nothing twice', {
  timeout: 1_800_000,
}, async ({ annotate }) => {
  const whole = await measure('blocks');
  const works = new Set(whole.journal.filter(isBlock).map(({ work }) => work));
  // Six calls of three nodes each, and three iterations of the loop; each is done once.
  expect(works.size).toBe(21);
  expect(doneIn(whole.log)).toEqual(works);
  expect(whole.journal.filter((line) => isBlock(line) && line.moment === 'start')).toHaveLength(21);
  const told = await killOften(1, whole, ({ log, logs, journal }) => {
    expect(openScopes(log)).toEqual([]);
    expect(resultOf(log)).toEqual(resultOf(whole.log));
    const starts = journal.filter((line) => isBlock(line) && line.moment === 'start');
    for (const { session, work } of starts) {
      const isDone = session > 0 && doneIn(logs[session - 1] ?? []).has(work);
      expect({ session, work, isDone }).toEqual({ session, work, isDone: false });
    }
    expect(new Set(starts.map(({ work }) => work))).toEqual(works);
    const outside = starts.filter(actsOutside);
    const again = outside.length - 12;
    const asks = log.filter(({ event }) => event.type === 'node:suspended').length;
    expect(again).toBeLessThanOrEqual(asks);
    // Each flow is called once, however often its run was interrupted.
    const calls = log.filter(({ event, parentRunId }) => event.type === 'run:start' && parentRunId !== undefined);
    expect(calls).toHaveLength(6);
    return { asks, again, repeated: starts.length - works.size - again };
  });
  await annotate(told);
});
