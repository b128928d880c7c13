import { describe, expect, test } from 'vitest';
import { EngineError } from '../../../base/engine-error.ts';
import { asRunId, asSessionId } from '../../../base/ids.ts';
import { createManualClock } from '../../../testing/manual-clock.ts';
import type { EventEnvelope } from '../events/run-event.ts';
import { cancellation, Stopped } from './cancel-scope.ts';
import { type CallingTask, createHarness, type Harness, startTask, type TaskOutcome } from './harness.ts';
import { createHub, type Hub } from './hub.ts';

function setUp() {
  const clock = createManualClock();
  const events: EventEnvelope[] = [];
  const { hub } = createHub({
    runId: asRunId('run'),
    sessionId: asSessionId('session'),
    clock,
    record: (group) => events.push(...group),
  });
  const told = () => {
    hub.flush();
    return events.map(({ event }) => event);
  };
  return { harness: createHarness(hub, clock), clock, told, events };
}

describe('phase', () => {
  test('emits its start and end outside its own context and returns the result of its body', async () => {
    const { harness, told, events } = setUp();
    const result = await harness.phase('Work', async ({ hub }) => {
      hub.emit({ type: 'agent:text', content: 'in' });
      return 42;
    });
    expect(result).toBe(42);
    expect(told().map(({ type }) => type)).toEqual(['phase:start', 'agent:text', 'phase:complete']);
    expect(events.map(({ context }) => context.phase)).toEqual([undefined, { name: 'Work' }, undefined]);
  });

  test('a body that throws fails the phase, and the error is rethrown', async () => {
    const { harness, told } = setUp();
    const error = new EngineError({ code: 'node.bad-input', message: 'No text' });
    await expect(harness.phase('Work', () => Promise.reject(error))).rejects.toBe(error);
    expect(told().at(-1)).toEqual({
      type: 'phase:failed',
      name: 'Work',
      error: { code: 'node.bad-input', message: 'No text' },
    });
  });

  test('distinguishes canceled from failed', async () => {
    const { harness, told } = setUp();
    await expect(harness.phase('Work', () => Promise.reject(new Stopped(cancellation())))).rejects.toThrow();
    expect(told().at(-1)).toEqual({ type: 'phase:cancelled', name: 'Work' });
  });

  test('an error that only has the code of a cancellation is a failure', async () => {
    const { harness, told } = setUp();
    await expect(harness.phase('Work', () => Promise.reject(cancellation()))).rejects.toThrow();
    expect(told().at(-1)).toMatchObject({ type: 'phase:failed', name: 'Work', error: { code: 'run.cancelled' } });
  });
});

describe('task', () => {
  const info = { nodeId: 'a', nodeType: 'echo' };

  test.each<[TaskOutcome, object]>([
    [
      { status: 'completed', result: 'done', attempts: 2 },
      { type: 'task:complete', result: 'done', durationMs: 30, attempts: 2 },
    ],
    [
      { status: 'failed', error: { code: 'c', message: 'm' }, attempts: 3 },
      { type: 'task:failed', error: { code: 'c', message: 'm' }, durationMs: 30, attempts: 3 },
    ],
    [
      { status: 'cancelled', reason: 'cancel' },
      { type: 'task:cancelled', reason: 'cancel' },
    ],
  ])('turns an outcome into its one terminal event: %o', async (outcome, event) => {
    const { harness, clock, told } = setUp();
    const task = harness.task(
      'node:a',
      async () => {
        await clock.advance(30);
        return outcome;
      },
      info,
    );
    expect(await task).toBe(outcome);
    expect(told()).toEqual([
      { type: 'task:start', taskId: 'node:a', ...info },
      { taskId: 'node:a', nodeId: 'a', ...event },
    ]);
  });

  test('only events of the body have the task in their context', async () => {
    const { harness, events } = setUp();
    await harness.phase('Work', (inPhase) =>
      inPhase.task('node:a', async ({ hub }) => {
        hub.emit({ type: 'agent:text', content: 'in' });
        return { status: 'completed', result: null, attempts: 1 };
      }),
    );
    harness.hub.flush();
    expect(events.map(({ event, context }) => [event.type, context.phase?.name, context.task?.id])).toEqual([
      ['phase:start', undefined, undefined],
      ['task:start', 'Work', undefined],
      ['agent:text', 'Work', 'node:a'],
      ['task:complete', 'Work', undefined],
      ['phase:complete', undefined, undefined],
    ]);
  });

  test('a body that throws counts as failed and preserves the error', async () => {
    const { harness, told } = setUp();
    const outcome = await harness.task('node:a', () => Promise.reject(new TypeError('bug')), info);
    expect(outcome).toMatchObject({ status: 'failed', error: { code: 'internal', message: 'bug' } });
    expect(told().at(-1)).toMatchObject({ type: 'task:failed', error: { code: 'internal', message: 'bug' } });
  });
});

