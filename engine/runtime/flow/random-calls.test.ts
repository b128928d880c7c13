/**
 * Tests that calls with a result are neither sent nor logged again, wherever an attempt with calls and requests is
 * interrupted.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createAnswerDesk } from '../../testing/answer-desk.ts';
import { type Call, callingNode, createCallWorld } from '../../testing/calling-node.ts';
import { testRounds } from '../../testing/test-rounds.ts';
import { testRun } from '../../testing/test-run.ts';
import { foldRun } from '../kernel/events/fold-run.ts';
import type { EventEnvelope } from '../kernel/events/run-event.ts';
import { emptyRunState } from '../kernel/events/run-state.ts';
import { waitingRequests } from '../kernel/requests/waiting-requests.ts';

const call = fc.record({ to: fc.constantFrom('model', 'web', 'ask'), what: fc.constantFrom('a', 'b') });
/** Consecutive groups of calls; the calls of a group are made at once. */
const bodies = fc.array(fc.array(call, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 4 });

const text = 'flow: { name: f }\nnodes: [{ id: n, type: calls, input: {} }]\nedges: []';

/** Counts the results of each request in a log. */
function resultsIn(log: readonly EventEnvelope[]): readonly string[] {
  return log.flatMap(({ event }) =>
    'callKey' in event && event.type !== 'model:request' ? [event.callKey ?? ''] : [],
  );
}

/**
 * Starting from a log, answers requests until the run has ended. Returns the whole log, and what was sent from here on.
 */
async function toItsEnd(body: readonly (readonly Call[])[], cut: readonly EventEnvelope[]) {
  const desk = createAnswerDesk();
  const world = createCallWorld(`life ${cut.length}`);
  let log = [...cut];
  for (let lives = 0; log.at(-1)?.event.type !== 'run:end'; lives++) {
    if (lives > 20) throw new Error('It does not end');
    for (const { name, ask } of waitingRequests(foldRun(emptyRunState, log)))
      if (ask !== undefined) desk.give({ name, key: ask.key }, log);
    const { events } = await testRun(text, {
      ...{ nodeTypes: [callingNode(body)], answers: desk, capabilities: world.capabilities },
      ...(log.length === 0 ? {} : { resume: { events: log } }),
    });
    log = [...log, ...events];
  }
  return { log, sent: world.sent };
}

test('12.1 a wherever it is interrupted, an attempt sends only calls without a result again, and ends as it would have', async () => {
  const property = fc.asyncProperty(bodies, async (body) => {
    const whole = await toItsEnd(body, []);
    const wanted = body.flat().filter(({ to }) => to !== 'ask');
    expect([...whole.sent].sort()).toEqual(wanted.map(({ to, what }) => `${to} ${what}`).sort());
    const keys = resultsIn(whole.log);
    expect(new Set(keys).size).toBe(keys.length);
    for (let cut = 1; cut < whole.log.length - 1; cut++) {
      const before = whole.log.slice(0, cut);
      const { log, sent } = await toItsEnd(body, before);
      expect(sent.length).toBe(wanted.length - resultsIn(before).length);
      expect([...resultsIn(log)].sort()).toEqual([...keys].sort());
      expect(log.at(-1)?.event).toMatchObject({ type: 'run:end', status: 'completed' });
    }
  });
  await fc.assert(property, { numRuns: testRounds(6) });
}, 600_000);
