/**
 * Tests hostile nodes: nodes are third-party code, and whatever they do, the run ends with a complete log and without
 * side effects on others.
 */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { EngineError } from '../../base/engine-error.ts';
import { isValueHandle } from '../../language/json/value-handle.ts';
import { createTestExecutor } from '../../testing/executor-world.ts';
import { hostileFlow, runRecorded } from '../../testing/hostile-run.ts';
import { createManualClock } from '../../testing/manual-clock.ts';
import { stuckNode, testNode } from '../../testing/test-node.ts';
import { startTestRun, testRun, traceOf } from '../../testing/test-run.ts';
import { builtinNodes } from '../nodes/builtin-nodes.ts';
import { createNodeRegistry } from '../nodes/node-registry.ts';

const unhandled: unknown[] = [];
const noteUnhandled = (reason: unknown): unknown => unhandled.push(reason);
beforeEach(() => {
  unhandled.length = 0;
  process.on('unhandledRejection', noteUnhandled);
});
afterEach(async () => {
  // Node reports them one turn later.
  await new Promise((resolve) => setImmediate(resolve));
  process.off('unhandledRejection', noteUnhandled);
  expect(unhandled).toEqual([]);
});

function failingToString(): unknown {
  return {
    toString() {
      throw new Error('no text');
    },
  };
}

function unreadableError(): Error {
  return Object.defineProperty(new Error('hidden'), 'message', {
    get() {
      throw new Error('no message');
    },
  });
}

const { proxy: revokedProxy, revoke } = Proxy.revocable({}, {});
revoke();

describe('a node that throws', () => {
  test.each<[string, unknown, string]>([
    ['text', 'just text', 'just text'],
    ['nothing', undefined, 'undefined'],
    ['an object without a prototype', Object.create(null), 'A value that cannot be converted to text was thrown'],
    ['an object that has no text form', failingToString(), 'A value that cannot be converted to text was thrown'],
    ['a symbol', Symbol('s'), 'Symbol(s)'],
    ['a frozen error', Object.freeze(new TypeError('cold')), 'cold'],
    ['an error with an unreadable message', unreadableError(), 'An error that cannot be read was thrown'],
    ['a value that cannot be read', revokedProxy, 'An error that cannot be read was thrown'],
  ])('%s fails, and the run continues', async (_, thrown, message) => {
    const { status, error, events, failures, close } = await runRecorded(async () => {
      throw thrown;
    });
    expect(error).toMatchObject({ code: 'internal', message, nodeId: 'bad' });
    expect({ status, failures, last: events.at(-1) }).toMatchObject({
      status: 'completed',
      failures: [],
      last: { output: { after: { text: 'internal' } } },
    });
    await close();
  });
});

describe.each(['run.cancelled', 'run.fail-fast'])("a node that fails with the engine's own code %s", (code) => {
  const liar = testNode('hostile', async () => {
    throw new EngineError({ code, message: 'so it says' });
  });
  const nodeTypes = [liar];

  test('fails its run like any other failure', async () => {
    const { events, end } = await testRun(hostileFlow(), { nodeTypes });
    expect(end).toMatchObject({
      status: 'failed',
      error: { code, message: 'so it says', nodeId: 'bad' },
      failedNodes: ['bad'],
    });
    expect(traceOf(events, ['task:', 'phase:'])).toEqual([
      'phase:start Run Flow',
      'task:start bad',
      'task:failed bad',
      'phase:failed Run Flow',
    ]);
  });

  test('is retried and tolerated like any other failure', async () => {
    const { events, end } = await testRun(hostileFlow('{ continueOnError: true, retry: { maxAttempts: 3 } }'), {
      nodeTypes,
    });
    expect(end).toMatchObject({ status: 'completed', output: { after: { text: code } } });
    expect(traceOf(events, ['node:retry'])).toHaveLength(2);
  });

  const loop = (input: string, policy = '{}') => `
flow: { name: f, policy: ${policy} }
nodes:
  - { id: each, type: control.foreach, input: { items: [1, 2, 3], body: [bad], ${input} } }
  - { id: bad, type: hostile, input: {} }
edges: []`;

  test.each(['maxParallel: 1', 'maxParallel: 3'])('ends a loop that contains it, with %s', async (input) => {
    const { end } = await testRun(loop(input, '{ maxParallel: 3 }'), { nodeTypes });
    expect(end).toMatchObject({
      status: 'failed',
      error: { code: 'loop.item-failed', details: { index: 0, error: { code } } },
    });
  });

  test('is an error of its item if the loop tolerates errors', async () => {
    const { end } = await testRun(loop('tolerate: true'), { nodeTypes });
    const error = { code, message: 'so it says', nodeId: 'bad' };
    expect(end).toMatchObject({
      status: 'completed',
      output: { each: { iterations: [{ error }, { error }, { error }] } },
    });
  });

  test('is also a failure after the run is resumed', async () => {
    const first = await testRun(hostileFlow(), { nodeTypes });
    const cut = first.events.filter(({ event }) => event.type !== 'run:end');
    const { end } = await testRun(hostileFlow(), { nodeTypes, resume: { events: cut } });
    expect(end).toMatchObject({ status: 'failed', error: { code } });
  });
});

const cycle: Record<string, unknown> = {};
cycle['itself'] = cycle;

