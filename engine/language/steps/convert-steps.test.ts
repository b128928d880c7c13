import { expect, test } from 'vitest';
import { builtinNodes } from '../../runtime/nodes/builtin-nodes.ts';
import { createNodeRegistry } from '../../runtime/nodes/node-registry.ts';
import { checkFlow } from '../flow/check-flow.ts';
import { composeFlow } from '../flow/compose-flow.ts';
import { parseFlow } from '../flow/parse-flow.ts';
import { convertSteps } from './convert-steps.ts';

function converted(...steps: readonly string[]) {
  const { steps: flow, diagnostics } = parseFlow(`id: f\nsteps:\n${steps.map((step) => `  - ${step}\n`).join('')}`);
  if (flow === undefined) throw new Error(JSON.stringify(diagnostics));
  const { doc, lost } = convertSteps(flow);
  const checked = checkFlow(composeFlow(doc), createNodeRegistry(builtinNodes));
  return { doc, lost: lost.map(({ step = '', message }) => `${step}: ${message}`), diagnostics: checked.diagnostics };
}

test('C3 writes the edges explicitly, and the flow is valid', () => {
  const { doc, diagnostics } = converted(
    '{ id: load, type: tool, tool: core.file_list, params: { glob: "*" }, retry: { max_attempts: 3, backoff_seconds: 0.5 } }',
    '{ id: ask, type: user_input, params: { form_id: why, title: "Why?", choices: [{ label: A, value: a }], required: [selection] } }',
    '{ id: ok, type: human_approval, message: "Pay {{it}}?", deadline_ms: 5, on_deadline: reject, params: { reason: late, recommended_action: APPROVE } }',
    '{ id: end, type: tool, tool: core.file_list, params: { glob: "{{artifacts.user_input.why.values.selection}}" } }',
  );
  expect(diagnostics).toEqual([]);
  expect(doc.edges).toEqual([
    { from: 'load', to: 'ask' },
    { from: 'ask', to: 'ok' },
    { from: 'ok', to: 'end' },
  ]);
  expect(doc.flow).toEqual({ name: 'f', version: 1, policy: { autonomy: 'semi_auto' } });
  expect(doc.nodes[0]).toMatchObject({
    config: { tool: 'core.file_list' },
    policy: { retry: { maxAttempts: 3, backoffMs: 500 } },
  });
  expect(doc.nodes[1]?.input).toMatchObject({ schema: { properties: { selection: { enum: ['a'] } } } });
  expect(doc.nodes[2]?.config).toEqual({ deadlineMs: 5, onDeadline: 'reject' });
  expect(doc.nodes[2]?.input).toEqual({
    ...{ title: 'Pay \\{{it}}?', message: 'Pay \\{{it}}?', notes: ['late'], recommended: 'approve' },
  });
});

test.each([
  ['{{payload.a.b}}', '{{flow.input.a.b | default:null}}'],
  ['x {{payload.a-b}}', 'x {{?flow.input.a-b}}'],
  ['{{artifacts.tool.p.t.output.x.0}}', '{{two.x.0 | default:null}}'],
  ['{{artifacts.step.one.output}}', '{{one | default:null}}'],
  ['{{artifacts.step.two.output.y}}!', '{{?two.y}}!'],
  ['{{flow.input.x}}', '\\{{flow.input.x}}'],
  ['{{artifacts.tool.p.t.meta.backend}}', '\\{{artifacts.tool.p.t.meta.backend}}'],
  ['{{artifacts.step.later.output}}', '\\{{artifacts.step.later.output}}'],
])('C12 %s becomes %s', (template, binding) => {
  const { doc } = converted(
    '{ id: one, type: tool, tool: p.t }',
    '{ id: two, type: tool, tool: p.t }',
    `{ id: three, type: tool, tool: p.u, params: { a: [${JSON.stringify(template)}] } }`,
    '{ id: later, type: tool, tool: p.u }',
  );
  expect(doc.nodes[2]?.input).toEqual({ a: [binding] });
});

test('changes IDs that nodes cannot have, also in references', () => {
  const { doc, lost } = converted(
    '{ id: load-it, type: tool, tool: p.t }',
    '{ id: load_it, type: tool, tool: p.u, params: { a: "{{artifacts.step.load-it.output.x}}" } }',
    '{ id: "2", type: tool, tool: p.u }',
    '{ id: flow, type: tool, tool: p.u }',
  );
  expect(doc.nodes.map(({ id }) => id)).toEqual(['load_it_2', 'load_it', '_2', 'step_flow']);
  expect(doc.nodes[1]?.input).toEqual({ a: '{{load_it_2.x | default:null}}' });
  expect(lost).toContain(
    'load-it: Its id becomes "load_it_2" because ids of nodes can only contain letters, digits and _.',
  );
});

test('reports what has no equivalent, with its step', () => {
  const { lost } = converted(
    '{ id: plan, type: plan_proposal, agent: p.planner }',
    '{ id: a, type: agent, agent: p.a, params: { meta: "{{artifacts.agent.p.planner.meta}}" }, retry: { max_attempts: 2 } }',
  );
  expect(lost.map((line) => line.slice(0, 50))).toEqual([
    'plan: The node does not request the plan from p.pl',
    'a: A node is retried after every failure, a step o',
    'a: {{artifacts.agent.p.planner.meta}} has no equiv',
    'a: Agents in nodes receive a list of inputs and re',
    ': A flow of nodes returns the output of its last n',
  ]);
});
