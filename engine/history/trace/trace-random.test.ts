import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createManualClock } from '../../testing/manual-clock.ts';
import { flowPlans, randomFlow, randomFlowTypes } from '../../testing/random-flows.ts';
import { testRounds } from '../../testing/test-rounds.ts';
import { startTestRun } from '../../testing/test-run.ts';
import { traced } from './test-trace.ts';

const ends = ['step_completed', 'step_failed', 'step_cancelled'];

test('random runs are traced in order, and each started step ends exactly once afterwards', async () => {
  const property = fc.asyncProperty(flowPlans, async (plan) => {
    const clock = createManualClock();
    const run = startTestRun(randomFlow(plan).flow, { nodeTypes: randomFlowTypes(), clock });
    await clock.advance(100_000);
    const { events } = await run.done;
    const records = traced(events);
    const places = records.map(({ event_id: id }) => id.replace('r1-', '').split('.').map(Number));
    const inOrder = [...places].sort(([a = 0, b = 0], [c = 0, d = 0]) => a - c || b - d);
    expect(places).toEqual(inOrder);
    const began = records.filter(({ kind }) => kind === 'step_started').map(({ step_id: step }) => step);
    const ended = records.filter(({ kind }) => ends.includes(kind)).map(({ step_id: step }) => step);
    expect([...ended].sort()).toEqual([...began].sort());
    for (const step of began) {
      const own = records.filter(({ step_id: one }) => one === step).map(({ kind }) => kind);
      expect([own[0], ends.includes(own.at(-1) ?? '')]).toEqual(['step_started', true]);
    }
    const [first, last] = [records[0], records.at(-1)];
    expect([first?.kind, last?.kind]).toEqual(['run_started', expect.stringMatching(/^run_(completed|failed)$/)]);
    expect(JSON.parse(JSON.stringify(records))).toEqual(records);
  });
  await fc.assert(property, { numRuns: testRounds(40) });
});
