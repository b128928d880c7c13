/** Tests steps that ask a person: their requests, the accepted answers, and how the run continues. */
import { describe, expect, test } from 'vitest';
import type { JsonMap } from '../../language/json/json-value.ts';
import { answerStep, requestIn, runSteps, stepFlow } from '../../testing/step-runs.ts';
import { foldRun } from '../kernel/events/fold-run.ts';
import { emptyRunState } from '../kernel/events/run-state.ts';
import { checkAnswer } from '../kernel/requests/check-answer.ts';

const world = {
  agents: {
    'p.a': ({ payload, artifacts }: { payload: object; artifacts: object }) => ({ payload, artifacts }) as never,
  },
};
const then = '{ id: then, type: agent, agent: p.a }';

describe('human_approval', () => {
  const text = stepFlow('{ id: ok, type: human_approval, message: "Pay this?" }', then);
  const approved = { decision: 'APPROVED', approval_payload: { approved: true }, resolved_by: 'kim', comment: 'ok' };

  test('MF-060 MF-063 the run stops there, and no later step starts', async () => {
    const run = await runSteps(text, world);
    expect(run.last).toMatchObject({ type: 'run:suspended', reason: 'approval', nodeId: 'ok' });
    expect([run.state.status, run.state.nodes.has('then')]).toEqual(['suspended', false]);
    const again = await runSteps(text, world, { resume: { events: run.events } });
    expect(again.last.type).toBe('run:suspended');
  });

  test('MF-064 after an approval, the run continues at the next step', async () => {
    const run = await runSteps(text, world);
    const { end, all } = await answerStep(text, run, approved, world);
    expect(end.status).toBe('completed');
    const { nodes } = foldRun(emptyRunState, all);
    expect(nodes.get('ok')?.output).toEqual({ route: 'approved', approved: true, comment: 'ok', by: 'kim', at: 7 });
    expect(nodes.get('then')?.status).toBe('completed');
  });

  test.each([
    ['approved is false', { approval_payload: { approved: false }, comment: 'no' }],
    ['the decision says so', { decision: 'REJECTED', approval_payload: { approved: true }, comment: 'no' }],
  ])('MF-064 after a rejection (%s), the step and the run have failed', async (_, payload) => {
    const run = await runSteps(text, world);
    const { end, all } = await answerStep(text, run, payload, world);
    expect(end).toMatchObject({ status: 'failed', error: { code: 'approval.rejected', nodeId: 'ok' } });
    expect(foldRun(emptyRunState, all).nodes.has('then')).toBe(false);
  });

  test.each([
    [{ decision: 'APPROVED' }, 'missing_approval_field'],
    [{ decision: 'APPROVED', approval_payload: { limit: 3 } }, 'missing_approval_field'],
    [{ approval_payload: { approved: 'yes' } }, 'bad_payload'],
  ])('rejects an answer without approved: %j', async (payload, code) => {
    const run = await runSteps(text, world);
    await expect(answerStep(text, run, payload, world)).rejects.toThrow(code);
  });

  test('other keys of an approval are payload for later steps, also after a restart', async () => {
    const run = await runSteps(text, world, { inputs: { limit: 1, kept: true } });
    const payload = { ...approved, approval_payload: { approved: true, limit: 9, params: { a: 1 } } };
    const { end } = await answerStep(text, run, payload, world);
    expect(end.output).toMatchObject({ payload: { limit: 9, kept: true, params: { a: 1 } } });
  });

  test.each([
    [
      'below approval_context',
      '{ approval_context: { reason: "is {{payload.why}}", decision_notes: [a, b], recommended_action: APPROVE } }',
    ],
    ['directly in the params', '{ reason: "is {{payload.why}}", decision_notes: [a, b], recommended_action: APPROVE }'],
  ])('MF-065 includes the context %s in the request', async (_, params) => {
    const run = await runSteps(
      stepFlow(`{ id: ok, type: human_approval, message: "Pay {{x}}?", params: ${params} }`),
      world,
      {
        inputs: { why: 'late' },
      },
    );
    expect(requestIn(run)).toEqual({
      ...{ kind: 'approval', title: 'Pay {{x}}?', message: 'Pay {{x}}?', recommended: 'approve' },
      notes: ['is late', 'a', 'b'],
      approval_context: { reason: 'is late', decision_notes: ['a', 'b'], recommended_action: 'APPROVE' },
    });
  });

  test("without its own message, the request contains the step's ID; a title comes before a message", async () => {
    const bare = await runSteps(stepFlow('{ id: ok, type: human_approval }'), world);
    expect(requestIn(bare)['title']).toBe('Approve the step "ok"?');
    const titled = await runSteps(stepFlow('{ id: ok, type: human_approval, title: T, message: "M\\nN" }'), world);
    expect(requestIn(titled)).toMatchObject({ title: 'T', message: 'M\nN' });
  });
});

