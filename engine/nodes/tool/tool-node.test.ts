/** Tools that nodes of flows call: one executor, approvals that outlive the process, and nothing that acts outside called twice. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { RunId } from '../../base/ids.ts';
import { readWaiting } from '../../executor/run-answers.ts';
import type { JsonMap } from '../../flowspec/json-value.ts';
import { foldRun } from '../../kernel/fold-run.ts';
import { emptyRunState } from '../../kernel/run-state.ts';
import { cutRun } from '../../testing/cut-run.ts';
import { createTestExecutor, type TestExecutor } from '../../testing/executor-world.ts';
import { traceOf } from '../../testing/test-run.ts';
import { testTool } from '../../tools/test-tools.ts';

let world: TestExecutor;
/** What tools were called with, in order. */
let called: JsonMap[];
beforeEach(async () => {
  called = [];
  const inputSchema = { type: 'object', properties: { to: { type: 'string' } }, required: ['to'] };
  const send = async (params: JsonMap) => {
    called.push(params);
    return { sent: params['to'] ?? null };
  };
  const external = { inputSchema, effects: 'external' } as const;
  world = await createTestExecutor({
    tools: [
      testTool(send, { ...external, name: 'send' }),
      testTool(send, { ...external, name: 'send_asked', requiresApproval: true }),
    ],
  });
});
afterEach(() => world.close());

const flowWith = (tool: string): string => `
flow: { name: Tools }
nodes:
  - { id: send, type: tool, input: { to: kim }, config: { tool: ${tool} } }
  - { id: end, type: echo, input: { text: "sent to {{send.sent}}" } }
edges: [{ from: send, to: end }]`;

function outputOf(id: string): unknown {
  return foldRun(emptyRunState, world.told).nodes.get(id)?.output;
}

async function ended(text: string): Promise<RunId> {
  const { runId, ended } = await world.run(text);
  await ended;
  return runId;
}

test('MF-050 a tool node calls its tool by the executor alone, which tells each step', async () => {
  await ended(flowWith('send'));
  expect(outputOf('end')).toEqual({ text: 'sent to kim' });
  expect(called).toEqual([{ to: 'kim' }]);
  expect(traceOf(world.told, ['tool:']).length).toBe(2);
});

test('an unknown tool fails the node with the nearest name, and its category', async () => {
  await ended(flowWith('sedn'));
  expect(foldRun(emptyRunState, world.told).nodes.get('send')?.error).toMatchObject({
    code: 'tool.unknown',
    message: expect.stringContaining('Did you mean "send"?'),
    details: { category: 'not_found' },
  });
});

test('a tool that needs an approval suspends the run; edited parameters are what it is called with', async () => {
  const runId = await ended(flowWith('send_asked'));
  const [waiting] = readWaiting(world.store, runId);
  expect(waiting).toMatchObject({ name: 'send', request: { kind: 'approval', params: { to: 'kim' } } });
  expect(called).toEqual([]);
  const answer = { approved: true, params: { to: 'ann' } };
  await (await world.executor.resumeRun({ runId, payload: answer })).ended;
  expect(called).toEqual([{ to: 'ann' }]);
  expect(outputOf('end')).toEqual({ text: 'sent to ann' });
});

test('a rejected call fails the node with approval.rejected, and the tool never runs', async () => {
  const runId = await ended(flowWith('send_asked'));
  await (await world.executor.resumeRun({ runId, decision: 'reject' })).ended;
  expect(called).toEqual([]);
  expect(foldRun(emptyRunState, world.told).nodes.get('send')?.error).toMatchObject({ code: 'approval.rejected' });
});

test('cut behind the result, the call is not made again', async () => {
  const runId = await cutRun(world, { text: flowWith('send'), after: ({ type }) => type === 'tool:result' });
  called.length = 0;
  await (await world.executor.resumeRun({ runId })).ended;
  expect(called).toEqual([]);
  expect(world.store.getRun(runId)).toMatchObject({ status: 'completed' });
});

test('cut behind the attempt, it asks before it calls again what acts outside', async () => {
  const runId = await cutRun(world, { text: flowWith('send'), after: ({ type }) => type === 'tool:attempt' });
  called.length = 0;
  await (await world.executor.resumeRun({ runId })).ended;
  expect([called.length, world.store.getRun(runId)?.status]).toEqual([0, 'suspended']);
  expect(readWaiting(world.store, runId)).toMatchObject([{ request: { title: 'Call send again?' } }]);
});
