/** Tests flows written as lists of steps on the command line: run, answered, rejected, converted. */
import { describe, expect, test } from 'vitest';
import { createEngine } from '../index.ts';
import { checkFlow, type RunId } from '../isomorphic.ts';
import { eventsOf, setUpCli } from '../testing/cli-fixture.ts';
import type { CliResult } from '../testing/cli-program.ts';
import { builtinRegistry } from './builtin-registry.ts';

const cli = setUpCli();

const lookup = `
tool_id: lookup
description: Looks an order up.
input_schema: { type: object, properties: { order: { type: integer } }, required: [order] }
idempotent: true
run: { js: "return { order: input.order, paid: 30 };" }
`;

const refund = `id: refund
autonomy_level: semi_auto
steps:
  - id: why
    type: user_input
    params:
      form_id: reason
      title: "Why?"
      schema: { type: object, properties: { reason: { type: string, enum: [late, broken] } } }
      required: [reason]
  - id: ok
    type: human_approval
    message: "Look it up?"
    params: { approval_context: { reason: "it is {{artifacts.user_input.reason.values.reason}}" } }
  - { id: load, type: tool, tool: lookup, params: { order: "{{payload.order}}" } }
`;

function lastEvent({ stdout }: CliResult): unknown {
  return eventsOf(stdout).at(-1)?.event;
}

async function started(text: string, args: readonly string[] = []): Promise<{ run: string; result: CliResult }> {
  cli.write('tools/lookup.tool.yaml', lookup);
  cli.write('refund.yaml', text);
  const result = await cli.call(['run', 'refund.yaml', '--json', ...args]);
  return { run: eventsOf(result.stdout)[0]?.runId ?? '', result };
}

async function answered(run: string, payload: object): Promise<CliResult> {
  cli.write('answer.json', JSON.stringify(payload));
  return await cli.call(['resume', run, '--answer', 'answer.json', '--json']);
}

/** Returns the state of a run as seen by an engine unrelated to the program that ran it. */
async function seenBy(run: string): Promise<{ status: string; waitStatus: unknown }> {
  const engine = await createEngine({ workspace: cli.folder });
  try {
    const { status, waitStatus = null } = (await engine.getRun(run as RunId)) as unknown as Record<string, unknown>;
    return { status: String(status), waitStatus };
  } finally {
    await engine.close();
  }
}

describe('a run that asks twice', () => {
  test('MF-061 MF-062 MF-066 MF-070 MF-072 waits for each answer, in separate processes, and completes', async () => {
    const { run, result } = await started(refund, ['--input', 'order=7']);
    expect([result.code, result.stderr]).toEqual([3, expect.stringContaining('warning step.bare-name')]);
    expect(lastEvent(result)).toMatchObject({ type: 'run:suspended', reason: 'user_input', nodeId: 'why' });
    expect(await seenBy(run)).toEqual({ status: 'suspended', waitStatus: 'PENDING_USER_INPUT' });
    const asked = await answered(run, { user_input_response: { form_id: 'reason', values: { reason: 'late' } } });
    expect([asked.code, asked.stderr]).toEqual([3, '']);
    expect(await seenBy(run)).toEqual({ status: 'suspended', waitStatus: 'PENDING_APPROVAL' });
    const approval = {
      ...{ decision: 'APPROVED', approval_payload: { approved: true, order: 8 } },
      ...{ resolved_by: 'lee', comment: 'fine' },
    };
    const done = await answered(run, approval);
    expect([done.code, done.stderr]).toEqual([0, '']);
    expect(lastEvent(done)).toMatchObject({ status: 'completed', output: { order: 8, paid: 30 } });
    const resolved = eventsOf(done.stdout).find(({ event }) => event.type === 'approval:resolved')?.event;
    expect(resolved).toMatchObject({ by: 'lee', payload: { approved: true, order: 8, comment: 'fine' } });
    const second = await answered(run, approval);
    expect([second.code, second.stdout]).toEqual([2, '']);
  });

  test.each([
    ['MF-071', {}, /user_input_response/],
    ['MF-073', { user_input_response: { form_id: 'other', values: { reason: 'late' } } }, /form "reason".*"other"/],
    ['MF-073', { user_input_response: { form_id: 'reason', values: { reason: 'x' } } }, /not one of the choices/],
    ['MF-073', { user_input_response: { form_id: 'reason', values: {} } }, /reason is missing/],
  ])('%s %j is rejected, and the run keeps waiting', async (_, payload, said) => {
    const { run } = await started(refund, ['--input', 'order=7']);
    const refused = await answered(run, payload);
    expect([refused.code, refused.stdout]).toEqual([2, '']);
    expect(refused.stderr).toMatch(said);
    expect((await seenBy(run)).waitStatus).toBe('PENDING_USER_INPUT');
  });

  test('MF-063 MF-064 a plain resume changes nothing; a rejection fails the run', async () => {
    const { run } = await started(refund.replace(/ {2}- id: why[\s\S]*? {2}- id: ok/, '  - id: ok'), [
      '--input',
      'order=7',
    ]);
    const plain = await cli.call(['resume', run, '--json']);
    expect([plain.code, (lastEvent(plain) as { type: string }).type]).toEqual([3, 'run:suspended']);
    const rejected = await answered(run, { decision: 'REJECTED', approval_payload: { approved: true }, comment: 'no' });
    expect(rejected.code).toBe(1);
    expect(lastEvent(rejected)).toMatchObject({ status: 'failed', error: { code: 'approval.rejected', nodeId: 'ok' } });
  });
});

