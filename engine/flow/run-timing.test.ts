/** Backoff, time limits and cancel, on a clock that the test moves. */
import { describe, expect, test } from 'vitest';
import { createManualClock } from '../testing/manual-clock.ts';
import { flakyNode, stuckNode, testNode } from '../testing/test-node.ts';
import { startTestRun, type TestRunOptions, traceOf } from '../testing/test-run.ts';

const single = (node: string, then = '') => `
  flow: { name: f }
  nodes: [ { id: a, ${node} }${then === '' ? '' : `, { id: b, ${then} }`} ]
  edges: []`;

function start(flow: string, options: TestRunOptions = {}) {
  const clock = createManualClock();
  const run = startTestRun(flow, { clock, ...options });
  return { clock, ...run, trace: (...kinds: string[]) => traceOf(run.events, kinds) };
}

/** Waits `ms` and says whether it was stopped by its signal. */
function patientNode(log: string[]) {
  return testNode('patient', async ({ input, clock, signal }) => {
    signal.addEventListener('abort', () => log.push('aborted'));
    await new Promise<void>((resolve) => clock.setTimer(resolve, Number(input['ms'])));
    log.push('done');
    return { late: true };
  });
}

describe('backoff', () => {
  test('FE-54 without backoffMs attempts follow at once', async () => {
    const { done } = start(single('type: flaky, input: {}, policy: { retry: { maxAttempts: 3 } }'), {
      nodeTypes: [flakyNode(2)],
    });
    expect((await done).end.status).toBe('completed');
  });

  test('FE-55 the delay is constant, between attempts only', async () => {
    const node = flakyNode(9);
    const policy = 'policy: { retry: { maxAttempts: 3, backoffMs: 100 } }';
    const { clock, done, events } = start(single(`type: flaky, input: {}, ${policy}`), { nodeTypes: [node] });
    await clock.settle();
    expect(node.attempts).toBe(1);
    await clock.advance(99);
    expect(node.attempts).toBe(1);
    await clock.advance(1);
    expect(node.attempts).toBe(2);
    await clock.advance(100);
    const { end } = await done;
    expect([node.attempts, end.durationMs]).toEqual([3, 200]);
    expect(clock.delays.filter((delay) => delay === 100)).toHaveLength(2);
    const retries = events.flatMap(({ event }) => (event.type === 'node:retry' ? [event.delayMs] : []));
    expect(retries).toEqual([100, 100]);
  });
});

