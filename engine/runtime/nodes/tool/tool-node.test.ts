/** Tests tool nodes: a single executor, approvals that survive the process, and no repeated external effects. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { RunId } from '../../../base/ids.ts';
import { readWaiting } from '../../../host/executor/run-answers.ts';
import type { JsonMap } from '../../../language/json/json-value.ts';
import { cutRun } from '../../../testing/cut-run.ts';
import { createTestExecutor, type TestExecutor } from '../../../testing/executor-world.ts';
import { traceOf } from '../../../testing/test-run.ts';
import { testTool } from '../../../world/tools/test-tools.ts';
import { foldRun } from '../../kernel/events/fold-run.ts';
import { emptyRunState } from '../../kernel/events/run-state.ts';

let world: TestExecutor;
/** Arguments of the tool calls, in order. */
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

test('MF-050 a tool node calls its tool only through the executor, which emits each step', async () => {
  await ended(flowWith('send'));
  expect(outputOf('end')).toEqual({ text: 'sent to kim' });
  expect(called).toEqual([{ to: 'kim' }]);
  expect(traceOf(world.told, ['tool:']).length).toBe(2);
});

test('an unknown tool fails the node with the nearest name and its category', async () => {
  await ended(flowWith('sedn'));
  expect(foldRun(emptyRunState, world.told).nodes.get('send')?.error).toMatchObject({
    code: 'tool.unknown',
    message: expect.stringContaining('Did you mean "send"?'),
    details: { category: 'not_found' },
  });
});

test('a tool that needs approval suspends the run and is called with the edited parameters', async () => {
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

const rejectedWay = (tool: string): string => `
flow: { name: Tools }
nodes:
  - { id: send, type: tool, input: { to: kim }, config: { tool: ${tool} } }
  - { id: end, type: echo, input: { text: "sent to {{send.sent}}" } }
  - { id: no, type: echo, input: { text: "{{send.comment}}" } }
edges:
  - { from: send, to: no, when: { equals: { var: send.route, value: rejected } } }
  - { from: send, to: end, when: { not: { equals: { var: send.route, value: rejected } } } }`;

test("12.2 a rejected call takes the rejected branch if it is connected, with the person's comment", async () => {
  const runId = await ended(rejectedWay('send_asked'));
  await (await world.executor.resumeRun({ runId, payload: { approved: false, comment: 'too soon' } })).ended;
  expect(called).toEqual([]);
  expect(world.store.getRun(runId)).toMatchObject({ status: 'completed' });
  expect(outputOf('no')).toEqual({ text: 'too soon' });
  const { nodes } = foldRun(emptyRunState, world.told);
  expect(nodes.get('end')?.status).toBe('skipped');
  expect(nodes.get('send')?.output).toMatchObject({
    route: 'rejected',
    message: expect.stringContaining('did not allow'),
  });
});

test('12.2 without a rejection that branch is not taken, and another failure still fails the node', async () => {
  await ended(rejectedWay('send'));
  expect(outputOf('end')).toEqual({ text: 'sent to kim' });
  expect(foldRun(emptyRunState, world.told).nodes.get('no')?.status).toBe('skipped');
  const runId = await ended(rejectedWay('sedn'));
  expect(world.store.getRun(runId)).toMatchObject({ status: 'failed', error: { code: 'tool.unknown' } });
});

test('does not repeat a call that was interrupted after its result', async () => {
  const runId = await cutRun(world, { text: flowWith('send'), after: ({ type }) => type === 'tool:result' });
  called.length = 0;
  await (await world.executor.resumeRun({ runId })).ended;
  expect(called).toEqual([]);
  expect(world.store.getRun(runId)).toMatchObject({ status: 'completed' });
});

test('asks before it repeats an external effect that was interrupted after the start of an attempt', async () => {
  const runId = await cutRun(world, { text: flowWith('send'), after: ({ type }) => type === 'tool:attempt' });
  called.length = 0;
  await (await world.executor.resumeRun({ runId })).ended;
  expect([called.length, world.store.getRun(runId)?.status]).toEqual([0, 'suspended']);
  expect(readWaiting(world.store, runId)).toMatchObject([{ request: { title: 'Call send again?' } }]);
});