describe('MF-051 X-12 a tool blocked by a policy', () => {
  const text = `id: f
steps: [{ id: ok, type: human_approval }, { id: load, type: tool, tool: lookup, params: { order: 1 } }]
`;
  const blocked = 'blocked_tools: [lookup]\n';
  const calls = ({ stdout }: CliResult): number =>
    eventsOf(stdout).filter(({ event }) => event.type === 'tool:attempt').length;

  test('its flow is rejected before the start, both for steps and for nodes', async () => {
    cli.write('millrace.policy.yaml', blocked);
    const { result } = await started(text);
    cli.write(
      'n.flow.yaml',
      'flow: { name: n }\nnodes: [{ id: load, type: tool, input: { order: 1 }, config: { tool: lookup } }]\nedges: []\n',
    );
    for (const refused of [result, await cli.call(['run', 'n.flow.yaml', '--json'])]) {
      expect([refused.code, calls(refused)]).toEqual([4, 0]);
      expect(lastEvent(refused)).toMatchObject({ type: 'run:refused', code: 'policy_blocked' });
    }
  });

  test('is not called if the policy was added while the run waited', async () => {
    const { run } = await started(text);
    cli.write('millrace.policy.yaml', blocked);
    const denied = await cli.call(['resume', run, '--approve', '--json']);
    expect([denied.code, calls(denied)]).toEqual([1, 0]);
    expect(lastEvent(denied)).toMatchObject({ error: { code: 'permission_denied', nodeId: 'load' } });
  });
});

test('MF-002 MF-031 an invalid step flow runs nothing, and the position is reported', async () => {
  const { result } = await started(refund.replace('semi_auto', 'auto'));
  expect([result.code, result.stdout]).toEqual([2, '']);
  expect(result.stderr).toContain('refund.yaml:2:17 error flow.bad-value "autonomy_level" must be');
});

describe('validate', () => {
  test('MF-133 MF-180 warns, and a warning prevents nothing', async () => {
    cli.write('tools/wipe.tool.yaml', lookup.replace('lookup', 'wipe').concat('risk: high\n'));
    cli.write('s.yaml', 'id: s\nsteps:\n  - { id: wipe, type: tool, tool: wipe }\n');
    const { code, stderr } = await cli.call(['validate', 's.yaml']);
    expect(code).toBe(0);
    expect(stderr).toContain('s.yaml:3:35 warning step.bare-name The tool "wipe" has no product prefix');
    expect(stderr).toContain(
      's.yaml:3:35 warning step.risky-tool "wipe" is a high-risk tool, and no approval comes before it.',
    );
  });

  test('MF-001 a JSON file is checked in the same way', async () => {
    cli.write('s.json', '{ "id": "s",\n  "steps": [{ "type": "toll" }] }');
    const { code, stderr } = await cli.call(['validate', 's.json']);
    expect([code, stderr.split('\n')[0]]).toEqual([
      2,
      's.json:2:23 error node.unknown-type Step type "toll" does not exist. Use one of agent, tool, human_approval, user_input, plan_proposal. Did you mean "tool"?',
    ]);
  });
});

