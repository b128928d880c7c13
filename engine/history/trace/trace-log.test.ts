import { describe, expect, test } from 'vitest';
import { asRunId } from '../../base/ids.ts';
import type { JsonValue } from '../../language/json/json-value.ts';
import { createAnswerDesk } from '../../testing/answer-desk.ts';
import { createFakeCapabilities } from '../../testing/fake-capabilities.ts';
import { envelopes, runCompleted, runStart } from '../../testing/run-samples.ts';
import { testRun } from '../../testing/test-run.ts';
import { external, tool } from '../../testing/tool-prompts.ts';
import { runId, traced, tracedEvents } from './test-trace.ts';
import { ownerOf, type TraceRecord } from './trace-record.ts';

const kindsOf = (records: readonly TraceRecord[], begin = ''): string[] =>
  records.map(({ kind }) => kind).filter((kind) => kind.startsWith(begin));

const flowOf = (policy: string): string => `
flow: { name: f }
nodes:
  - { id: pay, type: tool, config: { tool: shop.pay }, input: { amount: 3 }${policy} }
edges: []`;

/** Returns a tool that fails once and then works. */
function failsOnce(more: object) {
  let calls = 0;
  const run = async (): Promise<JsonValue> => {
    calls += 1;
    if (calls === 1) throw new Error('not yet');
    return { paid: true };
  };
  return createFakeCapabilities({ tools: [{ ...tool('shop.pay', run, external), ...more }] });
}

const golden = [
  ['tool_call_attempt_started', { step_id: 'pay', attempt: 1, tool: 'shop.pay' }],
  [
    'tool_call_attempt_failed',
    {
      ...{ step_id: 'pay', attempt: 1, tool: 'shop.pay' },
      ...{ error_code: 'backend_error', error_type: expect.any(String), message: expect.stringContaining('not yet') },
    },
  ],
  ['tool_call_retry_scheduled', { step_id: 'pay', attempt: 2, tool: 'shop.pay', delay_ms: expect.any(Number) }],
  ['tool_call_attempt_started', { step_id: 'pay', attempt: 2, tool: 'shop.pay' }],
  ['tool_call_attempt_succeeded', { step_id: 'pay', attempt: 2, tool: 'shop.pay' }],
];

describe('MF-105', () => {
  test('MF-105 a step that succeeds on attempt 2 is traced in the golden order', async () => {
    const { capabilities } = failsOnce({});
    const { events } = await testRun(flowOf(', policy: { retry: { maxAttempts: 3, backoffMs: 1 } }'), { capabilities });
    const calls = traced(events).filter(({ kind }) => kind.startsWith('tool_call'));
    expect(calls.map(({ kind, payload }) => [kind, payload])).toEqual(golden);
    expect(calls.map(({ step_id: step }) => step)).toEqual(golden.map(() => 'pay'));
  });

  test('MF-105 the order is the same if the tool itself is retried', () => {
    const call = { callKey: 'k', tool: 'shop.pay' };
    const params = { amount: 3 };
    const log = envelopes(runId, [
      { type: 'task:start', taskId: 'node:pay', nodeId: 'pay', nodeType: 'tool' },
      { type: 'tool:attempt', ...call, attempt: 1, params, effects: 'idempotent' },
      { type: 'tool:retry', ...call, attempt: 2, delayMs: 500, error: { code: 'server_error', message: 'not yet' } },
      { type: 'tool:attempt', ...call, attempt: 2, params, effects: 'idempotent' },
      {
        ...{ type: 'tool:result', ...call, attempts: 2, isError: false, durationMs: 7, backend: 'http' },
        result: { status: 'success', result: 1 },
      },
    ]).map((one) => ({ ...one, context: { ...one.context, task: { id: 'node:pay' } } }));
    const records = traced(log);
    const calls = records.filter(({ kind }) => kind.startsWith('tool_call'));
    expect(calls.map(({ kind, payload }) => [kind, payload])).toEqual(golden);
    expect(records.at(-1)).toMatchObject({
      kind: 'tool.executed',
      payload: { ...{ tool: 'shop.pay', params, latency_ms: 7, backend: 'http' }, result: { result: 1 } },
    });
  });
});

test('MF-121 events in a step have the ids of its run and its step, including those of child runs', async () => {
  const start = { ...runStart, parentTaskId: 'node:call' };
  const child = { runId: asRunId('c'), parentRunId: runId, rootRunId: runId };
  const below = { runId: asRunId('d'), parentRunId: asRunId('c'), rootRunId: runId };
  const log = envelopes(runId, [
    { type: 'task:start', taskId: 'node:call', nodeId: 'call', nodeType: 'flow' },
    start,
    { type: 'task:start', taskId: 'node:each[2].ask', nodeId: 'each[2].ask', nodeType: 'agent' },
    { ...start, parentTaskId: 'node:each[2].ask' },
    { type: 'task:start', taskId: 'input:4' },
    runCompleted,
  ]).map((one, index) => ({ ...one, ...(index < 1 ? {} : index < 3 ? child : below) }));
  const records = traced(log);
  expect(records.map(({ run_id: run, step_id: step, kind }) => [run, step, kind])).toEqual([
    ['r1', 'call', 'step_started'],
    ['r1', 'call/each[2].ask', 'step_started'],
    ['r1', 'call/each[2].ask/input:4', 'step_started'],
  ]);
  expect(records.at(-1)?.payload).toMatchObject({ step_index: 4, type: 'input' });
});

