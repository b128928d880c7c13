/** Laws that hold for every graph, whatever its nodes do and whenever it is cancelled. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compileFlow } from '../flowspec/compile-flow.ts';
import type { CompiledFlow } from '../flowspec/compiled-flow.ts';
import type { NodeDoc } from '../flowspec/flow-doc.ts';
import type { RunEvent } from '../kernel/run-event.ts';
import { createManualClock } from '../testing/manual-clock.ts';
import { startTestRun } from '../testing/test-run.ts';

type Fate = 'completes' | 'waits' | 'fails' | 'times out' | 'is skipped' | 'is disabled';

const fates = fc.constantFrom<Fate>('completes', 'waits', 'fails', 'times out', 'is skipped', 'is disabled');

const plans = fc.record({
  fates: fc.array(fates, { minLength: 1, maxLength: 12 }),
  /** Pairs of positions; the smaller one of a pair comes first, so there are no cycles. */
  links: fc.array(fc.tuple(fc.nat(11), fc.nat(11)), { maxLength: 20 }),
  tolerated: fc.array(fc.constantFrom(true, false, undefined), { minLength: 12, maxLength: 12 }),
  failFast: fc.boolean(),
  shuffle: fc.nat(11),
  cancelAtMs: fc.option(fc.nat(60)),
});

type Plan = typeof plans extends fc.Arbitrary<infer T> ? T : never;

function nodeOf(fate: Fate, id: string, continueOnError: boolean | undefined): NodeDoc {
  const policy = continueOnError === undefined ? {} : { continueOnError };
  switch (fate) {
    case 'fails':
      return {
        id,
        type: 'control.fail',
        input: { message: id },
        policy: { ...policy, retry: { maxAttempts: 2, backoffMs: 3 } },
      };
    case 'waits':
      return { id, type: 'control.wait', input: { ms: 7 }, policy };
    case 'times out':
      return { id, type: 'control.wait', input: { ms: 7 }, policy: { ...policy, timeoutMs: 5 } };
    case 'is skipped':
      return { id, type: 'echo', input: { text: id }, when: { equals: { var: 'flow.input.no', value: true } } };
    case 'is disabled':
      return { id, type: 'echo', input: { text: id }, disabled: true };
    default:
      return { id, type: 'echo', input: { text: id } };
  }
}

function flowOf({ fates: ofNodes, links, tolerated, failFast, shuffle }: Plan): CompiledFlow {
  const ids = ofNodes.map((_, index) => `n${index}`);
  const nodes = ofNodes.map((fate, index) => nodeOf(fate, `n${index}`, tolerated[index]));
  const edges = links.flatMap(([one, other]) => {
    const [from, to] = [ids[Math.min(one, other)], ids[Math.max(one, other)]];
    return from === undefined || to === undefined || from === to ? [] : [{ from, to }];
  });
  const moved = [...nodes.slice(shuffle), ...nodes.slice(0, shuffle)];
  return compileFlow({ flow: { name: 'random', policy: { failFast } }, nodes: moved, edges });
}

const terminalTypes = ['task:complete', 'task:failed', 'task:cancelled'];

function nodeIdOf(event: RunEvent): string {
  return 'nodeId' in event ? (event.nodeId ?? '') : '';
}

async function runPlan(plan: Plan) {
  const clock = createManualClock();
  const flow = flowOf(plan);
  const run = startTestRun(flow, { clock });
  if (plan.cancelAtMs !== null) {
    await clock.advance(plan.cancelAtMs);
    run.cancel();
  }
  await clock.advance(10_000);
  const { events, end, state } = await run.done;
  return { clock, flow, end, state, events: events.map(({ event }) => event) };
}

test('every start has one end, upstream nodes come first, and nothing is left behind', async () => {
  await fc.assert(
    fc.asyncProperty(plans, async (plan) => {
      const { clock, flow, end, state, events } = await runPlan(plan);
      const starts = events.filter(({ type }) => type === 'task:start').map(nodeIdOf);
      const ends = events.filter(({ type }) => terminalTypes.includes(type)).map(nodeIdOf);
      expect(new Set(starts).size).toBe(starts.length);
      // One at a time: tasks end in the order they start.
      expect(ends).toEqual(starts);

      const over = new Set<string>();
      for (const event of events) {
        if (event.type === 'task:start' || event.type === 'node:skipped') {
          const node = flow.nodes.find(({ id }) => id === nodeIdOf(event));
          expect(node?.upstream.every((id) => over.has(id))).toBe(true);
        }
        if (terminalTypes.includes(event.type) || event.type === 'node:skipped') over.add(nodeIdOf(event));
      }

      const failed = events.filter(({ type }) => type === 'task:failed').map(nodeIdOf);
      expect(end.failedNodes).toEqual(failed);
      expect([...state.failedNodes]).toEqual(failed);
      expect(events.at(-1)).toEqual(end);
      if (end.status === 'completed') expect(over.size).toBe(flow.nodes.length);
      if (plan.cancelAtMs === null) expect(end.status).not.toBe('cancelled');
      expect([...state.nodes.values()].some(({ status }) => status === 'running' || status === 'retrying')).toBe(false);
      expect(clock.openTimers).toBe(0);
    }),
    { numRuns: 150 },
  );
});

test('the same flow gives the same events every time', async () => {
  await fc.assert(
    fc.asyncProperty(plans, async (plan) => {
      expect((await runPlan(plan)).events).toEqual((await runPlan(plan)).events);
    }),
    { numRuns: 30 },
  );
});