test('schema steps is the JSON Schema of step flows', async () => {
  const { code, stdout } = await cli.call(['schema', 'steps', '--json']);
  const schema = JSON.parse(stdout);
  expect([code, schema.title, schema.additionalProperties]).toEqual([0, 'Step flow', false]);
  expect(schema.properties.steps.items.properties.type.enum).toContain('plan_proposal');
  expect(schema.properties.autonomy_level.enum).toEqual(['suggest_only', 'semi_auto', 'full_auto']);
});

describe('convert', () => {
  test('prints an equivalent flow of nodes, and what cannot be converted', async () => {
    cli.write('s.yaml', refund);
    const { code, stdout, stderr } = await cli.call(['convert', 's.yaml']);
    expect(code).toBe(0);
    const { flow, diagnostics } = checkFlow(stdout, builtinRegistry);
    expect(diagnostics).toEqual([]);
    expect(flow?.nodes.map(({ id }) => id)).toEqual(['why', 'ok', 'load']);
    expect(stderr).toContain('s.yaml:1 A flow of nodes returns the output of its last node');
  });

  test('rejects a file with nodes, and one with errors', async () => {
    cli.write('n.flow.yaml', 'flow: { name: n }\nnodes: []\nedges: []\n');
    expect(await cli.call(['convert', 'n.flow.yaml'])).toMatchObject({ code: 2, stdout: '' });
    cli.write('bad.yaml', 'id: s\nsteps: []\n');
    const bad = await cli.call(['convert', 'bad.yaml']);
    expect([bad.code, bad.stdout]).toEqual([2, '']);
    expect(bad.stderr).toContain('bad.yaml:2:8 error flow.bad-value');
  });
});

test('a flow of nodes cannot call a step flow', async () => {
  cli.write('steps.flow.yaml', 'id: s\nsteps: [{ type: human_approval }]\n');
  cli.write(
    'n.flow.yaml',
    'flow: { name: n }\nnodes: [{ id: call, type: flow, input: { flow: steps.flow.yaml } }]\nedges: []\n',
  );
  const { code, stderr } = await cli.call(['run', 'n.flow.yaml']);
  expect(code).toBe(2);
  expect(stderr).toContain('Flow "steps.flow.yaml" is a step flow and cannot be called by other flows');
});

test('rejects running a single step or pinning its output', async () => {
  cli.write('s.yaml', 'id: s\nsteps: [{ id: a, type: human_approval }, { id: b, type: human_approval }]\n');
  cli.write('out.json', '{}');
  const alone = await cli.call(['run', 's.yaml', '--only', 'b']);
  expect([alone.code, alone.stderr]).toEqual([2, expect.stringContaining('The step "b" is not run alone')]);
  const given = await cli.call(['run', 's.yaml', '--pin', 'a=out.json']);
  expect([given.code, given.stderr]).toEqual([2, expect.stringContaining('Steps are not skipped')]);
});

describe('a rerun from a step', () => {
  test('reuses the outputs of earlier steps', async () => {
    cli.write('millrace.policy.yaml', 'allow_full_autonomy: true\n');
    const { run, result } = await started(
      `id: f
autonomy_level: full_auto
steps:
  - { id: load, type: tool, tool: lookup, params: { order: "{{payload.order}}" } }
  - { id: end, type: tool, tool: lookup, params: { order: "{{artifacts.step.load.output.paid}}" } }
`,
      ['--input', 'order=7', '--trust'],
    );
    expect([result.code, lastEvent(result)]).toMatchObject([0, { output: { order: 30, paid: 30 } }]);
    const again = await cli.call(['rerun', run, '--from', 'end', '--json', '--trust']);
    expect([again.code, lastEvent(again)]).toMatchObject([0, { output: { order: 30, paid: 30 } }]);
    const events = eventsOf(again.stdout).map(({ event }) => event);
    expect(events.filter(({ type }) => type === 'tool:attempt')).toHaveLength(1);
    expect(events).toContainEqual(
      expect.objectContaining({ type: 'node:reused', nodeId: 'load', output: { order: 7, paid: 30 } }),
    );
  });

  test('asks a person again who has answered an earlier request', async () => {
    const { run } = await started(
      'id: f\nsteps: [{ id: ok, type: human_approval }, { id: end, type: human_approval }]\n',
    );
    await answered(run, { approval_payload: { approved: true } });
    const again = await cli.call(['rerun', run, '--from', 'end', '--json']);
    expect([again.code, lastEvent(again)]).toMatchObject([3, { type: 'run:suspended', nodeId: 'ok' }]);
  });
});
