/** Tests hostile surroundings of nodes: events, listeners, clocks and names. */
import { describe, expect, test } from 'vitest';
import { type Clock, systemClock } from '../../base/clock.ts';
import { createCountingIds } from '../../testing/counting-ids.ts';
import { createTestExecutor } from '../../testing/executor-world.ts';
import { hostileFlow, runRecorded } from '../../testing/hostile-run.ts';
import { testNode } from '../../testing/test-node.ts';
import { compileText, testRun, traceOf } from '../../testing/test-run.ts';
import type { RunEvent } from '../kernel/events/run-event.ts';
import { createHarness } from '../kernel/hub/harness.ts';
import { createHub } from '../kernel/hub/hub.ts';
import { builtinNodes } from '../nodes/builtin-nodes.ts';
import { createNodeRegistry } from '../nodes/node-registry.ts';
import { runFlow } from './run-flow.ts';

describe('a node that emits invalid events on its hub', () => {
  const bad: Record<string, unknown> = { type: 'agent:text' };
  bad['content'] = bad;

  test.each<[string, unknown, string]>([
    ['nothing', undefined, 'is missing'],
    ['no event', 'agent:text', 'has no type'],
    ['no type', { content: 'x' }, 'has no type'],
    ['a cycle', bad, 'content contains itself, which JSON cannot represent'],
    ['text that is none', { type: 'agent:text', content: 7 }, 'has content that is not text'],
    ['the end of the run', { type: 'run:end', status: 'completed' }, 'is run:end, which nodes cannot emit'],
    [
      'the end of another node',
      { type: 'task:complete', taskId: 'node:after', result: 1 },
      'is task:complete, which nodes cannot emit',
    ],
  ])('%s fails', async (_, event, message) => {
    const { status, error, failures, events, close } = await runRecorded(async ({ hub }) => {
      hub.emit(event as RunEvent);
      return 'done';
    });
    expect(error).toMatchObject({ code: 'node.bad-event', message: `An event of the node ${message}` });
    expect({ status, failures }).toEqual({ status: 'completed', failures: [] });
    expect(events.filter(({ type }) => type === 'run:end')).toHaveLength(1);
    await close();
  });

  test('cannot emit events for another node', async () => {
    const liar = testNode('hostile', async ({ hub }) => {
      hub.scoped({ task: { id: 'node:after' }, agent: { name: 'a' } }).emit({ type: 'agent:text', content: 'x' });
      return 'done';
    });
    const { events } = await testRun(hostileFlow(), { nodeTypes: [liar] });
    const text = events.find(({ event }) => event.type === 'agent:text');
    expect(text?.context).toMatchObject({ task: { id: 'node:bad' }, agent: { name: 'a' } });
  });
});

test('listeners that throw or are added and removed during delivery have no effect', async () => {
  const told: string[][] = [[], []];
  const errors: unknown[] = [];
  const ids = createCountingIds();
  const world = { runId: ids.runId(), sessionId: ids.sessionId(), clock: systemClock };
  const runHub = createHub({ ...world, onListenerError: (thrown) => errors.push(thrown) });
  const end = runHub.subscribe(() => {
    end();
    runHub.subscribe((events) => told[1]?.push(...events.map(({ event }) => event.type)));
    throw new Error('I am a bad listener');
  });
  runHub.subscribe((events) => told[0]?.push(...events.map(({ event }) => event.type)));
  const flow = compileText(hostileFlow('{ continueOnError: true }'));
  const request = { flow, registry: createNodeRegistry(builtinNodes), inputs: {}, ids };
  const { status } = await runFlow(request, createHarness(runHub.hub));
  runHub.close();
  expect([status, errors.length]).toEqual(['completed', 1]);
  expect(told[0]?.filter((type) => type === 'task:complete')).toHaveLength(1);
  // It was added while the first group was delivered, and receives everything after it.
  expect(told[0]?.slice(-(told[1]?.length ?? 0))).toEqual(told[1]);
  expect(told[1]?.length).toBeGreaterThan(0);
});

/** A clock that jumps by hours on every read, forward and backward. */
function jumpingClock(): Clock {
  let looks = 0;
  return {
    now: () => 1_700_000_000_000 + (++looks % 2 === 0 ? -1 : 1) * looks * 3_600_000,
    setTimer: systemClock.setTimer,
  };
}

test('a clock that jumps back and forth: the run ends, and no duration is negative', async () => {
  const text = `
flow: { name: f, policy: { maxParallel: 2 } }
nodes:
  - { id: a, type: control.wait, input: { ms: 2 } }
  - { id: b, type: control.fail, input: { message: x }, policy: { continueOnError: true, retry: { maxAttempts: 3, backoffMs: 1 } } }
  - { id: c, type: echo, input: { text: "{{a.waitedMs}}" }, policy: { timeoutMs: 60000 } }
edges: [{ from: a, to: c }]`;
  const { end, events, state } = await testRun(text, { clock: jumpingClock() });
  expect(end.status).toBe('completed');
  const durations = events.flatMap(({ event }) => ('durationMs' in event ? [event.durationMs] : []));
  expect(durations).toHaveLength(4);
  expect(durations.every((durationMs) => durationMs >= 0)).toBe(true);
  expect([...state.nodes.values()].every(({ durationMs = 0 }) => durationMs >= 0)).toBe(true);
});

test('a clock that was set back does not block the event loop', async () => {
  let isBack = false;
  const clock = { ...systemClock, now: () => systemClock.now() - (isBack ? 3_600_000 : 0) };
  let turns = 0;
  const ticker = setInterval(() => turns++, 0);
  const busy = testNode('hostile', async () => {
    isBack = true;
    throw new Error('again');
  });
  await testRun(hostileFlow('{ continueOnError: true, retry: { maxAttempts: 200 } }'), { clock, nodeTypes: [busy] });
  clearInterval(ticker);
  expect(turns).toBeGreaterThan(0);
});

test('10,000 attempts without a pause do not block the event loop, and each is emitted', async () => {
  let calls = 0;
  let callsAtFirstTurn = 0;
  const timer = setTimeout(() => {
    callsAtFirstTurn = calls;
  }, 0);
  const tireless = testNode('hostile', async () => {
    calls++;
    throw new Error('again');
  });
  const { events, end } = await testRun(hostileFlow('{ retry: { maxAttempts: 10000 } }'), { nodeTypes: [tireless] });
  clearTimeout(timer);
  expect([calls, end.status]).toEqual([10_000, 'failed']);
  expect(callsAtFirstTurn).toBeGreaterThan(0);
  expect(callsAtFirstTurn).toBeLessThan(10_000);
  expect(traceOf(events, ['node:retry'])).toHaveLength(9999);
}, 60_000);

test.each(['constructor', '__defineGetter__', 'toString', 'hasOwnProperty'])('a node may be named %s', async (id) => {
  const text = `
flow: { name: f }
nodes:
  - { id: ${id}, type: constant, input: { value: { deep: 7 } } }
  - { id: reads, type: echo, input: { text: "{{${id}.value.deep}}" }, when: { equals: { var: ${id}.value.deep, value: 7 } } }
  - { id: last_${id}, type: control.noop, input: { value: "{{?nobody.constructor}}" } }
edges: [{ from: ${id}, to: reads }]`;
  const world = await createTestExecutor();
  const { runId, ended } = await world.run(text);
  expect((await ended).status).toBe('completed');
  const end = world.store.readEvents(runId, -1, 100).at(-1)?.event;
  expect(end).toMatchObject({ output: { reads: { text: '7' }, [`last_${id}`]: { value: '' } } });
  await world.close();
});
