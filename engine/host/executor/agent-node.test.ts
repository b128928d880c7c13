import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { JsonValue } from '../../language/json/json-value.ts';
import { foldRun } from '../../runtime/kernel/events/fold-run.ts';
import type { EventEnvelope, RunEvent } from '../../runtime/kernel/events/run-event.ts';
import { emptyRunState, type RunState } from '../../runtime/kernel/events/run-state.ts';
import { createTestExecutor, type TestExecutor } from '../../testing/executor-world.ts';
import { scriptSection } from '../../testing/run-agent-file.ts';
import type { EndedRun } from './active-runs.ts';

let world: TestExecutor;
beforeEach(async () => {
  world = await createTestExecutor();
});
afterEach(() => world.close());

/** Returns a flow with the agent `a.aip` as its first node and a second one that reads its output. */
function flowOf(agentKeys = '', flowKeys = ''): string {
  return `
flow: { name: With an agent${flowKeys} }
nodes:
  - { id: work, type: agent, input: { agent: a.aip, inputs: [a, b, c, d] }${agentKeys} }
  - { id: after, type: constant, input: { value: done } }
edges: [{ from: work, to: after }]`;
}

async function run(text: string): Promise<EndedRun> {
  return await (await world.run(text)).ended;
}

type EventOf<Type extends RunEvent['type']> = Extract<RunEvent, { type: Type }>;

function toldOf<Type extends RunEvent['type']>(type: Type): readonly (EventEnvelope & { event: EventOf<Type> })[] {
  return world.told.filter((told): told is EventEnvelope & { event: EventOf<Type> } => told.event.type === type);
}

function state(): RunState {
  return foldRun(emptyRunState, world.told);
}

function outputOf(node: string): JsonValue | undefined {
  return state().nodes.get(node)?.output;
}

test('X-02 a pack with four inputs, one of them skipped, is one node task, one child run and four item tasks', async () => {
  const data = 'if input == "b" then return aip.flow.skip("not this one") end\nreturn input';
  world.texts.set('a.aip', `${scriptSection('Data', data)}${scriptSection('Output', 'return data .. "!"')}`);
  expect((await run(flowOf())).status).toBe('completed');
  const starts = toldOf('task:start');
  expect(starts.filter(({ event }) => event.nodeId === 'work')).toHaveLength(1);
  expect(starts.filter(({ rootRunId }) => rootRunId !== undefined)).toHaveLength(4);
  expect(toldOf('run:start').filter(({ rootRunId }) => rootRunId !== undefined)).toHaveLength(1);
  expect(toldOf('task:skipped').map(({ event }) => event.reason)).toEqual(['not this one']);
  expect(outputOf('work')).toEqual({ outputs: ['a!', null, 'c!', 'd!'], after_all: null });
  const [child] = state().children.values();
  expect([...(child?.nodes.values() ?? [])].map(({ status }) => status)).toEqual([
    'completed',
    'skipped',
    'completed',
    'completed',
  ]);
  expect(child).toMatchObject({ kind: 'agent', status: 'completed', parentTaskId: 'node:work' });
});

test('X-03 a node with an agent that skips in Before All has a skip marker, and the flow continues', async () => {
  world.texts.set('a.aip', scriptSection('Before All', 'return aip.flow.skip("nothing to do")'));
  expect((await run(flowOf())).status).toBe('completed');
  const types = world.told.flatMap(({ event, rootRunId }) =>
    rootRunId === undefined && 'nodeId' in event && event.nodeId === 'work' ? [event.type] : [],
  );
  expect(types).toEqual(['task:start', 'node:input', 'task:skipped', 'node:skipped']);
  expect(toldOf('node:skipped')[0]?.event.reason).toBe('directive');
  const after = state();
  expect(after.nodes.get('work')).toMatchObject({ status: 'skipped', skip: { text: 'nothing to do' } });
  expect(after.nodes.get('after')?.status).toBe('completed');
  expect(after.failedNodes.size).toBe(0);
});

/** Waits until this many runs have emitted their end, which a child run does up to 16 ms later. */
async function untilEnded(count: number): Promise<void> {
  await vi.waitFor(async () => {
    await world.clock.advance(16);
    expect(toldOf('run:end')).toHaveLength(count);
  });
}