describe('a task with callbacks', () => {
  const outcome: TaskOutcome = { status: 'completed', result: 'done', attempts: 1 };
  type Heard = { readonly settled: TaskOutcome } | { readonly failed: unknown };

  /** Starts a task. `heard` receives its results. */
  function start(harness: Harness, begin: CallingTask['begin']): { heard: Heard[] } {
    const heard: Heard[] = [];
    const settle = (settled: TaskOutcome): void => void heard.push({ settled });
    const fail = (failed: unknown): void => void heard.push({ failed });
    startTask(harness, { id: 'node:a', info: { nodeId: 'a', nodeType: 'echo' }, begin, settle, fail });
    return { heard };
  }

  /** Creates a harness on a hub that rejects one type of event. */
  function refusing(type: string): Harness {
    const { hub } = createHub({ runId: asRunId('run'), sessionId: asSessionId('session') });
    const refused: Hub = {
      emit: (event) => {
        if (event.type === type) throw new Error('refused');
      },
      scoped: () => refused,
      child: () => refused,
      with: () => refused,
      flush: () => undefined,
      ...{ runId: hub.runId, rootRunId: hub.rootRunId, taskId: undefined, autonomy: undefined },
    };
    return createHarness(refused);
  }

  const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

  test('ends with the given outcome, after its event was emitted', async () => {
    const { harness, told } = setUp();
    const { heard } = start(harness, (_inner, end) => {
      setImmediate(() => end.done(outcome));
      return undefined;
    });
    expect(heard).toEqual([]);
    await turn();
    expect(heard).toEqual([{ settled: outcome }]);
    expect(told().map(({ type }) => type)).toEqual(['task:start', 'task:complete']);
  });

  test('with an immediate outcome settles after it was started', async () => {
    const { harness } = setUp();
    const { heard } = start(harness, () => outcome);
    expect(heard).toEqual([]);
    await turn();
    expect(heard).toEqual([{ settled: outcome }]);
  });

  test('has failed if it throws', async () => {
    const { harness, told } = setUp();
    const { heard } = start(harness, () => {
      throw new EngineError({ code: 'node.bad-input', message: 'No text' });
    });
    await turn();
    expect(heard).toMatchObject([{ settled: { status: 'failed', error: { code: 'node.bad-input' } } }]);
    expect(told().map(({ type }) => type)).toEqual(['task:start', 'task:failed']);
  });

  test.each(['task:start', 'task:complete'])(
    'on a hub that throws at %s reports the error, and has no outcome',
    async (type) => {
      const { heard } = start(refusing(type), () => outcome);
      await turn();
      expect(heard).toEqual([{ failed: new Error('refused') }]);
    },
  );

  test('behaves the same in a harness with only phase and task', async () => {
    const { harness, told } = setUp();
    const { hub } = harness;
    const plain: Harness = {
      hub,
      phase: (name, body) => harness.phase(name, body),
      task: (id, body, info) => harness.task(id, body, info),
    };
    const { heard } = start(plain, (_inner, end) => {
      queueMicrotask(() => end.done(outcome));
      return undefined;
    });
    await turn();
    expect(heard).toEqual([{ settled: outcome }]);
    expect(told().map(({ type }) => type)).toEqual(['task:start', 'task:complete']);
  });
});
