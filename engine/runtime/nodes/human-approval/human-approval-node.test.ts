import { expect, test } from 'vitest';
import { checkFlow } from '../../../language/flow/check-flow.ts';
import { createAnswerDesk } from '../../../testing/answer-desk.ts';
import { testRun } from '../../../testing/test-run.ts';
import { builtinNodes } from '../builtin-nodes.ts';
import { createNodeRegistry } from '../node-registry.ts';

const flow = (more: string, edges = '') => `
flow: { name: f }
nodes:
  - { id: ask, type: human_approval, input: { title: Pay?, action: { to: kim }, notes: [late], params: { amount: 3 } }${more} }
  - { id: no, type: echo, input: { text: "{{?ask.comment}}" } }
edges: [${edges}]`;

const wired = '{ from: ask, to: no, when: { equals: { var: ask.route, value: rejected } } }';

async function answered(text: string, payload: Record<string, boolean | string | { amount: number }>) {
  const desk = createAnswerDesk();
  const { events, state } = await testRun(text, { answers: desk });
  expect(state.nodes.get('ask')?.asks?.[0]?.request).toEqual({
    ...{ kind: 'approval', title: 'Pay?', action: { to: 'kim' }, notes: ['late'], params: { amount: 3 } },
  });
  desk.give({ name: 'ask', key: 'approval', payload }, events);
  return await testRun(text, { answers: desk, resume: { events } });
}

test('returns the answer, who gave it, and what was edited', async () => {
  const { state } = await answered(flow('', wired), { approved: true, params: { amount: 2 } });
  expect(state.nodes.get('ask')?.output).toEqual({
    ...{ route: 'approved', approved: true, comment: '', params: { amount: 2 }, by: 'kim', at: 7 },
  });
  expect(state.nodes.get('no')?.status).toBe('skipped');
});

test('12.2 a rejection takes the rejected branch if it is connected', async () => {
  const { state, end } = await answered(flow('', wired), { approved: false, comment: 'too much' });
  expect([end.status, state.nodes.get('no')?.output]).toEqual(['completed', { text: 'too much' }]);
});

test('12.2 a rejection without that branch fails at once, even with retries', async () => {
  const { end, events } = await answered(flow(', policy: { retry: { maxAttempts: 3 } }'), {
    approved: false,
    comment: 'no',
  });
  expect(end.error).toMatchObject({ code: 'approval.rejected', message: '"Pay?" was rejected by kim: no' });
  expect(events.some(({ event }) => event.type === 'node:retry')).toBe(false);
});

const registry = createNodeRegistry(builtinNodes);

test.each([
  ['{ title: Pay? }', { title: 'Pay?' }],
  ['{ message: Pay this refund? }', { title: 'Pay this refund?', message: 'Pay this refund?' }],
  ['{ message: "\\n Pay?\\nIt is late." }', { title: 'Pay?', message: '\n Pay?\nIt is late.' }],
  ['{ title: "", message: Pay? }', { title: 'Pay?', message: 'Pay?' }],
  ['{ title: Pay, message: All of it }', { title: 'Pay', message: 'All of it' }],
  ['{ message: "{{flow.input.what}}" }', { title: 'All of it', message: 'All of it' }],
  [`{ message: ${'x'.repeat(300)} }`, { title: expect.stringMatching(/^x{100,200}/) }],
])('13.3 a title or a message is sufficient: %s', async (input, request) => {
  const text = `flow: { name: f, input: { what: All of it } }\nnodes:\n  - { id: ask, type: human_approval, input: ${input} }\nedges: []`;
  expect(checkFlow(text, registry).diagnostics).toEqual([]);
  const { state } = await testRun(text, { answers: createAnswerDesk() });
  expect(state.nodes.get('ask')?.asks?.[0]?.request).toMatchObject({ kind: 'approval', ...request });
});

test.each(['{}', '{ title: "" }', '{ message: " " }', '{ title: "", message: "" }'])(
  '13.3 without either, validation reports what is required: %s',
  async (input) => {
    const text = `flow: { name: f }\nnodes:\n  - { id: ask, type: human_approval, input: ${input} }\nedges: []`;
    expect(checkFlow(text, registry).diagnostics).toMatchObject([
      { code: 'node.bad-input', message: expect.stringContaining('a "title" or a "message"') },
    ]);
    expect((await testRun(text)).end.error).toMatchObject({ code: 'node.bad-input' });
  },
);
