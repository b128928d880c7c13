/** Tests the diagnostics of rejected step flows, and their positions, before any step runs. */
import { describe, expect, test } from 'vitest';
import { builtinNodes } from '../../runtime/nodes/builtin-nodes.ts';
import { createNodeRegistry } from '../../runtime/nodes/node-registry.ts';
import { checkFlow } from '../flow/check-flow.ts';
import { parseFlow } from '../flow/parse-flow.ts';

/** The first lines of a file, and the start of its first problem. */
function problemsIn(text: string): string[] {
  const { diagnostics, flow } = checkFlow(text, createNodeRegistry(builtinNodes));
  expect(flow === null).toBe(diagnostics.length > 0);
  return diagnostics.map(
    ({ range, severity, code, message }) => `${range.line}:${range.column} ${severity} ${code} ${message}`,
  );
}

/** Parses the rows `left => right` of a table. */
function rowsOf(table: string): [string, string][] {
  return table
    .trim()
    .split('\n')
    .map((row) => row.split(' => ').map((cell) => cell.trim().replaceAll('\\n', '\n')) as [string, string]);
}

const flowRows = String.raw`
id: a\nautonomy_level: semi_auto => 1:1 error flow.missing-key The key "steps" is missing. List the steps under it, each with a type.
id: a\nsteps: [] => 2:8 error flow.bad-value "steps" must have at least 1 entries.
id: a\nsteps: { a: 1 } => 2:8 error flow.wrong-type "steps" must be a list, not a map.
id: a\nsteps: [1] => 2:9 error flow.wrong-type Entry 1 of "steps" must be a map, not 1.
STEPS => 1:1 error flow.missing-key The key "id" is missing. A step flow is identified by its id: write id: my_flow at the top.
id: LONG\nSTEPS => 1:5 error flow.bad-value "id" must have at most 80 characters.
autonomy_level: semi_atuo\nSTEPS\nid: a => 1:17 error flow.bad-value "autonomy_level" must be "suggest_only" or "semi_auto" or "full_auto", not "semi_atuo".
version: 1\nSTEPS\nid: a => 1:10 error flow.wrong-type "version" must be text, not 1, so put it in quotes.
goal: x\nSTEPS\nid: a => 1:1 error flow.unknown-key Unknown key "goal". Known keys: id, name, description, autonomy_level, version, steps, metadata.
descripton: x\nSTEPS\nid: a => 1:1 error flow.unknown-key Unknown key "descripton". Did you mean "description"?
x-note: 1\nSTEPS\nid: a => 1:1 error flow.unknown-key Unknown key "x-note".
edges: []\nSTEPS\nid: a => 1:1 error flow.unknown-key Unknown key "edges". A step flow has a list of steps instead of nodes and edges.
id: a\nsteps:\n  - { id: s, type: agent, agent: p.a }\n  - { id: s, type: agent, agent: p.a } => 4:11 error node.duplicate-id Step 1 already has the id "s". Choose another id for this step.
id: a\nsteps:\n  - { id: s, type: agent, agent: p.a }\n  - { name: s, type: agent, agent: p.a } => 4:13 error node.duplicate-id Step 1 already has the id "s".
id: a\nsteps:\n  - { id: step_1, type: agent, agent: p.a }\n  - { type: agent, agent: p.a } => 4:5 error node.duplicate-id Step 1 already has the id "step_1".
`;

