/** Tests traces of flows written as a list of steps. */
import { describe, expect, test } from 'vitest';
import { asRunId } from '../../base/ids.ts';
import type { EventEnvelope } from '../../runtime/kernel/events/run-event.ts';
import { envelopes } from '../../testing/run-samples.ts';
import { answerStep, runSteps, type StepWorld, stepFlow } from '../../testing/step-runs.ts';
import { ToolFailure } from '../../world/tools/tool-source.ts';
import { runId, traced } from './test-trace.ts';

const kindsOf = (log: readonly EventEnvelope[], only = /./): string[] =>
  traced(log).flatMap(({ kind, step_id: step }) =>
    only.test(kind) ? [step === undefined ? kind : `${kind} ${step}`] : [],
  );

const payloadOf = (log: readonly EventEnvelope[], wanted: string) =>
  traced(log).find(({ kind }) => kind === wanted)?.payload;

function failingOnce(): StepWorld {
  let calls = 0;
  return {
    tools: {
      'shop.pay': () => {
        calls += 1;
        if (calls === 1) throw new ToolFailure('server_error', 'not yet');
        return { paid: true };
      },
    },
    toolTraits: { effects: 'idempotent' },
  };
}

test('MF-105 a retried step is traced in the golden order, with its attempts counted', async () => {
  const text = stepFlow('{ id: pay, type: tool, tool: shop.pay, retry: { max_attempts: 2, backoff_seconds: 0 } }');
  const { events, end } = await runSteps(text, failingOnce());
  expect(end.status).toBe('completed');
  const calls = traced(events).filter(({ kind }) => kind.startsWith('tool_call'));
  expect(calls.map(({ kind, payload }) => [kind, payload['attempt'], payload['step_id']])).toEqual([
    ['tool_call_attempt_started', 1, 'pay'],
    ['tool_call_attempt_failed', 1, 'pay'],
    ['tool_call_retry_scheduled', 2, 'pay'],
    ['tool_call_attempt_started', 2, 'pay'],
    ['tool_call_attempt_succeeded', 2, 'pay'],
  ]);
});

const planned = {
  summary: 'Pay it',
  steps: [{ step_id: 's1', description: 'pay', step_type: 'tool' }],
  estimated_cost: { amount: 1 },
};

test("MF-141 each step is traced from start to end before the next one, with its agent's output", async () => {
  const text = stepFlow(
    '{ id: think, type: agent, agent: shop.a }',
    '{ id: plan, type: plan_proposal, agent: shop.planner }',
    '{ id: pay, type: tool, tool: shop.pay }',
  );
  const world: StepWorld = {
    agents: { 'shop.a': () => ({ mood: 'good' }), 'shop.planner': () => planned },
    tools: { 'shop.pay': () => ({ paid: true }) },
  };
  const { events } = await runSteps(text, world);
  expect(kindsOf(events, /^(step_|agent|plan_|tool|run_)/)).toEqual([
    'run_started',
    ...['step_started think', 'agent.executed think', 'step_completed think'],
    ...['step_started plan', 'plan_proposed plan', 'agent.executed plan', 'step_completed plan'],
    ...['step_started pay', 'tool_call_attempt_started pay', 'tool_call_attempt_succeeded pay', 'tool.executed pay'],
    ...['step_completed pay', 'run_state_transition', 'run_completed'],
  ]);
  expect(payloadOf(events, 'run_started')).toEqual({ autonomy_level: 'full_auto' });
  expect(payloadOf(events, 'agent.executed')).toEqual({
    agent: 'shop.a',
    result: { ok: true, data: { mood: 'good' }, error: null, meta: expect.objectContaining({ agent_name: 'shop.a' }) },
  });
  expect(payloadOf(events, 'plan_proposed')).toMatchObject({
    plan: { summary: 'Pay it', steps_count: 1, step_ids: ['s1'], approvals_count: 0 },
  });
});

test('an invalid plan is traced as such', async () => {
  const bad = await runSteps(stepFlow('{ id: plan, type: plan_proposal, agent: shop.a }'), {
    agents: { 'shop.a': () => ({ summary: 3 }) },
  });
  expect(kindsOf(bad.events, /plan|step_failed/)).toEqual(['plan_validation_failed plan', 'step_failed plan']);
});