describe('user_input', () => {
  const form = (params: string): string => stepFlow(`{ id: ask, type: user_input, params: ${params} }`, then);
  const choice = form(
    '{ form_id: why, title: "Why?", schema: { type: object, properties: { reason: { type: string, enum: [late, broken] }, days: { type: integer } } }, defaults: { reason: late }, required: [reason] }',
  );
  const response = (values: JsonMap, more: JsonMap = {}): JsonMap => ({
    user_input_response: { form_id: 'why', values, ...more },
  });

  test('MF-070 MF-075 the run waits, and its request contains form, title and defaults', async () => {
    const run = await runSteps(choice, world);
    expect(run.last).toMatchObject({ type: 'run:suspended', reason: 'user_input', nodeId: 'ask' });
    expect(requestIn(run)).toMatchObject({
      ...{ kind: 'input', title: 'Why?', defaults: { reason: 'late' } },
      form: { form_id: 'why', mode: 'choice_input', required: ['reason'] },
      schema: { required: ['reason'], properties: { reason: { enum: ['late', 'broken'] } } },
    });
  });

  test('MF-072 the values of a valid answer become artifacts, and the run continues', async () => {
    const run = await runSteps(choice, world);
    const given = response({ reason: 'broken' }, { comment: 'sorry', schema_version: '1.0', metadata: { x: 1 } });
    const { end } = await answerStep(choice, run, given, world);
    expect(end.output).toMatchObject({
      artifacts: {
        'user_input.why.values': { reason: 'broken' },
        'user_input.why.comment': 'sorry',
        'step.ask.output': { values: { reason: 'broken' }, comment: 'sorry' },
      },
    });
  });

  test.each<[string, JsonMap, string]>([
    ['MF-071', {}, 'bad_payload'],
    ['MF-071', { user_input_response: { form_id: 'why' } }, 'bad_payload'],
    ['MF-073', response({}), 'missing_required:reason'],
    ['MF-073', response({ reason: ' ' }), 'missing_required:reason'],
    ['MF-073', response({ reason: 'lost' }), 'enum_mismatch:reason'],
    ['MF-073', response({ reason: 3 }), 'type_mismatch:reason'],
    ['MF-073', response({ reason: 'late', days: 1.5 }), 'type_mismatch:days'],
    ['MF-073', { user_input_response: { form_id: 'other', values: { reason: 'late' } } }, 'form_id_mismatch'],
    ['MF-073', { user_input_response: { values: { reason: 'late' } } }, 'form_id_mismatch'],
    ['MF-073', response({ reason: 'late' }, { schema_version: '2.0' }), 'bad_payload'],
    ['MF-073', response({ reason: 'late' }, { extra: 1 }), 'unknown_key:extra'],
    ['MF-073', response({ reason: 'late' }, { comment: 3 }), 'bad_payload'],
  ])('%s refused: %j', async (_, payload, code) => {
    const run = await runSteps(choice, world);
    await expect(answerStep(choice, run, payload, world)).rejects.toThrow(code);
  });

  test.each<[string, JsonMap, string]>([
    ['{ form_id: why, prompt: x, mode: free_text_input }', { text: ' ' }, 'missing_or_empty:text'],
    ['{ form_id: why, prompt: x, mode: free_text_input }', {}, 'missing_or_empty:text'],
    ['{ form_id: why, prompt: x, choices: [{ label: A, value: a }] }', { selection: 'b' }, 'enum_mismatch:selection'],
    [
      '{ form_id: why, prompt: x, choices: [{ label: A, value: 1 }], schema: { properties: { n: {} } } }',
      { n: 2 },
      'enum_mismatch:n',
    ],
    ['{ form_id: why, prompt: x, input_type: number }', { value: 'b' }, 'type_mismatch:value'],
  ])('MF-074 %s does not take %j', async (params, values, code) => {
    const run = await runSteps(form(params), world);
    await expect(answerStep(form(params), run, response(values), world)).rejects.toThrow(new RegExp(`^${code}$`));
  });

  test.each<[string, JsonMap]>([
    ['{ form_id: why, prompt: x, mode: free_text_input }', { text: 'because' }],
    ['{ form_id: why, prompt: x, choices: [{ label: A, value: a }] }', { selection: 'a' }],
    ['{ form_id: why, prompt: x, input_type: number }', { value: 3 }],
    ['{ form_id: why, prompt: x, schema: { properties: { a: { type: string } } } }', { a: 'x', beside: 1 }],
  ])('%s takes %j', async (params, values) => {
    const run = await runSteps(form(params), world);
    expect((await answerStep(form(params), run, response(values), world)).end.status).toBe('completed');
  });

  test('reports an unknown mode in a request of another program', () => {
    const request = { kind: 'input', title: 'x', schema: {}, form: { form_id: 'why', mode: 'chat' } } as const;
    expect(checkAnswer(request, response({}))).toMatchObject({ ok: false, misfits: [{ code: 'invalid_mode' }] });
  });

  test('shows prompt, title and description together', async () => {
    const run = await runSteps(form('{ form_id: why, title: T, prompt: "{{payload.p}}", description: D }'), world, {
      inputs: { p: 'Really?' },
    });
    expect(requestIn(run)).toMatchObject({ title: 'T', message: 'Really?\n\nD' });
  });
});