test('X-04 an agent that requests two redos is three child runs in one node task, and the last one counts', async () => {
  const code = 'if (CTX.REDO_COUNT or 0) < 2 then return aip.flow.redo_run() end\nreturn CTX.REDO_COUNT';
  world.texts.set('a.aip', scriptSection('After All', code));
  const accepted = await world.run(flowOf());
  for (let step = 0; step < 2; step++) {
    await untilEnded(step + 1);
    await world.clock.advance(500);
  }
  expect((await accepted.ended).status).toBe('completed');
  const [, ...starts] = toldOf('run:start');
  expect(starts.map(({ event }) => event.redoCount)).toEqual([undefined, 1, 2]);
  expect(starts.map(({ event }) => event.redoOf)).toEqual([undefined, starts[0]?.runId, starts[1]?.runId]);
  const ends = toldOf('run:end').map(({ at }) => at);
  expect((starts[1]?.at ?? 0) - (ends[0] ?? 0)).toBeGreaterThanOrEqual(500);
  expect(toldOf('task:start').filter(({ event }) => event.nodeId === 'work')).toHaveLength(1);
  expect(outputOf('work')).toEqual({ outputs: [null, null, null, null], after_all: 2 });
});

test('a node reports the usage and cost of all runs of its agent, and its flow the number of calls without a known price', async () => {
  await world.close();
  const usage = { promptTokens: 3, completionTokens: 2 };
  let asked = 0;
  const reply = () => ({ text: 'x', finishReason: 'stop', usage, ...(asked++ === 0 ? {} : { costUsd: 0.25 }) });
  world = await createTestExecutor({ reply });
  const redo = 'if (CTX.REDO_COUNT or 0) < 1 then return aip.flow.redo_run() end';
  world.texts.set('a.aip', `# User\nHi\n${scriptSection('After All', redo)}`);
  const accepted = await world.run(flowOf().replace('[a, b, c, d]', '[a, b]'));
  await untilEnded(1);
  await world.clock.advance(500);
  const end = await accepted.ended;
  const spent = { usage: { promptTokens: 12, completionTokens: 8 }, costUsd: 0.75 };
  expect(outputOf('work')).toMatchObject({ outputs: ['x', 'x'], ...spent });
  expect([end, toldOf('run:end').at(-1)?.event]).toEqual([
    expect.objectContaining({ number: 1, status: 'completed', costUsd: 0.75, unpricedCalls: 1 }),
    expect.objectContaining({ ...spent, unpricedCalls: 1 }),
  ]);
});

describe('X-05 a redo from Data inside a node fails the child run with the fixed message', () => {
  const sentence = 'aip.flow.redo_run() can be returned only from # Before All or # After All stages.';
  beforeEach(() => {
    world.texts.set('a.aip', scriptSection('Data', 'return aip.flow.redo_run()'));
  });

  test('the node fails, which ends the flow', async () => {
    expect(await run(flowOf())).toMatchObject({ status: 'failed', error: { message: sentence, stage: 'Data' } });
  });

  test('the node is retried according to its policy', async () => {
    await run(flowOf(', policy: { retry: { maxAttempts: 3 } }'));
    expect(toldOf('node:retry').map(({ event }) => event.error.message)).toEqual([sentence, sentence]);
    expect(toldOf('run:start').filter(({ rootRunId }) => rootRunId !== undefined)).toHaveLength(3);
  });

  test('the flow continues if it tolerates the failure', async () => {
    const end = await run(flowOf(', policy: { continueOnError: true }'));
    expect(end).toMatchObject({ status: 'completed', failedNodes: ['work'] });
  });
});

test('X-07 canceling stops agents, child runs and retry delays alike, and only their ends follow', async () => {
  world.texts.set('a.aip', scriptSection('Data', 'while true do pcall(function() while true do end end) end'));
  world.texts.set('b.aip', scriptSection('Before All', 'return aip.agent.run("a.aip", { inputs = { "x" } })'));
  const { ended, runId } = await world.run(`
flow: { name: Busy, policy: { maxParallel: 4 } }
nodes:
  - { id: work, type: agent, input: { agent: a.aip, inputs: [a] }, policy: { retry: { maxAttempts: 9 } } }
  - { id: caller, type: agent, input: { agent: b.aip } }
  - { id: flaky, type: control.fail, input: { message: no }, policy: { retry: { maxAttempts: 9, backoffMs: 60000 } } }
  - { id: pause, type: control.wait, input: { ms: 90000 }, policy: { timeoutMs: 99000 } }
  - { id: after, type: constant, input: { value: done } }
edges: [{ from: work, to: after }, { from: flaky, to: after }]`);
  await expect
    .poll(async () => {
      // Other events are emitted in batches after some milliseconds.
      await world.clock.advance(16);
      return toldOf('stage:start').filter(({ event }) => event.stage === 'Data').length;
    })
    .toBe(2);
  expect(toldOf('node:retry').map(({ event }) => [event.nodeId, event.delayMs])).toEqual([['flaky', 60_000]]);
  const before = world.told.length;
  world.executor.cancelRun(runId);
  expect(await ended).toMatchObject({ status: 'cancelled', failedNodes: [] });
  expect(world.clock.openTimers).toBe(0);
  await world.clock.advance(200_000);
  const after = world.told.slice(before);
  expect(after.map(({ event }) => event.type).filter((type) => !ends.test(type))).toEqual([]);
  expect(after.at(-1)).toMatchObject({ runId, event: { type: 'run:end', status: 'cancelled' } });
  const told = state();
  expect([...told.children.values()].map(({ name, status }) => [name, status])).toEqual([
    ['a.aip', 'cancelled'],
    ['b.aip', 'cancelled'],
    ['a.aip', 'cancelled'],
  ]);
  expect([...told.nodes.values()].map(({ nodeId, status, attempts }) => [nodeId, status, attempts])).toEqual([
    ['work', 'cancelled', 1],
    ['caller', 'cancelled', 1],
    ['flaky', 'cancelled', 2],
    ['pause', 'cancelled', 1],
  ]);
  expect(world.store.readEvents(runId, -1, 1000)).toEqual(world.told);
});

