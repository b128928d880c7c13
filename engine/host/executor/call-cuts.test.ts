/**
 * Interrupts a flow with child flows after each event of its log. The resumed run must end like the uninterrupted one.
 */
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { RunId } from '../../base/ids.ts';
import { foldRun } from '../../runtime/kernel/events/fold-run.ts';
import type { EventEnvelope } from '../../runtime/kernel/events/run-event.ts';
import { emptyRunState, type RunState } from '../../runtime/kernel/events/run-state.ts';
import { cutBehind } from '../../testing/cut-run.ts';
import { createTestExecutor, type TestExecutor } from '../../testing/executor-world.ts';
import { openScopes } from '../../testing/open-scopes.ts';
import type { ResumeRun } from './continuation.ts';

let world: TestExecutor;
beforeEach(async () => {
  world = await createTestExecutor();
  world.texts.set('inner.flow.yaml', inner);
  world.texts.set('outer.flow.yaml', outer);
});
afterEach(() => world.close());

const inner = `
flow: { name: Inner, outputs: { path: "{{log.path}}" } }
nodes:
  - { id: log, type: file.write, input: { path: "{{flow.input.path}}", text: x }, config: { mode: append } }
edges: []
`;
const outer = `
flow: { name: Outer }
nodes:
  - { id: one, type: flow, input: { flow: inner.flow.yaml, input: { path: "{{flow.input.path}}1" } } }
  - { id: bad, type: control.fail, input: { message: wanted }, policy: { continueOnError: true } }
  - { id: end, type: echo, input: { text: "{{one.outputs.path}} {{bad.error.message}}" } }
edges: [{ from: one, to: bad }, { from: bad, to: end }]
`;
const root = `
flow: { name: Root }
nodes:
  - { id: each, type: control.foreach, input: { items: [a, b], body: [call] } }
  - { id: call, type: flow, input: { flow: outer.flow.yaml, input: { path: "{{item}}" } } }
  - { id: end, type: json.query, input: { value: "{{each.iterations}}" }, config: { path: "$..text" } }
edges: [{ from: each, to: end }]
`;

function logOf(runId: RunId): readonly EventEnvelope[] {
  return world.store.readEvents(runId, -1, 10_000);
}

function stateOf(runId: RunId): RunState {
  return foldRun(emptyRunState, logOf(runId));
}

async function proceed(request: ResumeRun): Promise<string> {
  return (await (await world.executor.resumeRun(request)).ended).status;
}

async function wholeRun(): Promise<readonly EventEnvelope[]> {
  const { runId, ended } = await world.run(root);
  expect((await ended).status).toBe('completed');
  return logOf(runId);
}

/** Returns the paths of file writes, including repetitions. */
function written(log: readonly EventEnvelope[]): readonly string[] {
  return log.flatMap(({ event }) =>
    event.type === 'node:input' && event.nodeId === 'log' ? [(event.input as { path: string }).path] : [],
  );
}

test('BB-30 interrupted after any event and approved whenever it asks, it ends as if nothing had happened', async () => {
  const whole = await wholeRun();
  const wanted = foldRun(emptyRunState, whole);
  expect(wanted.output).toMatchObject({ end: { value: ['a1 wanted', 'b1 wanted'] } });
  for (let length = 1; length < whole.length; length++) {
    const cut = whole.slice(0, length);
    const runId = cutBehind(world, cut);
    let status = await proceed({ runId });
    let asks = 0;
    while (status === 'suspended') {
      asks++;
      status = await proceed({ runId, decision: 'approve' });
    }
    const after = stateOf(runId);
    expect({ length, status, output: after.output }).toEqual({ length, status: 'completed', output: wanted.output });
    expect(openScopes(logOf(runId))).toEqual([]);
    expect([...after.children.values()].map(({ status: end }) => end)).toEqual(Array(4).fill('completed'));
    const writes = written(logOf(runId));
    // While one item asks, the other continues.
    expect({ length, extra: writes.length - 2 <= asks, paths: [...new Set(writes)].sort() }).toEqual({
      length,
      extra: true,
      paths: ['a1', 'b1'],
    });
  }
});

test('BB-30 a waiting node of a child flow is answered by the root’s id and its full name', async () => {
  const whole = await wholeRun();
  const at = whole.findIndex(({ event }) => event.type === 'node:input' && event.nodeId === 'log');
  const runId = cutBehind(world, whole.slice(0, at + 1));
  expect(await proceed({ runId })).toBe('suspended');
  const last = logOf(runId).at(-1)?.event;
  expect(last).toMatchObject({ type: 'run:suspended', nodeId: 'each[0].call/one/log' });
  expect(stateOf(runId).nodes.get('each[0].call')?.status).toBe('suspended');
  await expect(proceed({ runId, decision: 'approve', nodeId: 'call/log' })).rejects.toThrow(
    'Waiting nodes: each[0].call/one/log.',
  );
  expect(await proceed({ runId, decision: 'approve', nodeId: 'each[0].call/one/log' })).toBe('completed');
  expect(stateOf(runId).output).toEqual(foldRun(emptyRunState, whole).output);
});

test('BB-30 rejected, the node of the child flow fails, and so do its callers', async () => {
  const whole = await wholeRun();
  const at = whole.findIndex(({ event }) => event.type === 'node:input' && event.nodeId === 'log');
  const runId = cutBehind(world, whole.slice(0, at + 1));
  expect(await proceed({ runId })).toBe('suspended');
  expect(await proceed({ runId, decision: 'reject', nodeId: 'each[0].call' })).toBe('failed');
  expect(stateOf(runId).error?.code).toBe('loop.item-failed');
  const errors = [...stateOf(runId).children.values()].flatMap(({ error }) =>
    error === undefined ? [] : [error.code],
  );
  expect(errors).toEqual(['node.cut', 'node.cut']);
  expect(openScopes(logOf(runId))).toEqual([]);
});

test('BB-30 canceled after any event, a run leaves nothing open in its child flows', async () => {
  const whole = await wholeRun();
  for (let length = 1; length < whole.length; length++) {
    const runId = cutBehind(world, whole.slice(0, length));
    const isOver = whole
      .slice(0, length)
      .some(({ event, rootRunId }) => event.type === 'run:end' && rootRunId === undefined);
    if (isOver) continue;
    world.executor.cancelRun(runId);
    await expect
      .poll(() => world.store.getRun(runId)?.status, { timeout: 20_000 })
      .not.toMatch(/interrupted|running|queued/);
    expect({ length, open: openScopes(logOf(runId)) }).toEqual({ length, open: [] });
  }
});