test('MF-141 each step is traced as started and ended before the next one starts, with its index and name', async () => {
  const { capabilities } = createFakeCapabilities({ tools: [tool('shop.pay', async () => ({ ok: true }))] });
  const flow = `
flow: { name: f }
nodes:
  - { id: say, type: prompt, input: { prompt: hello } }
  - { id: pay, type: tool, config: { tool: shop.pay }, input: {} }
edges: [{ from: say, to: pay }]`;
  const { events } = await testRun(flow, { capabilities });
  const records = traced(events);
  const steps = records.filter(({ kind }) => /^step_|^run_/.test(kind));
  expect(steps.map(({ kind, step_id: step }) => `${kind} ${step ?? ''}`.trim())).toEqual([
    'run_started',
    ...['step_started say', 'step_completed say', 'step_started pay', 'step_completed pay'],
    ...['run_state_transition', 'run_completed'],
  ]);
  expect(steps[3]?.payload).toEqual({ step_index: 1, type: 'tool', name: 'Pay it' });
  const between = records.slice(2, kindsOf(records).indexOf('step_completed'));
  expect(kindsOf(between)).toEqual(['model_call_attempt_started', 'model_call_succeeded', 'agent.executed']);
  expect(new Set(records.map(({ event_id: id }) => id)).size).toBe(records.length);
  expect(records.every(({ product, flow }) => product === 'shop' && flow === 'refund')).toBe(true);
});

const asks = `
flow: { name: f }
nodes:
  - { id: ask, type: human_approval, input: { title: Pay?, notes: [late], recommended: approve } }
edges: []`;

async function answered(payload: { approved: boolean; comment: string }): Promise<TraceRecord[]> {
  const desk = createAnswerDesk();
  const { events } = await testRun(asks, { answers: desk });
  desk.give({ name: 'ask', key: 'approval', payload }, events);
  const later = await testRun(asks, { answers: desk, resume: { events } });
  return traced([...events, ...later.events]);
}

test('an approval is traced with its context, the decision, and each state of the run', async () => {
  const records = await answered({ approved: true, comment: 'fine' });
  const told = records.filter(({ kind }) => !kind.startsWith('step_'));
  expect(told.map(({ kind }) => kind)).toEqual([
    ...['run_started', 'pending_human', 'run_state_transition', 'run_paused'],
    ...['run_resumed', 'run_state_transition', 'approval_resolved', 'run_state_transition', 'run_completed'],
  ]);
  const [, pending, paused, , resumed, back, resolved] = told;
  expect(pending?.payload).toEqual({
    approval_id: resolved?.payload['approval_id'],
    approval_context: { reason: 'Pay?', decision_notes: ['late'], recommended_action: 'APPROVE' },
  });
  expect(paused).toMatchObject({ payload: { from: 'RUNNING', to: 'PENDING_HUMAN', reason: 'approval_requested' } });
  expect(paused?.step_id).toBeUndefined();
  expect(resumed?.payload).toEqual({ decision: 'APPROVED', comment: 'fine' });
  expect(back?.payload).toEqual({ from: 'PENDING_HUMAN', to: 'RUNNING', reason: 'approval_resumed' });
  expect(records.map(({ ts }) => ts)).toEqual(records.map(({ ts }) => ts).sort((a, b) => a - b));
});

describe('C13', () => {
  test('C13 a rejected approval is exported as run_rejected, with the decision', async () => {
    const records = await answered({ approved: false, comment: 'too much' });
    expect(records.find(({ kind }) => kind === 'run_rejected')).toMatchObject({
      step_id: 'ask',
      payload: { decision: 'REJECTED', approved: false, comment: 'too much' },
    });
    expect(kindsOf(records).slice(-4)).toEqual([
      ...['run_rejected', 'step_failed', 'run_state_transition', 'run_failed'],
    ]);
    expect(records.at(-2)?.payload).toEqual({ from: 'RUNNING', to: 'FAILED', reason: 'approval_rejected' });
  });

  test('C13 a denied run is exported as run_rejected, with code and details', () => {
    const details = { rule: 'max_steps', place: 'a:1' };
    const [record, ...more] = tracedEvents({
      ...{ type: 'run:refused', code: 'max_steps_exceeded', message: 'Too long.', details },
    });
    expect(record).toMatchObject({
      kind: 'run_rejected',
      payload: { code: 'max_steps_exceeded', message: 'Too long.', details },
    });
    expect(more).toEqual([]);
  });

  test('denied autonomy has a separate kind', () => {
    const details = { level: 'full_auto' };
    const [record] = tracedEvents({ type: 'run:refused', code: 'autonomy_denied', message: 'No.', details });
    expect(record).toMatchObject({
      kind: 'autonomy_denied',
      payload: { reason: 'No.', autonomy_level: 'full_auto' },
    });
  });
});