test('MF-121 events of an agent have the ids of its run and its step', () => {
  const at = { task: { id: 'node:think' } };
  const log = envelopes(runId, [
    { type: 'task:start', taskId: 'node:think', nodeId: 'think', nodeType: 'agent' },
    { type: 'agent:start', agentName: 'shop.a', runId: asRunId('call') },
    { type: 'trace', name: 'chose', data: { of: 2 }, taskId: 'node:think' },
    { type: 'log', level: 'warn', text: 'slow', taskId: 'node:think' },
    {
      ...{ type: 'governance:decision', allowed: false, rule: 'agent_output_control_fields' },
      ...{ effect: 'output', target: 'shop.a', reason: 'names the next step' },
    },
  ]).map((event) => ({ ...event, context: { ...event.context, ...at } }));
  const told = traced(log).slice(1);
  expect(told.map(({ run_id: run, step_id: step, kind, payload }) => [run, step, kind, payload])).toEqual([
    ['r1', 'think', 'trace', { name: 'chose', data: { of: 2 } }],
    ['r1', 'think', 'log', { level: 'warn', text: 'slow' }],
    ['r1', 'think', 'governance.decision', expect.objectContaining({ effect: 'output', allowed: false })],
    [
      ...['r1', 'think', 'agent_output_denied'],
      { agent: 'shop.a', reason: 'agent_output_control_fields', details: { message: 'names the next step' } },
    ],
  ]);
});

describe('steps that ask', () => {
  const approval = stepFlow(
    '{ id: ok, type: human_approval, message: "Pay?", params: { reason: late, decision_notes: [a], recommended_action: APPROVE } }',
    '{ id: pay, type: tool, tool: shop.pay }',
  );
  const world: StepWorld = { tools: { 'shop.pay': () => ({ paid: true }) } };

  test('a step that asks is traced with its context', async () => {
    const run = await runSteps(approval, world);
    expect(payloadOf(run.events, 'pending_human')).toEqual({
      approval_id: expect.stringMatching(/^appr_[0-9a-f]{16}$/),
      approval_context: { reason: 'late', decision_notes: ['a'], recommended_action: 'APPROVE' },
    });
    const { all } = await answerStep(approval, run, { approval_payload: { approved: true }, comment: 'ok' }, world);
    expect(kindsOf(all, /^run_|approval_/)).toEqual([
      ...['run_started', 'run_state_transition', 'run_paused ok', 'run_resumed', 'run_state_transition'],
      ...['approval_resolved ok', 'run_state_transition', 'run_completed'],
    ]);
    expect(payloadOf(all, 'run_resumed')).toEqual({ decision: 'APPROVED', comment: 'ok' });
  });

  test('C13 a rejection is exported as run_rejected', async () => {
    const run = await runSteps(approval, world);
    const { all } = await answerStep(approval, run, { approval_payload: { approved: false }, comment: 'no' }, world);
    expect(payloadOf(all, 'run_rejected')).toEqual({ decision: 'REJECTED', approved: false, comment: 'no' });
    const moves = traced(all).filter(({ kind }) => kind === 'run_state_transition');
    expect(moves.map(({ payload }) => payload['reason'])).toEqual([
      ...['approval_requested', 'approval_rejected', 'approval_rejected'],
    ]);
  });

  test('MF-075 a form is traced with its own id, its mode, its required fields and its initial values', async () => {
    const text = stepFlow(
      '{ id: why, type: user_input, params: { form_id: reason, prompt: "Why?", schema: { properties: { reason: { type: string, enum: [late, broken] } } }, defaults: { reason: late }, required: [reason], choices: [{ label: Late, value: late, id: l }] } }',
      '{ id: pay, type: tool, tool: shop.pay }',
    );
    const run = await runSteps(text, world);
    expect(payloadOf(run.events, 'user_input_requested')).toMatchObject({
      ...{ form_id: 'reason', mode: 'choice_input', required: ['reason'], defaults: { reason: 'late' } },
      schema_summary: { properties: ['reason'], property_count: 1 },
    });
    expect(payloadOf(run.events, 'pending_user_input')).toMatchObject({
      ...{ prompt_id: 'reason', step_id: 'why', question: 'Why?' },
      options: [{ option_id: 'l', label: 'Late', value: 'late' }],
    });
    expect(payloadOf(run.events, 'run_paused')).toEqual({ reason: 'user_input', form_id: 'reason' });
    const answer = { user_input_response: { form_id: 'reason', values: { reason: 'broken' } } };
    const { all } = await answerStep(text, run, answer, world);
    expect(payloadOf(all, 'user_input_received')).toMatchObject({ form_id: 'reason', values: { reason: 'broken' } });
  });
});

test('effects held back by an autonomy level are traced as suggestions', async () => {
  const text = stepFlow('{ id: pay, type: tool, tool: shop.pay, params: { amount: 3 } }').replace(
    'full_auto',
    'suggest_only',
  );
  const { events } = await runSteps(text, { tools: { 'shop.pay': () => ({}) } });
  expect(payloadOf(events, 'step_skipped')).toEqual({
    reason: 'autonomy',
    suggestion: { tool: 'shop.pay', params: { amount: 3 } },
  });
});