describe('time limits', () => {
  const slow = 'type: patient, input: { ms: 500 }';

  test('FE-60 a node that is too slow is asked to stop at its limit', async () => {
    const log: string[] = [];
    const { clock, done } = start(single(`${slow}, policy: { timeoutMs: 50 }`), { nodeTypes: [patientNode(log)] });
    await clock.advance(49);
    expect(log).toEqual([]);
    await clock.advance(1);
    expect(log).toEqual(['aborted']);
    expect((await done).state.nodes.get('a')?.durationMs).toBe(50);
  });

  test('FE-61 it counts as a failure', async () => {
    const { clock, done } = start(single(`${slow}, policy: { timeoutMs: 50 }`), { nodeTypes: [patientNode([])] });
    await clock.advance(50);
    expect((await done).end).toMatchObject({
      status: 'failed',
      error: { code: 'node.timeout', message: 'Node execution timed out after 50ms', nodeId: 'a' },
    });
  });

  test('FE-62 with retry another attempt is made, with the whole time again', async () => {
    const log: string[] = [];
    const policy = 'policy: { timeoutMs: 50, retry: { maxAttempts: 2, backoffMs: 10 } }';
    const { clock, done } = start(single(`${slow}, ${policy}`), { nodeTypes: [patientNode(log)] });
    await clock.advance(1100);
    const { end, events } = await done;
    expect(log.filter((word) => word === 'aborted')).toHaveLength(2);
    expect(end.durationMs).toBe(1100);
    expect(traceOf(events, ['task:', 'node:retry'])).toEqual(['task:start a', 'node:retry a', 'task:failed a']);
  });

  test.each([
    [0, 1000],
    [10, 1000],
    [1500, 1500],
  ])(
    'FE-62 a node that goes on after its time-out is given time before the next attempt: back-off %i, waits %i',
    async (backoffMs, waits) => {
      const policy = `policy: { timeoutMs: 50, retry: { maxAttempts: 2, backoffMs: ${backoffMs} } }`;
      const { clock, done } = start(single(`type: stuck, input: {}, ${policy}`), { nodeTypes: [stuckNode] });
      await clock.advance(waits + 150);
      const { end, events } = await done;
      expect(events.flatMap(({ event }) => (event.type === 'node:retry' ? [event.delayMs] : []))).toEqual([waits]);
      expect(end).toMatchObject({ status: 'failed', error: { code: 'node.timeout' }, durationMs: waits + 100 });
      expect(clock.openTimers).toBe(0);
    },
  );

  test('FE-63 with continueOnError a marker is stored and the flow goes on', async () => {
    const policy = 'policy: { timeoutMs: 50, continueOnError: true }';
    const { clock, done } = start(single(`${slow}, ${policy}`, 'type: echo, input: { text: "{{a.error.code}}" }'), {
      nodeTypes: [patientNode([])],
    });
    await clock.advance(100);
    expect((await done).end).toMatchObject({ status: 'completed', output: { b: { text: 'node.timeout' } } });
  });

  test('FE-64 a late result is thrown away, and so is what the attempt still says', async () => {
    const log: string[] = [];
    const talker = testNode('talker', async ({ clock, hub }) => {
      await new Promise<void>((resolve) => clock.setTimer(resolve, 80));
      log.push('late');
      hub.scoped({}).emit({ type: 'agent:text', content: 'too late' });
      return { late: true };
    });
    const policy = 'policy: { timeoutMs: 50, continueOnError: true }';
    const { clock, done } = start(
      single(`type: talker, input: {}, ${policy}`, 'type: control.wait, input: { ms: 100 }'),
      { nodeTypes: [talker] },
    );
    await clock.advance(200);
    const { end, events } = await done;
    expect(log).toEqual(['late']);
    expect(end.output).toMatchObject({ a: { failed: true }, b: { waitedMs: 100 } });
    expect(traceOf(events, ['agent:'])).toEqual([]);
  });

  test('FE-65 without a limit none is applied, and a fast node leaves no timer behind', async () => {
    const fast = start(single('type: echo, input: { text: x }, policy: { timeoutMs: 50 }'));
    expect((await fast.done).end.status).toBe('completed');
    expect(fast.clock.openTimers).toBe(0);
    const slowButFree = start(single('type: control.wait, input: { ms: 1000000 }'));
    await slowButFree.clock.advance(1_000_000);
    expect((await slowButFree.done).end.output).toEqual({ a: { waitedMs: 1_000_000 } });
  });
});

