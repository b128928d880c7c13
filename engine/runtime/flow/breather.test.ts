import { expect, test } from 'vitest';
import type { Clock } from '../../base/clock.ts';
import { compileFlow } from '../../language/flow/compile-flow.ts';
import type { JsonMap } from '../../language/json/json-value.ts';
import { testNode } from '../../testing/test-node.ts';
import { startTestRun } from '../../testing/test-run.ts';

/**
 * A clock on which every read takes a millisecond. Timers fire in the next turn of the event loop, whatever their
 * delay.
 */
function createBusyClock(): Clock {
  let now = 0;
  return {
    now: () => now++,
    setTimer(callback) {
      const handle = setImmediate(callback);
      return () => clearImmediate(handle);
    },
  };
}

/** Returns a loop over `items` items, with nested loops of ten items. */
function loops(items: number, depth: number, body: { type: string; input: JsonMap }, maxParallel = 1) {
  const nodes = Array.from({ length: depth }, (_, level) => {
    const count = level === 0 ? items : 10;
    const list = Array.from({ length: count }, (_, index) => index);
    const next = level === depth - 1 ? 'last' : `each${level + 1}`;
    const input = { items: list, body: [next], maxParallel, as: `item${level}`, maxItems: items };
    return { id: `each${level}`, type: 'control.foreach', input };
  });
  return compileFlow({ flow: { name: 'loops' }, nodes: [...nodes, { id: 'last', ...body }], edges: [] });
}

const noop = { type: 'control.noop', input: {} };
const skipped = { ...noop, when: { exists: 'nobody.there' } };

test.each([
  ['a loop over 5,000 nodes', loops(5000, 1, noop)],
  ['one with sixteen items at a time', loops(5000, 1, noop, 16)],
  ['six loops inside each other', loops(10, 6, noop)],
  ['a loop with a node that is always skipped', loops(5000, 1, skipped)],
])('%s still allows a cancel, and emits everything that happened before it', async (_, flow) => {
  const run = startTestRun(flow, { clock: createBusyClock() });
  let emittedAtFirstTurn = 0;
  setImmediate(() => {
    emittedAtFirstTurn = run.events.length;
    run.cancel();
  });
  const { end, events } = await run.done;
  expect(end.status).toBe('cancelled');
  expect(emittedAtFirstTurn).toBeGreaterThan(1);
  expect(events.length).toBeLessThan(5000);
});

test('a node that fails and is retried immediately, forever, still allows a cancel', async () => {
  const policy = { retry: { maxAttempts: 1_000_000 } };
  const nodes = [{ id: 'a', type: 'control.fail', input: { message: 'no' }, policy }];
  const run = startTestRun(compileFlow({ flow: { name: 'retry' }, nodes, edges: [] }), { clock: createBusyClock() });
  setImmediate(() => run.cancel());
  expect((await run.done).end.status).toBe('cancelled');
});

test('a long chain of nodes that never wait still allows a cancel', async () => {
  const nodes = Array.from({ length: 2000 }, (_, index) => ({ id: `n${index}`, type: 'echo', input: { text: 'x' } }));
  const flow = compileFlow({ flow: { name: 'chain' }, nodes, edges: [] });
  const run = startTestRun(flow, { clock: createBusyClock() });
  setImmediate(() => run.cancel());
  const { end, state } = await run.done;
  expect(end.status).toBe('cancelled');
  expect(state.nodes.size).toBeLessThan(2000);
});

test('a node that outputs a million maps yields to other work and allows a cancel', async () => {
  let isGiven = false;
  const give = testNode('give', async () => {
    const items = Array.from({ length: 1_000_000 }, (_, index) => ({ index }));
    isGiven = true;
    return items;
  });
  const flow = { flow: { name: 'many' }, nodes: [{ id: 'a', type: 'give', input: {} }], edges: [] };
  const run = startTestRun(compileFlow(flow), { nodeTypes: [give] });
  let turns = 0;
  let longestMs = 0;
  let lastTurnAt = Number.POSITIVE_INFINITY;
  const watch = setInterval(() => {
    longestMs = Math.max(longestMs, performance.now() - lastTurnAt);
    lastTurnAt = performance.now();
    if (isGiven && ++turns === 3) run.cancel();
  }, 1);
  const { end } = await run.done;
  clearInterval(watch);
  expect(end).toMatchObject({ status: 'cancelled' });
  expect(turns).toBeLessThan(20);
  expect(longestMs).toBeLessThan(1000);
});
