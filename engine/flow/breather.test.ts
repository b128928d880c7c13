import { expect, test } from 'vitest';
import type { Clock } from '../base/clock.ts';
import { compileFlow } from '../flowspec/compile-flow.ts';
import { startTestRun } from '../testing/test-run.ts';

/** Every look at it takes a millisecond; timers fire in the next turn of the event loop, however long they are. */
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

test('a node that fails and is retried at once, ever again, still lets a cancel through', async () => {
  const policy = { retry: { maxAttempts: 1_000_000 } };
  const nodes = [{ id: 'a', type: 'control.fail', input: { message: 'no' }, policy }];
  const run = startTestRun(compileFlow({ flow: { name: 'retry' }, nodes, edges: [] }), { clock: createBusyClock() });
  setImmediate(() => run.cancel());
  expect((await run.done).end.status).toBe('cancelled');
});

test('a long chain of nodes that never wait still lets a cancel through', async () => {
  const nodes = Array.from({ length: 2000 }, (_, index) => ({ id: `n${index}`, type: 'echo', input: { text: 'x' } }));
  const flow = compileFlow({ flow: { name: 'chain' }, nodes, edges: [] });
  const run = startTestRun(flow, { clock: createBusyClock() });
  setImmediate(() => run.cancel());
  const { end, state } = await run.done;
  expect(end.status).toBe('cancelled');
  expect(state.nodes.size).toBeLessThan(2000);
});
