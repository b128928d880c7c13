/** Tests how traces of runs show refusals by policies and forms. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Engine } from '../../index.ts';
import type { RunId } from '../../isomorphic.ts';
import { AgentResult, BaseAgent } from '../../library.ts';
import { type AgentWorkspace, createAgentWorkspace, endOf } from './test-agent-workspace.ts';

let at: AgentWorkspace;
let engine: Engine;
beforeEach(async () => {
  at = createAgentWorkspace();
  engine = await at.open({ isTrusted: true, agents: [Thinker] });
});
afterEach(() => at.close());

class Thinker extends BaseAgent {
  readonly name = 'core.thinker';
  async run() {
    return AgentResult.ok({ thought: 'x'.repeat(200) });
  }
}

const flowPath = 'products/shop/flows/f.yaml';
const think = '  - { id: think, type: agent, agent: core.thinker }\n';
const form = `  - id: why
    type: user_input
    params:
      form_id: reason
      title: Why?
      schema: { type: object, properties: { reason: { type: string }, days: { type: integer } } }
      required: [reason]
`;

async function run(steps: string, policy: string): Promise<RunId> {
  const text = `id: f\nautonomy_level: full_auto\nsteps:\n${steps}`;
  at.write(`workspace/${flowPath}`, text);
  at.write('workspace/millrace.policy.yaml', 'allow_full_autonomy: true\n');
  at.write('workspace/products/shop/policy.yaml', policy);
  const { runId } = await engine.startRun({ path: flowPath, text, inputs: {} });
  await engine.whenEnded(runId);
  return runId;
}

interface Traced {
  readonly kind: string;
  readonly step_id?: string;
  readonly payload: Readonly<Record<string, unknown>>;
}

async function traceOf(runId: RunId): Promise<readonly Traced[]> {
  const folder = await engine.exportRun(runId, at.at('traces'), 'trace');
  const lines = readFileSync(path.join(folder, 'runtime/events.jsonl'), 'utf8').trim().split('\n');
  return lines.map((line) => JSON.parse(line) as Traced);
}

async function told(runId: RunId, kind: string): Promise<readonly Omit<Traced, 'kind'>[]> {
  return (await traceOf(runId)).flatMap(({ kind: own, step_id, payload }) =>
    own === kind ? [{ ...(step_id === undefined ? {} : { step_id }), payload }] : [],
  );
}

describe('a form', () => {
  const answer = (values: object) => ({ user_input_response: { form_id: 'reason', values } }) as never;

  test('MF-073 records invalid answers, and answers that a policy of the product rejects, and keeps waiting', async () => {
    const runId = await run(form + think, 'max_payload_bytes: 300\n');
    const refused = async (values: object) =>
      await expect(engine.resumeRun({ runId, payload: answer(values) })).rejects.toMatchObject({
        code: 'answer.invalid',
      });
    await refused({ days: 1.5 });
    await refused({ reason: 'y'.repeat(400) });
    expect(await engine.getRun(runId)).toMatchObject({ status: 'suspended', waitStatus: 'PENDING_USER_INPUT' });
    await engine.resumeRun({ runId, payload: answer({ reason: 'late' }) });
    expect(await engine.whenEnded(runId)).toMatchObject({ status: 'completed' });
    expect(await told(runId, 'user_input_validation_failed')).toEqual([
      {
        step_id: 'why',
        payload: {
          form_id: 'reason',
          errors: expect.arrayContaining(['missing_required:reason', 'type_mismatch:days']),
        },
      },
    ]);
    const reason = 'user_input_payload_limit_exceeded';
    expect(await told(runId, 'user_input_denied')).toEqual([
      { step_id: 'why', payload: { reason, details: { errors: [reason] } } },
    ]);
    const kinds = (await traceOf(runId)).map(({ kind }) => kind).filter((kind) => /input|paused|resumed/.test(kind));
    expect(kinds).toEqual([
      ...['user_input_requested', 'pending_user_input', 'run_paused'],
      ...['user_input_validation_failed', 'user_input_denied', 'run_resumed', 'user_input_received'],
    ]);
    const seqs = (await engine.readEvents(runId, -1, 1000)).map(({ seq }) => seq);
    expect(seqs).toEqual(seqs.map((_, index) => index));
  });
});

describe('a policy', () => {
  test('that denies the output of an agent fails its step, which is recorded in the trace', async () => {
    const runId = await run(think, 'max_payload_bytes: 100\n');
    expect(await endOf(engine, runId)).toMatchObject({ failedNodes: ['think'], error: { code: 'policy_blocked' } });
    expect(await told(runId, 'agent_output_denied')).toMatchObject([
      {
        step_id: 'think',
        payload: { agent: 'core.thinker', reason: 'output_payload_limit_exceeded' },
      },
    ]);
  });

  test('that denies writing files or further steps is recorded as such', async () => {
    const write = '  - { id: save, type: tool, tool: core.file_write, params: { path: out.md, text: hi } }\n';
    const runId = await run(write, 'effects: { write: deny }\n');
    expect(await told(runId, 'output_files_denied')).toMatchObject([
      { step_id: 'save', payload: { reason: 'effect_denied', details: { target: 'out.md' } } },
    ]);
    const asked = await run(form + think, '');
    at.write('workspace/products/shop/policy.yaml', 'max_steps: 1\n');
    await engine.resumeRun({
      runId: asked,
      payload: { user_input_response: { form_id: 'reason', values: { reason: 'x' } } },
    });
    await engine.whenEnded(asked);
    expect(await told(asked, 'before_step_denied')).toEqual([{ payload: { reason: 'step_limit_exceeded' } }]);
  });

  test('that was added during a run removes its autonomy, and the trace names the step', async () => {
    const steps = `${form}  - { id: list, type: tool, tool: core.file_list, params: { glob: "*" } }\n`;
    const runId = await run(steps, '');
    at.write('workspace/millrace.policy.yaml', 'allow_full_autonomy: false\n');
    await engine.resumeRun({ runId, payload: { user_input_response: { form_id: 'reason', values: { reason: 'x' } } } });
    await engine.whenEnded(runId);
    expect(await told(runId, 'run_state_transition')).toContainEqual({
      payload: { from: 'RUNNING', to: 'FAILED', reason: 'governance_denied' },
    });
  });
});

test('a rerun records the step it starts from, and the original run', async () => {
  const before = await run(think.replace('think,', 'first,') + think, '');
  const { runId } = await engine.rerunFrom({ runId: before, nodeId: 'think' });
  await engine.whenEnded(runId);
  expect(await told(runId, 'run_replan_started')).toEqual([{ payload: { previous_run: before, start_index: 1 } }]);
  expect(await told(before, 'run_replan_started')).toEqual([]);
});
