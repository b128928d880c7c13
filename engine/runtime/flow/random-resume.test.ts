/** Tests that a resumed run ends like an uninterrupted one, wherever its log was cut off. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createManualClock } from '../../testing/manual-clock.ts';
import { flowPlans, type RandomFlow, randomFlow, randomFlowTypes } from '../../testing/random-flows.ts';
import { testRounds } from '../../testing/test-rounds.ts';
import { startTestRun, type TestRunOptions } from '../../testing/test-run.ts';
import { foldRun } from '../kernel/events/fold-run.ts';
import type { EventEnvelope, RunEvent } from '../kernel/events/run-event.ts';
import { emptyRunState } from '../kernel/events/run-state.ts';

async function runOnce({ flow }: RandomFlow, options: TestRunOptions) {
  const clock = createManualClock();
  const run = startTestRun(flow, { ...options, clock });
  await clock.advance(100_000);
  const { events, last } = await run.done;
  expect(clock.openTimers).toBe(0);
  return { events, last };
}

/** Resumes until the run ends, approving all requests. */
async function toItsEnd(random: RandomFlow, cut: readonly EventEnvelope[], acted: string[]) {
  let log = [...cut];
  let answer: { readonly decision: 'approve' } | undefined;
  for (;;) {
    const resume = answer === undefined ? { events: log } : { events: log, answer };
    const { events, last } = await runOnce(random, { nodeTypes: randomFlowTypes(acted), resume });
    log = [...log, ...events];
    if (last.type === 'run:end') return { log, end: last };
    answer = { decision: 'approve' };
  }
}

/** Returns how the top-level nodes ended. Which items of a failing loop were stopped depends on timing. */
function endsOf({ flow }: RandomFlow, log: readonly EventEnvelope[]) {
  const { nodes } = foldRun(emptyRunState, log);
  return flow.nodes.map(({ id }) => {
    const { status, output, error, skip } = nodes.get(id) ?? {};
    return { id, status, output, code: error?.code, skip };
  });
}

function namesOf(log: readonly EventEnvelope[], isWanted: (event: RunEvent) => boolean): readonly string[] {
  return log.flatMap(({ event }) => (isWanted(event) && 'taskId' in event ? [event.taskId] : []));
}

const isEnd = ({ type }: RunEvent): boolean => ['task:complete', 'task:failed', 'task:cancelled'].includes(type);

test('from every prefix of the log of a random graph, the run ends as if it had not been interrupted', async () => {
  const property = fc.asyncProperty(flowPlans, fc.nat(), async (plan, place) => {
    // In parallel runs, which of two failures ends the run depends on timing.
    const mayEnd = plan.failFast || plan.nodes.some(({ continueOnError }) => continueOnError === false);
    const random = randomFlow({ ...plan, maxParallel: mayEnd ? 1 : plan.maxParallel });
    const whole = await runOnce(random, { nodeTypes: randomFlowTypes() });
    const cut = whole.events.slice(0, 1 + (place % (whole.events.length - 1)));
    const acted: string[] = [];
    const { log, end } = await toItsEnd(random, cut, acted);
    expect(end.status).toBe(whole.last.type === 'run:end' ? whole.last.status : '');
    // While an interrupted node waits, others continue in its place, so a failure that ends the run comes in a
    // different order.
    const hasWaited = log.some(({ event }) => event.type === 'node:suspended');
    const [ends, undisturbed] = [endsOf(random, log), endsOf(random, whole.events)];
    if (!mayEnd || !hasWaited) {
      expect({ ...end, durationMs: 0, failedNodes: [] }).toEqual({ ...whole.last, durationMs: 0, failedNodes: [] });
      expect(ends).toEqual(undisturbed);
    } else {
      // Nodes that ended by themselves in both runs ended the same way.
      const isOwnEnd = ({ status }: (typeof ends)[number]): boolean => status !== undefined && status !== 'cancelled';
      const both = ends.flatMap((one, index) => (isOwnEnd(one) && isOwnEnd(undisturbed[index] ?? one) ? [index] : []));
      expect(both.map((index) => ends[index])).toEqual(both.map((index) => undisturbed[index]));
    }
    expect(log.map(({ seq }) => seq)).toEqual(log.map((_, index) => index));
    const begun = namesOf(log, (event) => event.type === 'task:start' && event.resumed !== true);
    const ended = namesOf(log, isEnd);
    expect([...ended].sort()).toEqual([...new Set(begun)].sort());
    const endedBefore = new Set(namesOf(cut, isEnd));
    const goesOn = ({ type }: RunEvent): boolean => type.startsWith('task:');
    expect(namesOf(log.slice(cut.length), goesOn).some((id) => endedBefore.has(id))).toBe(false);
    // Nodes with an outside effect that had ended do not act again.
    expect(acted.some((id) => endedBefore.has(`node:${id}`))).toBe(false);
    expect(new Set(acted).size).toBe(acted.length);
  });
  await fc.assert(property, { numRuns: testRounds(50) });
}, 600_000);

test('a run that was interrupted while being canceled ends as canceled, and nothing starts anymore', async () => {
  const property = fc.asyncProperty(flowPlans, fc.nat(60), fc.nat(), async (plan, cancelAtMs, place) => {
    const random = randomFlow(plan);
    const clock = createManualClock();
    const run = startTestRun(random.flow, { clock, nodeTypes: randomFlowTypes() });
    await clock.advance(cancelAtMs);
    run.cancel();
    await clock.advance(2000);
    const { events } = await run.done;
    const first = events.findIndex(({ event }) => event.type === 'task:cancelled' && event.reason === 'cancel');
    fc.pre(first >= 0);
    const cut = events.slice(0, first + 1 + (place % (events.length - 1 - first)));
    const resume = { events: cut };
    const { events: rest, last } = await runOnce(random, { nodeTypes: randomFlowTypes(), resume });
    expect(last).toMatchObject({ type: 'run:end', status: 'cancelled' });
    expect(rest.filter(({ event }) => event.type === 'task:start')).toEqual([]);
    const log = [...cut, ...rest];
    const begun = namesOf(log, ({ type }) => type === 'task:start');
    expect([...namesOf(log, isEnd)].sort()).toEqual([...begun].sort());
  });
  await fc.assert(property, { numRuns: testRounds(25) });
}, 600_000);