/** One step, which starts in line 3, column 5. */
const stepRows = String.raw`
{ id: s, agent: p.a } => 3:5 error flow.missing-key The key "type" is missing. Use one of agent, tool, human_approval, user_input, plan_proposal.
{ id: s, type: agnet, agent: p.a } => 3:20 error node.unknown-type Step type "agnet" does not exist. Use one of agent, tool, human_approval, user_input, plan_proposal. Did you mean "agent"?
{ id: s, type: subflow } => 3:20 error step.calls-flow Step flows cannot call other flows: a step of type "subflow" is not allowed. The flow is chosen when a run starts
{ id: s, type: flow } => 3:20 error step.calls-flow Step flows cannot call other flows: a step of type "flow" is not allowed.
{ id: s, type: agent, agent: p.a, flow: b } => 3:39 error step.calls-flow Unknown key "flow". Step flows cannot call other flows: the flow is chosen when a run starts.
{ id: s, type: agent, agent: products/p/flows/b.yaml } => 3:34 error step.calls-flow Step flows cannot call other flows: "products/p/flows/b.yaml" is a flow file.
{ id: s, type: tool, tool: b.flow.yaml } => 3:32 error step.calls-flow
{ id: s, type: agent, agent: demo@text/enrich } => 3:34 error step.agent-not-pure "demo@text/enrich" is an agent of a pack or a file
{ id: s, type: plan_proposal, agent: a.aip } => 3:42 error step.agent-not-pure
{ id: s, type: tool, tool: t, deadline_ms: 5 } => 3:48 error flow.bad-value "deadline_ms" applies only to steps of type human_approval. Remove it.
{ id: s, type: human_approval, on_deadline: fail } => 3:49 error flow.bad-value "on_deadline" requires deadline_ms
{ id: s, type: human_approval, deadline_ms: 0 } => 3:49 error flow.bad-value
{ id: s, type: human_approval, deadline_ms: 5, on_deadline: wait } => 3:65 error flow.bad-value
{ id: s, type: agent } => 3:5 error flow.missing-key The key "agent" is missing. A step of type agent must name its agent as product.name.
{ id: s, type: plan_proposal } => 3:5 error flow.missing-key The key "agent" is missing.
{ id: s, type: tool } => 3:5 error flow.missing-key The key "tool" is missing. A step of type tool must name its tool as product.name.
{ id: s, type: agent, agent: p.a, when: true } => 3:39 error flow.unknown-key Unknown key "when". Steps run in the order of the list
{ id: s, type: agent, agent: p.a, continue_on_error: true } => 3:39 error flow.unknown-key Unknown key "continue_on_error". Steps run in the order of the list, and a failed step ends the run
{ id: s, type: agent, agent: p.a, script: "1 + 1" } => 3:39 error flow.unknown-key Unknown key "script". A step flow cannot contain code
{ id: s, type: agent, agent: p.a, input: {} } => 3:39 error flow.unknown-key Unknown key "input". Put the input of a step under params.
{ id: s, type: agent, agent: p.a, parms: {} } => 3:39 error flow.unknown-key Unknown key "parms". Did you mean "params"?
{ id: s, type: agent, agent: 3 } => 3:34 error flow.wrong-type "agent" must be text, not 3, so put it in quotes.
{ id: s, type: agent, agent: p.a, params: [1] } => 3:47 error flow.wrong-type "params" must be a map, not a list.
{ id: s, type: tool, tool: p.t, backend: cloud } => 3:46 error flow.bad-value "backend" must be "local" or "remote" or "mcp", not "cloud".
{ id: "a/b", type: agent, agent: p.a } => 3:11 error node.bad-id "id" must not contain /, [, ] or control characters.
{ id: "a\u0007", type: agent, agent: p.a } => 3:11 error node.bad-id
{ id: "", type: agent, agent: p.a } => 3:11 error node.bad-id "id" must have at least 1 characters.
{ id: LONG, type: agent, agent: p.a } => 3:11 error node.bad-id "id" must have at most 80 characters.
{ id: __proto__, type: agent, agent: p.a } => 3:11 error node.reserved-id The id "__proto__" is reserved.
{ name: "a/b", type: agent, agent: p.a } => 3:13 error node.bad-id The name "a/b" cannot be used as a step id. Add an id to the step.
{ id: s, type: agent, agent: p.a, retry: { max_attempts: 11 } } => 3:62 error flow.bad-value "max_attempts" must be at most 10.
{ id: s, type: agent, agent: p.a, retry: { max_attempts: 0 } } => 3:62 error flow.bad-value "max_attempts" must be at least 1.
{ id: s, type: agent, agent: p.a, retry: { max_attempts: 1.5 } } => 3:62 error flow.bad-value "max_attempts" must be a whole number, not 1.5.
{ id: s, type: agent, agent: p.a, retry: { backoff_seconds: 61 } } => 3:65 error flow.bad-value "backoff_seconds" must be at most 60.
{ id: s, type: agent, agent: p.a, retry: { backoffMs: 61 } } => 3:48 error flow.unknown-key Unknown key "backoffMs".
{ id: s, type: agent, agent: p.a, retry: { retry_on: [a], retry_on_codes: [a] } } => 3:58 error flow.bad-value "retry_on" and "retry_on_codes" have the same meaning. Keep only one of them.
{ id: s, type: human_approval, params: { approval_context: 3 } } => 3:64 error flow.wrong-type "approval_context" must be a map with reason, decision_notes, recommended_action.
{ id: s, type: human_approval, params: { approval_context: { reason: 3 } } } => 3:74 error flow.wrong-type "reason" must be text.
{ id: s, type: human_approval, params: { decision_notes: [1] } } => 3:62 error flow.wrong-type "decision_notes" must be a list of strings.
{ id: s, type: user_input } => 3:5 error flow.missing-key The key "form_id" is missing.
`;

/** The params of a step that requests input. */
const inputRows = `
{ title: x } => The key "form_id" is missing. The answer is stored under this id: artifacts.user_input.<form_id>.values.
{ form_id: f } => The key "prompt" is missing. Write the question in params.prompt or params.title.
{ form_id: f, title: " " } => The key "prompt" is missing.
{ form_id: f, title: x, mode: chat } => "mode" must be "choice_input" or "free_text_input", not "chat".
{ form_id: f, title: x, mode: "{{payload.mode}}" } => "mode" must be a literal value without a template
{ form_id: "f{{payload.mode}}", title: x } => "form_id" must be a literal value without a template
{ form_id: f, title: x, input_type: date } => "input_type" must be "text" or "select" or "number" or "boolean", not "date".
{ form_id: f, title: x, schema_version: "2.0" } => "schema_version" must be "1.0", not "2.0".
{ form_id: f, title: x, titel: y } => Unknown key "titel". Did you mean "title"?
{ form_id: f, title: x, choices: [{ label: a }] } => The key "value" is missing.
{ form_id: f, title: x, required: reason } => "required" must be a list, not "reason".
{ form_id: f, title: x, schema: [1] } => "schema" must be a map, not a list.
`;

