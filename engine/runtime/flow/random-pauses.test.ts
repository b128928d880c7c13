/** Tests that a run that is paused, stepped and killed ends like an undisturbed one. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createManualClock } from '../../testing/manual-clock.ts';
import { flowPlans, type RandomFlow, randomFlow, randomFlowTypes } from '../../testing/random-flows.ts';
import { testRounds } from '../../testing/test-rounds.ts';
import { startTestRun, type TestRunOptions } from '../../testing/test-run.ts';
import { foldRun } from '../kernel/events/fold-run.ts';
import type { EventEnvelope } from '../kernel/events/run-event.ts';
import { emptyRunState } from '../kernel/events/run-state.ts';
import { RunPause } from '../kernel/hub/run-pause.ts';

/** One process of a paused run. */
interface Turn {
  /** Milliseconds after which a person pauses the run, if it was not paused before. */
  readonly pauseAfterMs: number;
  readonly action: 'continue' | 'step';
  /** The process is killed after this share of the events that it would record. */
  readonly killedAt: number | null;
}

const turns = fc.array(
  fc.record<Turn>({
    pauseAfterMs: fc.nat(60),
    action: fc.constantFrom('continue', 'step', 'step', 'step'),
    killedAt: fc.option(fc.double({ min: 0, max: 1, noNaN: true })),
  }),
  { minLength: 1, maxLength: 12 },
);

async function runTurn({ flow }: RandomFlow, options: TestRunOptions, { pauseAfterMs }: Pick<Turn, 'pauseAfterMs'>) {
  const clock = createManualClock();
  const run = startTestRun(flow, { ...options, clock });
  await clock.advance(pauseAfterMs);
  if (options.pause?.mayStart === true) options.pause.pause();
  let isDone = false;
  const done = run.done.finally(() => {
    isDone = true;
  });
  // A suspension begins in a turn of the real event loop, and may set timers.
  while (!isDone) await clock.advance(100_000);
  const { events, last } = await done;
  expect(clock.openTimers).toBe(0);
  return { events, last };
}

const startsIn = (log: readonly EventEnvelope[]): readonly string[] =>
  log.flatMap(({ event }) => (event.type === 'task:start' && event.resumed !== true ? [event.taskId] : []));

/** Returns the tasks that have started in this process, without those that an earlier one had started. */
function freshIn(events: readonly EventEnvelope[], log: readonly EventEnvelope[]): readonly string[] {
  const known = new Set(startsIn(log));
  return startsIn(events).filter((id) => !known.has(id));
}

/** Runs in one process after the other until the run ends, approving all requests. After the given turns, it continues. */
async function toItsEnd(random: RandomFlow, actions: readonly Turn[]) {
  let log: readonly EventEnvelope[] = [];
  let isPaused = false;
  for (let index = 0; ; index++) {
    const turn = actions[index] ?? { action: 'continue', pauseAfterMs: 100_000, killedAt: null };
    const pause = new RunPause(isPaused);
    const resume = { events: log, answer: { decision: 'approve' as const } };
    if (index > 0) pause.apply(turn.action);
    const options = { nodeTypes: randomFlowTypes(), pause, ...(index > 0 && { resume }) };
    const { events, last } = await runTurn(random, options, turn);
    if (index > 0 && turn.action === 'step') expect(freshIn(events, log).length).toBeLessThanOrEqual(1);
    const kept = Math.max(1, Math.round((turn.killedAt ?? 1) * events.length));
    log = [...log, ...events.slice(0, kept)];
    isPaused = pause.isPaused;
    if (log.at(-1)?.event.type === 'run:end') return { log, end: last };
  }
}

const shown = (end: object) => ({ ...end, durationMs: 0, failedNodes: [] });

function outputsIn({ flow }: RandomFlow, log: readonly EventEnvelope[]) {
  const { nodes } = foldRun(emptyRunState, log);
  return flow.nodes.map(({ id }) => nodes.get(id)?.output);
}

test('13.5 a run that is paused, stepped and killed at any time ends as if nothing had happened', async () => {
  const property = fc.asyncProperty(flowPlans, turns, async (plan, actions) => {
    // In parallel runs, which of two failures ends the run depends on timing.
    const mayEnd = plan.failFast || plan.nodes.some(({ continueOnError }) => continueOnError === false);
    const random = randomFlow({ ...plan, maxParallel: mayEnd ? 1 : plan.maxParallel });
    const whole = await runTurn(random, { nodeTypes: randomFlowTypes() }, { pauseAfterMs: 0 });
    const { log, end } = await toItsEnd(random, actions);
    expect(log.map(({ seq }) => seq)).toEqual(log.map((_, index) => index));
    expect(new Set(startsIn(log)).size).toBe(startsIn(log).length);
    expect(end.type).toBe('run:end');
    if (mayEnd) return;
    expect(shown(end)).toEqual(shown(whole.last));
    expect(outputsIn(random, log)).toEqual(outputsIn(random, whole.events));
  });
  await fc.assert(property, { numRuns: testRounds(40) });
}, 600_000);