describe('a node that returns a value other than JSON', () => {
  test.each<[string, unknown, string]>([
    ['nothing', undefined, 'output is missing'],
    ['a function', { f: () => 1 }, 'output.f is a function, which JSON cannot represent'],
    ['a cycle', cycle, 'output.itself contains itself, which JSON cannot represent'],
    ['a symbol', Symbol('s'), 'output is a symbol, which JSON cannot represent'],
    ['a big integer', [1n], 'output.0 is a bigint, which JSON cannot represent'],
    ['a map', new Map([['a', 1]]), 'output is an object of the class Map, which JSON cannot represent'],
    ['a date', { at: new Date(0) }, 'output.at is an object of the class Date, which JSON cannot represent'],
    [
      'a getter that throws',
      {
        get now() {
          throw new Error('not yet');
        },
      },
      'output.now cannot be read: not yet',
    ],
    [
      'what cannot be written',
      {
        toJSON() {
          throw new Error('no');
        },
      },
      'output.toJSON is a function, which JSON cannot represent',
    ],
  ])('%s fails with its place, and its history is whole', async (_, value, message) => {
    // Only possible in a type that was not written in TypeScript.
    const { status, error, events, failures, close } = await runRecorded(async () => value as never);
    expect(error).toMatchObject({ code: 'node.bad-output', message: `Node "bad": ${message}`, nodeId: 'bad' });
    expect({ status, failures }).toEqual({ status: 'completed', failures: [] });
    expect(events.at(-1)).toMatchObject({ type: 'run:end', output: { after: { text: 'node.bad-output' } } });
    await close();
  });

  test('is retried like any failing node', async () => {
    let calls = 0;
    const { status, close } = await runRecorded(async () => {
      calls++;
      return (calls < 3 ? 1n : 'right') as never;
    }, '{ retry: { maxAttempts: 3 } }');
    expect([calls, status]).toEqual([3, 'completed']);
    await close();
  });

  test('may return hostile keys, which are plain data', async () => {
    const value = JSON.parse('{ "__proto__": { "polluted": true }, "constructor": 1, "toString": null }');
    const { events, close } = await runRecorded(async () => value);
    const end = events.find((event) => event.type === 'task:complete');
    expect(JSON.stringify(end?.result)).toBe(JSON.stringify(value));
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
    await close();
  });
});

test('a node that returns 40 MB of text: the history stores it once, and all events together are small', async () => {
  const huge = testNode('huge', async () => ({ text: 'x'.repeat(40_000_000), size: 'huge' }));
  const world = await createTestExecutor({ registry: createNodeRegistry([...builtinNodes, huge]) });
  const text = `
flow: { name: f, policy: { maxOutputBytes: 268435456 } }
nodes: [{ id: a, type: huge, input: {} }, { id: b, type: echo, input: { text: "{{a.size}}" } }]
edges: [{ from: a, to: b }]`;
  const { runId, ended } = await world.run(text);
  expect((await ended).status).toBe('completed');
  const events = world.store.readEvents(runId, -1, 100).map(({ event }) => event);
  const [whole, small] = events.flatMap((event) => (event.type === 'task:complete' ? [event.result] : []));
  expect([isValueHandle(whole), whole, small]).toMatchObject([true, { bytes: 40_000_025 }, { text: 'huge' }]);
  expect(JSON.stringify(world.told).length).toBeLessThan(10_000);
  await world.close();
}, 60_000);

describe('a node that never settles', () => {
  test('ends at its timeout', async () => {
    const clock = createManualClock();
    const { done } = startTestRun(hostileFlow('{ timeoutMs: 50, continueOnError: true }'), {
      clock,
      nodeTypes: [{ ...stuckNode, type: 'hostile' }],
    });
    await clock.advance(51);
    expect((await done).end.output).toEqual({ after: { text: 'node.timeout' } });
    expect(clock.openTimers).toBe(0);
  });

  test('ends 1 s after a cancel if it has no timeout', async () => {
    const clock = createManualClock();
    const { done, cancel } = startTestRun(hostileFlow(), { clock, nodeTypes: [{ ...stuckNode, type: 'hostile' }] });
    await clock.advance(100_000);
    cancel();
    await clock.advance(1000);
    expect((await done).end.status).toBe('cancelled');
    expect(clock.openTimers).toBe(0);
  });
});

describe('a promise that rejects after it is no longer awaited', () => {
  test('changes nothing after the timeout', async () => {
    const clock = createManualClock();
    const late = testNode('hostile', async () => {
      await new Promise<void>((resolve) => clock.setTimer(resolve, 500));
      throw new Error('much too late');
    });
    const { done, events } = startTestRun(hostileFlow('{ timeoutMs: 50, continueOnError: true }'), {
      clock,
      nodeTypes: [late],
    });
    await clock.advance(60);
    const { end } = await done;
    await clock.advance(1000);
    expect(end.output).toEqual({ after: { text: 'node.timeout' } });
    expect(traceOf(events, ['task:failed'])).toEqual(['task:failed bad']);
  });

  test('fails once, even if it rejects several times', async () => {
    const twice = testNode(
      'hostile',
      () =>
        new Promise((resolve, reject) => {
          reject(new Error('first'));
          reject(new Error('second'));
          resolve('third');
        }),
    );
    const { end } = await testRun(hostileFlow(), { nodeTypes: [twice] });
    expect(end.error?.message).toBe('first');
  });

  test('a thenable that settles several times counts only once', async () => {
    // Only possible in a type that was not written in TypeScript.
    const thenable = {
      // biome-ignore lint/suspicious/noThenProperty: this is what the test is about
      then: (resolve: (value: string) => void, reject: (error: Error) => void) => {
        resolve('yes');
        reject(new Error('no'));
        throw new Error('never');
      },
    };
    const { end } = await testRun(hostileFlow(), { nodeTypes: [testNode('hostile', () => thenable as never)] });
    expect(end.status).toBe('completed');
  });
});
