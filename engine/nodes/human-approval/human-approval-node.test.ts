import { expect, test } from 'vitest';
import { createAnswerDesk } from '../../testing/answer-desk.ts';
import { testRun } from '../../testing/test-run.ts';

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

test('gives the answer, who gave it, and what was edited', async () => {
  const { state } = await answered(flow('', wired), { approved: true, params: { amount: 2 } });
  expect(state.nodes.get('ask')?.output).toEqual({
    ...{ route: 'approved', approved: true, comment: '', params: { amount: 2 }, by: 'kim', at: 7 },
  });
  expect(state.nodes.get('no')?.status).toBe('skipped');
});

test('12.2 rejected, goes that way where it is wired', async () => {
  const { state, end } = await answered(flow('', wired), { approved: false, comment: 'too much' });
  expect([end.status, state.nodes.get('no')?.output]).toEqual(['completed', { text: 'too much' }]);
});

test('12.2 rejected without that way, fails at once, also where failures are tried again', async () => {
  const { end, events } = await answered(flow(', policy: { retry: { maxAttempts: 3 } }'), {
    approved: false,
    comment: 'no',
  });
  expect(end.error).toMatchObject({ code: 'approval.rejected', message: 'What "ask" asked was rejected by kim: no' });
  expect(events.some(({ event }) => event.type === 'node:retry')).toBe(false);
});