describe('cancel', () => {
  const startedAndEnded = (trace: readonly string[]) => ({
    started: trace.filter((line) => line.startsWith('task:start')).length,
    ended: trace.filter((line) => /^task:(complete|failed|cancelled)/.test(line)).length,
  });

  test('inside a node: its task and its phase are cancelled, nothing further starts, no timer stays', async () => {
    const { clock, done, cancel, trace } = start(
      single('type: control.wait, input: { ms: 5000 }', 'type: echo, input: { text: x }'),
    );
    await clock.advance(100);
    cancel();
    const { end, state } = await done;
    expect(trace('task:', 'phase:', 'run:')).toEqual([
      'run:start f',
      'phase:start Run Flow',
      'task:start a',
      'task:cancelled a',
      'phase:cancelled Run Flow',
      'run:end cancelled',
    ]);
    expect(end).toEqual({ type: 'run:end', status: 'cancelled', failedNodes: [], durationMs: 100 });
    expect(state.nodes.get('a')?.status).toBe('cancelled');
    expect(clock.openTimers).toBe(0);
  });

  test('during a backoff: no further attempt', async () => {
    const node = flakyNode(9);
    const policy = 'policy: { retry: { maxAttempts: 3, backoffMs: 1000 } }';
    const { clock, done, cancel } = start(single(`type: flaky, input: {}, ${policy}`), { nodeTypes: [node] });
    await clock.advance(10);
    cancel();
    const { end } = await done;
    await clock.advance(5000);
    expect([end.status, node.attempts, clock.openTimers]).toEqual(['cancelled', 1, 0]);
  });

  test('between nodes: what has ended stays ended, the rest never starts', async () => {
    const { done, cancel, trace } = start(single('type: last, input: {}', 'type: echo, input: { text: x }'), {
      nodeTypes: [
        testNode('last', async () => {
          cancel();
          return 'kept';
        }),
      ],
    });
    const { end } = await done;
    expect(trace('task:')).toEqual(['task:start a', 'task:complete a']);
    expect(end.status).toBe('cancelled');
  });

  test('before the first node: the run ends cancelled and no task opens', async () => {
    const { done, cancel, trace } = start(single('type: echo, input: { text: x }'));
    cancel();
    const { end } = await done;
    expect([end.status, startedAndEnded(trace('task:')).started]).toEqual(['cancelled', 0]);
  });

  test('a node that ignores its signal is abandoned after 1 s, and its late result is dropped', async () => {
    const log: string[] = [];
    const { clock, done, cancel, trace } = start(single('type: patient, input: { ms: 9000 }'), {
      nodeTypes: [patientNode(log)],
    });
    await clock.advance(100);
    cancel();
    await clock.advance(999);
    expect(trace('task:')).toEqual(['task:start a']);
    await clock.advance(1);
    expect((await done).end).toMatchObject({ status: 'cancelled', durationMs: 1100 });
    await clock.advance(9000);
    expect(log).toEqual(['aborted', 'done']);
    expect(trace('task:')).toEqual(['task:start a', 'task:cancelled a']);
  });

  test('a node whose promise never settles cannot hold the run', async () => {
    const { clock, done, cancel } = start(single('type: stuck, input: {}, policy: { timeoutMs: 60000 }'), {
      nodeTypes: [stuckNode],
    });
    await clock.advance(10);
    cancel();
    await clock.advance(1000);
    expect((await done).end.status).toBe('cancelled');
    expect(clock.openTimers).toBe(0);
  });

  test('a failure that comes from the cancel is no failure', async () => {
    const { done, cancel, clock } = start(single('type: rude, input: {}'), {
      nodeTypes: [
        testNode('rude', ({ signal }) => {
          return new Promise((_, reject) => {
            signal.addEventListener('abort', () => reject(new Error('socket closed')));
          });
        }),
      ],
    });
    await clock.settle();
    cancel();
    const { end } = await done;
    expect(end).toMatchObject({ status: 'cancelled', failedNodes: [] });
  });

  test('whenever it comes, every task that started ends exactly once', async () => {
    for (let moment = 0; moment <= 60; moment += 5) {
      const policy = 'policy: { timeoutMs: 20, continueOnError: true, retry: { maxAttempts: 2, backoffMs: 5 } }';
      const { clock, done, cancel, trace } = start(
        single(`type: patient, input: { ms: 30 }, ${policy}`, 'type: control.wait, input: { ms: 10 }'),
        { nodeTypes: [patientNode([])] },
      );
      await clock.advance(moment);
      cancel();
      await clock.advance(2000);
      await done;
      const { started, ended } = startedAndEnded(trace('task:'));
      expect({ moment, ended, openTimers: clock.openTimers }).toEqual({ moment, ended: started, openTimers: 0 });
    }
  });
});