const ends = /cancelled$|^run:end$|^stage:end$|^agent:failed$/;

test('X-14 the stored log alone contains the tree of a run and its descendants, without running anything', async () => {
  const data =
    'if input == "b" then return aip.flow.skip("not this one") end\nif input == "c" then error("no c") end\nreturn input';
  world.texts.set(
    'a.aip',
    `# Options\n\`\`\`toml\nallow_run_on_task_fail = true\n\`\`\`\n${scriptSection('Data', data)}`,
  );
  const accepted = await world.run(flowOf(', policy: { continueOnError: true }'));
  expect((await accepted.ended).status).toBe('completed');
  const log = world.store.readEvents(accepted.runId, -1, 1000);
  world.texts.clear();
  await world.executor.close();
  const { status, nodes, children, firedEdges } = foldRun(emptyRunState, log);
  const statuses = (all: RunState['nodes']) => [...all].map(([id, node]) => [id, node.status]);
  expect([status, statuses(nodes), [...firedEdges]]).toEqual([
    'completed',
    [
      ['work', 'completed'],
      ['after', 'completed'],
    ],
    ['work->after'],
  ]);
  expect([...children.values()].map((child) => [child.name, child.status, statuses(child.nodes)])).toEqual([
    [
      'a.aip',
      'completed',
      [
        ['input:0', 'completed'],
        ['input:1', 'skipped'],
        ['input:2', 'failed'],
        ['input:3', 'completed'],
      ],
    ],
  ]);
  expect(world.told).toEqual(log);
});

describe('a child run canceled by its own id', () => {
  const endless = scriptSection('Data', 'while true do pcall(function() while true do end end) end');

  async function cancelCalled(text: string, name: string): Promise<EndedRun> {
    const { ended } = await world.run(text);
    await expect
      .poll(async () => {
        await world.clock.advance(16);
        return toldOf('agent:start').some(({ event }) => event.agentName === name) && toldOf('stage:start').length > 0;
      })
      .toBe(true);
    const called = toldOf('agent:start').find(({ event }) => event.agentName === name)!.event.runId;
    world.executor.cancelRun(called);
    const end = await ended;
    // Like any run that has ended.
    world.executor.cancelRun(called);
    return end;
  }

  test('is stopped, and its node has failed', async () => {
    world.texts.set('a.aip', endless);
    expect(await cancelCalled(flowOf(), 'a.aip')).toMatchObject({ status: 'failed', failedNodes: ['work'] });
    expect([...state().children.values()].map(({ status }) => status)).toEqual(['cancelled']);
    expect(state().nodes.get('work')).toMatchObject({ status: 'failed', error: { code: 'agent.cancelled' } });
  });

  test('lets a flow continue that tolerates the failure', async () => {
    world.texts.set('a.aip', endless);
    const end = await cancelCalled(flowOf(', policy: { continueOnError: true }'), 'a.aip');
    expect(end).toMatchObject({ status: 'completed', failedNodes: ['work'] });
    expect(outputOf('after')).toEqual({ value: 'done' });
  });

  test('stops its own child runs, but none of its ancestors', async () => {
    world.texts.set('a.aip', scriptSection('Before All', 'return pcall(function() return aip.agent.run("b.aip") end)'));
    world.texts.set('b.aip', endless);
    const end = await cancelCalled(flowOf(), 'b.aip');
    expect(end.status).toBe('completed');
    expect([...state().children.values()].map(({ status }) => status)).toEqual(['completed', 'cancelled']);
  });
});

test('X-13 errors of items that the agent tolerates are outputs, and the node succeeds', async () => {
  const options = '# Options\n```toml\nallow_run_on_task_fail = true\n```\n';
  const data = 'if input == "b" then error("no b") end\nreturn input';
  world.texts.set('a.aip', `${options}${scriptSection('Data', data)}${scriptSection('Output', 'return data')}`);
  const end = await run(flowOf(', policy: { continueOnError: true }'));
  expect(end).toMatchObject({ status: 'completed', failedNodes: [] });
  expect(outputOf('work')).toMatchObject({ outputs: ['a', { error: expect.stringContaining('no b') }, 'c', 'd'] });
});
