/** Tests canceling at any moment, on a clock that the test controls. */
import { describe, expect, test } from 'vitest';
import { flakyNode, patientNode, stuckNode, testNode } from '../../testing/test-node.ts';
import { nodeThen as single, startTimedRun as start } from '../../testing/timed-run.ts';

describe('cancel', () => {
  const startedAndEnded = (trace: readonly string[]) => ({
    started: trace.filter((line) => line.startsWith('task:start')).length,
    ended: trace.filter((line) => /^task:(complete|failed|cancelled)/.test(line)).length,
  });

  test('inside a node: cancels its task and its phase, starts nothing else, and leaves no timer', async () => {
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

  test('during a backoff: makes no further attempt', async () => {
    const node = flakyNode(9);
    const policy = 'policy: { retry: { maxAttempts: 3, backoffMs: 1000 } }';
    const { clock, done, cancel } = start(single(`type: flaky, input: {}, ${policy}`), { nodeTypes: [node] });
    await clock.advance(10);
    cancel();
    const { end } = await done;
    await clock.advance(5000);
    expect([end.status, node.attempts, clock.openTimers]).toEqual(['cancelled', 1, 0]);
  });

  test('between nodes: ended nodes remain ended, and the rest never start', async () => {
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

  test('before the first node: the run ends as canceled and no task opens', async () => {
    const { done, cancel, trace } = start(single('type: echo, input: { text: x }'));
    cancel();
    const { end } = await done;
    expect([end.status, startedAndEnded(trace('task:')).started]).toEqual(['cancelled', 0]);
  });

  test('abandons a node that ignores its signal after 1 s, and drops its late result', async () => {
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

  test('a node with a promise that never settles cannot block the run', async () => {
    const { clock, done, cancel } = start(single('type: stuck, input: {}, policy: { timeoutMs: 60000 }'), {
      nodeTypes: [stuckNode],
    });
    await clock.advance(10);
    cancel();
    await clock.advance(1000);
    expect((await done).end.status).toBe('cancelled');
    expect(clock.openTimers).toBe(0);
  });

  test('a failure caused by the cancel does not count as a failure', async () => {
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

  test('at any time, every task that started ends exactly once', async () => {
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
