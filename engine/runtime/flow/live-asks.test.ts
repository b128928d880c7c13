/** Tests requests whose node keeps running while a person decides, as tools and programs make them. */
import { afterEach, expect, test, vi } from 'vitest';
import type { RunId } from '../../base/ids.ts';
import { readWaiting } from '../../host/executor/run-answers.ts';
import type { JsonMap } from '../../language/json/json-value.ts';
import { cutBehind } from '../../testing/cut-run.ts';
import { createTestExecutor, type TestExecutor } from '../../testing/executor-world.ts';
import { testTool } from '../../world/tools/test-tools.ts';
import type { ToolContext } from '../../world/tools/tool-source.ts';
import { foldRun } from '../kernel/events/fold-run.ts';
import { emptyRunState } from '../kernel/events/run-state.ts';

let world: TestExecutor;
afterEach(() => world.close());

const text = `
flow: { name: Live }
nodes:
  - { id: call, type: tool, input: {}, config: { tool: size }, policy: { timeoutMs: 1000 } }
  - { id: end, type: echo, input: { text: "size {{call.size}}" } }
edges: [{ from: call, to: end }]`;

const question = {
  kind: 'input',
  title: 'Which size?',
  schema: { type: 'object', properties: { size: { type: 'string' } }, required: ['size'] },
} as const;

/** Starts the flow with a tool that runs as given. */
async function start(run: (context: ToolContext) => Promise<JsonMap>): Promise<RunId> {
  const inputSchema = { type: 'object' };
  world = await createTestExecutor({
    tools: [testTool((_, context) => run(context), { name: 'size', inputSchema, effects: 'external' }, limits)],
  });
  return (await world.run(text)).runId;
}

const limits = { limits: { timeoutMs: 500 } };

async function askSize({ ask, signal }: ToolContext): Promise<JsonMap> {
  if (ask === undefined) throw new Error('The tool cannot ask');
  const { payload } = await ask('size', question, { live: signal });
  return { size: (payload['values'] as JsonMap)['size'] ?? null };
}

const stateOf = (id: string) => foldRun(emptyRunState, world.told).nodes.get(id);

async function asked(runId: RunId): Promise<void> {
  await vi.waitUntil(() => readWaiting(world.store, runId).length > 0);
}

test('the call goes on with the answer, and the wait counts for no time limit', async () => {
  let calls = 0;
  const runId = await start((context) => {
    calls += 1;
    return askSize(context);
  });
  await asked(runId);
  expect(stateOf('call')).toMatchObject({ status: 'suspended', request: { reason: 'user_input' } });
  expect(world.store.getRun(runId)?.status).toBe('running');
  await world.clock.advance(60_000);
  expect(stateOf('call')?.status).toBe('suspended');
  await expect(world.executor.resumeRun({ runId, payload: { values: {} } })).rejects.toMatchObject({
    code: 'answer.invalid',
  });
  await (await world.executor.resumeRun({ runId, payload: { values: { size: 'L' } } })).ended;
  expect(stateOf('end')?.output).toEqual({ text: 'size L' });
  expect(calls).toBe(1);
  expect(readWaiting(world.store, runId)).toEqual([]);
});

test('after the answer, the time limits continue with the rest', async () => {
  const runId = await start(async (context) => {
    await askSize(context);
    return await new Promise<never>(() => undefined);
  });
  await asked(runId);
  await world.clock.advance(400);
  const { ended } = await world.executor.resumeRun({ runId, payload: { values: { size: 'L' } } });
  await vi.waitUntil(() => stateOf('call')?.status === 'running');
  await world.clock.advance(499);
  expect(stateOf('call')?.status).toBe('running');
  await world.clock.advance(2);
  await ended;
  expect(stateOf('call')?.error).toMatchObject({ code: 'tool.timeout' });
});

test('a request is withdrawn if its answer is no longer needed, and can be made again', async () => {
  const first = new AbortController();
  let count = 0;
  const runId = await start(async (context) => {
    count += 1;
    await expect(context.ask?.('size', question, { live: first.signal })).rejects.toThrow('enough');
    return await askSize(context);
  });
  await asked(runId);
  first.abort(new Error('enough'));
  await vi.waitUntil(() => stateOf('call')?.asks?.length === 2);
  expect(readWaiting(world.store, runId)).toHaveLength(1);
  await (await world.executor.resumeRun({ runId, payload: { values: { size: 'S' } } })).ended;
  expect(stateOf('end')?.output).toEqual({ text: 'size S' });
  expect(count).toBe(1);
});

test('a cancelled run withdraws its request', async () => {
  const runId = await start(askSize);
  await asked(runId);
  world.executor.cancelRun(runId);
  await vi.waitUntil(() => world.store.getRun(runId)?.status === 'cancelled');
  expect(readWaiting(world.store, runId)).toEqual([]);
});

test('after a crash, the request is dropped, and the node asks whether the call may be made again', async () => {
  const runId = await start(askSize);
  await asked(runId);
  const cut = cutBehind(world, world.store.readEvents(runId, -1, 1000));
  await (await world.executor.resumeRun({ runId: cut })).ended;
  const waiting = readWaiting(world.store, cut);
  expect(waiting).toMatchObject([{ request: { kind: 'approval', title: 'Call size again?' } }]);
  await world.executor.resumeRun({ runId: cut, decision: 'approve' });
  await vi.waitUntil(() => readWaiting(world.store, cut)[0]?.request?.kind === 'input');
  await (await world.executor.resumeRun({ runId: cut, payload: { values: { size: 'M' } } })).ended;
  expect(world.store.getRun(cut)?.status).toBe('completed');
});