const long = 'x'.repeat(81);

/** Steps with keys that would be logic, starting in line 3, column 5. */
const codeLike = ['script', 'code', 'run', 'eval', 'when', 'if', 'next', 'goto', 'for_each', 'on_error', 'lua', 'js'];

const otherFlows = [
  '{ id: s, type: subflow }',
  '{ id: s, type: subflow, flow: b }',
  '{ id: s, type: flow }',
  '{ id: s, type: agent, agent: p.a, flow: b }',
  '{ id: s, type: agent, agent: p.a, subflow: b }',
  '{ id: s, type: agent, agent: products/p/flows/b.yaml }',
  '{ id: s, type: plan_proposal, agent: b.json }',
  '{ id: s, type: tool, tool: b.flow.yaml }',
];

describe('MF-002 a file that is rejected before any step', () => {
  test.each(rowsOf(flowRows))('%j', (text, expected) => {
    const filled = text.replace('STEPS', 'steps: [{ id: s, type: agent, agent: p.a }]').replace('LONG', long);
    const found = problemsIn(`${filled}\n`);
    expect(found.find((line) => line.startsWith(expected)) ?? found).toContain(expected);
  });

  test.each(rowsOf(stepRows))('with a step %s', (step, expected) => {
    const found = problemsIn(`id: a\nsteps:\n  - ${step.replace('LONG', long)}\n`);
    expect(found.find((line) => line.startsWith(expected)) ?? found).toContain(expected);
  });

  test('MF-003 contains anything besides goal, steps, order and constraints: no key of a flow or a step is logic', () => {
    for (const key of codeLike) {
      const ofFlow = problemsIn(`${key}: x\nid: a\nsteps: [{ id: s, type: agent, agent: p.a }]\n`);
      expect(ofFlow, key).toEqual([expect.stringMatching(/^1:1 error /)]);
      const ofStep = problemsIn(`id: a\nsteps:\n  - { id: s, type: agent, agent: p.a, ${key}: x }\n`);
      expect(ofStep, key).toEqual([expect.stringMatching(/^3:39 error /)]);
    }
  });

  test.each(otherFlows)('MF-020 calls another flow: %s', (step) => {
    const found = problemsIn(`id: a\nsteps:\n  - ${step}\n`);
    expect(found.some((line) => line.startsWith('3:') && line.includes(' error step.calls-flow '))).toBe(true);
  });

  test.each(['full', 'auto', 'SEMI_AUTO', '""', '1', '[full_auto]', 'null', '"{{payload.level}}"'])(
    'MF-031 has the autonomy level %s',
    (level) => {
      const text = `id: a\nautonomy_level: ${level}\nsteps: [{ id: s, type: agent, agent: p.a }]\n`;
      expect(problemsIn(text)).toEqual([expect.stringMatching(/^2:17 error flow\..*"autonomy_level" must be/)]);
    },
  );

  test.each([
    ['{ title: x }', 'The key "form_id" is missing.'],
    ['{ form_id: f }', 'The key "prompt" is missing. Write the question in params.prompt or params.title'],
    ['{ form_id: f, prompt: "", title: " " }', 'The key "prompt" is missing.'],
  ])('MF-076 requests input without an ID or a question: %s', (params, expected) => {
    const found = problemsIn(`id: a\nsteps: [{ id: s, type: user_input, params: ${params} }]\n`);
    expect(found.join('\n')).toContain(` error flow.missing-key ${expected}`);
  });

  test.each(rowsOf(inputRows))('MF-074 requests input with %s', (params, expected) => {
    const found = problemsIn(`id: a\nsteps: [{ id: s, type: user_input, params: ${params} }]\n`);
    expect(found.join('\n')).toContain(` error flow.`);
    expect(found.join('\n')).toContain(expected);
  });
});

test('values of such params that come from a template are left to the run', () => {
  const params = '{ form_id: f, prompt: x, defaults: "{{payload.d}}", required: ["{{payload.r}}"] }';
  expect(problemsIn(`id: a\nsteps: [{ id: s, type: user_input, params: ${params} }]\n`)).toEqual([]);
});

test('MF-030 accepts id, description, autonomy_level and steps, with every autonomy level', () => {
  for (const level of ['suggest_only', 'semi_auto', 'full_auto']) {
    const text = `id: a\ndescription: d\nautonomy_level: ${level}\nsteps: [{ id: s, type: agent, agent: p.a }]\n`;
    expect(problemsIn(text)).toEqual([]);
    expect(parseFlow(text).steps?.autonomy_level).toBe(level);
  }
});