test('a form is traced when it is requested and when it is filled in, and its run as waiting for it', () => {
  const schema = {
    type: 'object',
    properties: { why: { type: 'string', enum: ['late', 'broken'] } },
    required: ['why'],
  };
  const key = { nodeId: 'form', key: 'input', requestHash: 'h' };
  const records = tracedEvents(
    { type: 'task:start', taskId: 'node:form', nodeId: 'form', nodeType: 'user_input' },
    {
      ...{ type: 'input:requested', ...key },
      request: { kind: 'input', title: 'Why?', schema, defaults: { why: 'late' } },
    },
    { type: 'run:suspended', reason: 'user_input', nodeId: 'form' },
    { type: 'run:resumed' },
    { type: 'input:received', ...key, payload: { values: { why: 'broken' }, comment: 'oh' }, at: 5 },
  );
  expect(records.slice(1).map(({ kind, payload }) => [kind, payload])).toEqual([
    [
      'user_input_requested',
      {
        ...{ form_id: 'form', title: 'Why?', mode: 'choice_input', required: ['why'], defaults: { why: 'late' } },
        schema_summary: { properties: ['why'], property_count: 1, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) },
      },
    ],
    [
      'pending_user_input',
      expect.objectContaining({
        ...{ prompt_id: 'form', run_id: 'r1', step_id: 'form', question: 'Why?', allow_free_text: false },
        options: ['late', 'broken'].map((value) => ({ option_id: value, label: value, value })),
      }),
    ],
    ['run_state_transition', { from: 'RUNNING', to: 'PENDING_USER_INPUT', reason: 'user_input_requested' }],
    ['run_paused', { reason: 'user_input', form_id: 'form' }],
    ['run_resumed', { decision: null, comment: 'oh' }],
    ['run_state_transition', { from: 'PENDING_USER_INPUT', to: 'RUNNING', reason: 'user_input_resumed' }],
    ['user_input_received', { form_id: 'form', mode: 'choice_input', values: { why: 'broken' }, comment: 'oh' }],
  ]);
});

test('13.5 a pause is not a request and leaves the run in its state', () => {
  const records = tracedEvents(
    { type: 'run:start', kind: 'flow', name: 'A', sourcePath: 'a', definitionHash: 'h', inputs: {} },
    { type: 'run:suspended', reason: 'paused', nodeId: 'pay' },
    { type: 'run:resumed', action: 'continue' },
    { type: 'run:end', status: 'completed', failedNodes: [], durationMs: 1 },
  );
  expect(records.slice(1).map(({ kind, payload }) => [kind, payload])).toEqual([
    ['run_paused', { reason: 'paused', form_id: null }],
    ['run_resumed', { decision: null, comment: '' }],
    ['run_state_transition', { from: 'RUNNING', to: 'COMPLETED', reason: 'run_completed' }],
    ['run_completed', { ok: true }],
  ]);
});

test('a model call without a response is traced as failed, and one over the budget as such', () => {
  const error = { code: 'budget.exceeded', message: 'Too dear', details: { budget: 'tokens', used: 9, limit: 8 } };
  const records = tracedEvents(
    { type: 'task:start', taskId: 'node:say', nodeId: 'say', nodeType: 'prompt' },
    { type: 'model:request', provider: 'p', model: 'm', messagesHash: 'h', callKey: 'k' },
    { type: 'task:failed', taskId: 'node:say', nodeId: 'say', error, durationMs: 1, attempts: 1 },
  ).map(({ kind, payload }) => [kind, payload]);
  // In these samples the request is outside of the task.
  expect(records.at(-1)).toEqual(['step_failed', { error: { message: 'Too dear', type: 'budget.exceeded' } }]);
  expect(records.at(-2)).toEqual(['model_call_budget_exceeded', { model: null, purpose: null, used: 9, limit: 8 }]);
});

test.each([
  ['products/shop/flows/refund.yaml', { product: 'shop', flow: 'refund' }],
  ['products/shop/flows/deep/refund.flow.yml', { product: 'shop', flow: 'refund' }],
  ['flows/report.flow.yaml', { product: '_workspace', flow: 'report' }],
  ['agents/write.aip', { product: '_workspace', flow: 'write' }],
  ['demo@text/write', { product: '_workspace', flow: 'write' }],
  ['products/../flows/x.yaml', { product: '_workspace', flow: 'x' }],
])('determines the owner of a run by %s', (path, owner) => {
  expect(ownerOf(path)).toEqual(owner);
});
