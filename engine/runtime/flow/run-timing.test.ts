/** Tests backoff and time limits on a clock that the test controls. */
import { describe, expect, test } from 'vitest';
import type { JsonValue } from '../../language/json/json-value.ts';
import { flakyNode, patientNode, stuckNode, testNode } from '../../testing/test-node.ts';
import { traceOf } from '../../testing/test-run.ts';
import { nodeThen as single, startTimedRun as start } from '../../testing/timed-run.ts';

describe('backoff', () => {
  test('FE-54 without backoffMs attempts follow immediately', async () => {
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

  test('FE-60 stops a node that exceeds its time limit', async () => {
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

  test('FE-62 a retry has the full time limit again', async () => {
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
    'FE-62 a node that continues after its timeout gets extra time before the next attempt: backoff %i, waits %i',
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

  test('FE-63 with continueOnError a marker is stored and the flow continues', async () => {
    const policy = 'policy: { timeoutMs: 50, continueOnError: true }';
    const { clock, done } = start(single(`${slow}, ${policy}`, 'type: echo, input: { text: "{{a.error.code}}" }'), {
      nodeTypes: [patientNode([])],
    });
    await clock.advance(100);
    expect((await done).end).toMatchObject({ status: 'completed', output: { b: { text: 'node.timeout' } } });
  });

  test('FE-64 drops a late result, and late events of the attempt', async () => {
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

  test('FE-64 an output returned because the attempt was stopped is late too', async () => {
    const obedient = testNode('obedient', async ({ signal }) => {
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      return { late: true };
    });
    const policy = 'policy: { timeoutMs: 50, continueOnError: true }';
    const { clock, done } = start(
      single(`type: obedient, input: {}, ${policy}`, 'type: echo, input: { text: "{{?a.late}}" }'),
      {
        nodeTypes: [obedient],
      },
    );
    await clock.advance(50);
    const { end, state } = await done;
    expect(end).toMatchObject({ failedNodes: ['a'], output: { a: { failed: true, error: { code: 'node.timeout' } } } });
    expect([state.nodes.get('a')?.status, state.nodes.get('b')?.output]).toEqual(['failed', { text: '' }]);
  });

  test.each<[string, () => unknown]>([
    ['result', () => ({ attempt: 1 })],
    ['failure', () => Promise.reject(new Error('late'))],
  ])('FE-64 a late %s of one attempt is not taken for that of the next', async (_, lateEnd) => {
    const log: string[] = [];
    let attempts = 0;
    const talker = testNode('talker', async ({ clock }) => {
      const attempt = ++attempts;
      await new Promise<void>((resolve) => clock.setTimer(resolve, attempt === 1 ? 1060 : 40));
      log.push(`attempt ${attempt} ends`);
      return (attempt === 1 ? lateEnd() : { attempt }) as JsonValue;
    });
    const policy = 'policy: { timeoutMs: 50, retry: { maxAttempts: 2 } }';
    const { clock, done, trace } = start(
      single(`type: talker, input: {}, ${policy}`, 'type: echo, input: { text: "{{a.attempt}}" }').replace(
        'edges: []',
        'edges: [{ from: a, to: b }]',
      ),
      { nodeTypes: [talker] },
    );
    await clock.advance(2000);
    const { end, state } = await done;
    // The second attempt starts one second after the end of the first, which ignores its signal.
    expect(log).toEqual(['attempt 1 ends', 'attempt 2 ends']);
    expect(trace('task:')).toEqual(['task:start a', 'task:complete a', 'task:start b', 'task:complete b']);
    expect([end.status, state.nodes.get('a')?.output, end.output]).toEqual([
      'completed',
      { attempt: 2 },
      { b: { text: '2' } },
    ]);
  });

  test('FE-65 without a limit none is applied, and a fast node leaves no timer', async () => {
    const fast = start(single('type: echo, input: { text: x }, policy: { timeoutMs: 50 }'));
    expect((await fast.done).end.status).toBe('completed');
    expect(fast.clock.openTimers).toBe(0);
    const slowButFree = start(single('type: control.wait, input: { ms: 1000000 }'));
    await slowButFree.clock.advance(1_000_000);
    expect((await slowButFree.done).end.output).toEqual({ a: { waitedMs: 1_000_000 } });
  });
});
