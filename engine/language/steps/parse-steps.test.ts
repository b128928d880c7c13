/** Tests files with steps: what is accepted, what is rejected and where, and the equivalent flow. */
import { describe, expect, test } from 'vitest';
import { builtinNodes } from '../../runtime/nodes/builtin-nodes.ts';
import { createNodeRegistry } from '../../runtime/nodes/node-registry.ts';
import { checkFlow } from '../flow/check-flow.ts';
import { parseFlow } from '../flow/parse-flow.ts';

const refund = `id: refund_case
description: Decide and execute a refund
autonomy_level: semi_auto
steps:
  - id: load
    type: tool
    tool: shop.order_lookup
    params: { order: "{{payload.order_id}}" }
    retry: { max_attempts: 3, backoff_seconds: 2, retry_on: [timeout] }
  - id: ask_reason
    type: user_input
    params:
      form_id: refund_reason
      title: "Why?"
      mode: choice_input
      schema: { type: object, properties: { reason: { type: string, enum: [late, broken] } } }
      defaults: { reason: late }
      required: [reason]
  - id: propose
    type: plan_proposal
    agent: shop.refund_planner
  - id: ok
    type: human_approval
    message: "Pay this refund?"
    params: { approval_context: { reason: "is {{artifacts.x}}", decision_notes: [a], recommended_action: APPROVE } }
  - type: agent
    name: tell
    agent: shop.writer
  - type: tool
    tool: shop.refund
`;

function problemsIn(text: string): string[] {
  return checkFlow(text, createNodeRegistry(builtinNodes)).diagnostics.map(
    ({ range, severity, code, message }) => `${range.line}:${range.column} ${severity} ${code} ${message}`,
  );
}

/** A file with one step. */
const withStep = (step: string, more = ''): string => `id: a\n${more}steps:\n  - ${step}\n`;
const agent = '{ id: s, type: agent, agent: p.a }';

test('MF-001 the same flow in YAML and in JSON results in equal definitions', () => {
  const yaml = parseFlow(refund);
  const json = JSON.stringify({
    id: 'refund_case',
    description: 'Decide and execute a refund',
    autonomy_level: 'semi_auto',
    steps: [
      {
        id: 'load',
        type: 'tool',
        tool: 'shop.order_lookup',
        params: { order: '{{payload.order_id}}' },
        retry: { max_attempts: 3, backoff_seconds: 2, retry_on: ['timeout'] },
      },
      {
        id: 'ask_reason',
        type: 'user_input',
        params: {
          form_id: 'refund_reason',
          title: 'Why?',
          mode: 'choice_input',
          schema: { type: 'object', properties: { reason: { type: 'string', enum: ['late', 'broken'] } } },
          defaults: { reason: 'late' },
          required: ['reason'],
        },
      },
      { id: 'propose', type: 'plan_proposal', agent: 'shop.refund_planner' },
      {
        id: 'ok',
        type: 'human_approval',
        message: 'Pay this refund?',
        params: {
          approval_context: { reason: 'is {{artifacts.x}}', decision_notes: ['a'], recommended_action: 'APPROVE' },
        },
      },
      { type: 'agent', name: 'tell', agent: 'shop.writer' },
      { type: 'tool', tool: 'shop.refund' },
    ],
  });
  expect(yaml.diagnostics).toEqual([]);
  expect(yaml.steps?.steps.map(({ id }) => id)).toEqual(['load', 'ask_reason', 'propose', 'ok', 'tell', 'step_5']);
  for (const text of [json, JSON.stringify(JSON.parse(json), null, '\t'), `${json}\n`]) {
    const parsed = parseFlow(text);
    expect(parsed.diagnostics).toEqual([]);
    expect(parsed.steps).toEqual(yaml.steps);
    expect(parsed.doc).toEqual(yaml.doc);
  }
});

test('omitted values have their defaults', () => {
  expect(parseFlow(withStep('{ type: agent, agent: p.a, retry: {} }')).steps).toEqual({
    id: 'a',
    autonomy_level: 'semi_auto',
    version: 'v1',
    metadata: {},
    steps: [
      {
        id: 'step_0',
        type: 'agent',
        agent: 'p.a',
        params: {},
        retry: { max_attempts: 1, backoff_seconds: 0, retry_on_codes: [] },
      },
    ],
  });
});

test('the name of a flow is its ID if that is missing, and its display name', () => {
  const named = parseFlow(`name: Refund\nsteps: [${agent}]\n`);
  expect([named.steps?.id, named.steps?.metadata, named.doc?.flow.name]).toEqual([
    'Refund',
    { display_name: 'Refund' },
    'Refund',
  ]);
  const both = parseFlow(`id: r\nname: Refund\nmetadata: { display_name: Other, a: 1 }\nsteps: [${agent}]\n`);
  expect([both.steps?.id, both.steps?.metadata, both.doc?.flow.name]).toEqual([
    'r',
    { display_name: 'Other', a: 1 },
    'Other',
  ]);
});

test('steps are converted to a flow: a node for each, and an edge to the next', () => {
  const { doc } = parseFlow(refund);
  expect(doc?.flow).toEqual({
    name: 'refund_case',
    description: 'Decide and execute a refund',
    policy: { autonomy: 'semi_auto' },
  });
  expect(doc?.nodes[0]).toEqual({
    id: 'load',
    type: 'tool',
    input: { order: '{{payload.order_id}}' },
    config: { tool: 'shop.order_lookup' },
    policy: { retry: { maxAttempts: 3, backoffMs: 2000 } },
  });
  expect(doc?.edges.map(({ from, to }) => `${from}>${to}`)).toEqual([
    'load>ask_reason',
    'ask_reason>propose',
    'propose>ok',
    'ok>tell',
    'tell>step_5',
  ]);
});

test.each([
  ['YAML', refund],
  ['YAML that only the full reader knows', refund.replace('id: load', 'id: &load load')],
])('positions in that flow are positions in the file: %s', (_, text) => {
  const { rangeOf, problemRange, nodeRange } = parseFlow(text);
  const at = (path: readonly (string | number)[]) => rangeOf(path).line;
  expect([at(['flow', 'name']), at(['flow', 'description']), at(['nodes', 0, 'id'])]).toEqual([1, 2, 5]);
  expect([at(['nodes', 0, 'input', 'order']), at(['nodes', 0, 'config', 'tool'])]).toEqual([8, 7]);
  expect(rangeOf(['nodes', 0, 'policy', 'retry', 'maxAttempts'])).toMatchObject({ line: 9, column: 28, endColumn: 29 });
  expect([at(['nodes', 1, 'input', 'defaults', 'reason']), at(['nodes', 4, 'name'])]).toEqual([17, 27]);
  expect([at(['edges', 0]), at(['nodes'])]).toEqual([10, 5]);
  expect(problemRange(['nodes', 0, 'config', 'tool'], 'key')).toMatchObject({ line: 7, column: 5, endColumn: 9 });
  expect([nodeRange('ok')?.line, nodeRange('step_5')?.line, nodeRange('none')]).toEqual([22, 29, undefined]);
});

describe('hostile files', () => {
  test('rejects excessive nesting without parsing it', () => {
    const deep = withStep(`{ id: s, type: agent, agent: p.a, params: { a: ${'['.repeat(200)}${']'.repeat(200)} } }`);
    expect(problemsIn(deep)).toEqual([expect.stringContaining('yaml.too-deep')]);
  });

  test('resolves anchors, and rejects a file that multiplies them', () => {
    const text = `id: a\nsteps:\n  - { id: s, type: agent, agent: p.a, params: &p { a: 1 } }\n  - { id: t, type: agent, agent: p.a, params: *p }\n`;
    expect(problemsIn(text)).toEqual([]);
    expect(parseFlow(text).doc?.nodes[1]?.input).toEqual({ a: 1 });
    const lists = Array.from(
      { length: 12 },
      (_, n) => `    a${n}: &a${n} [${n === 0 ? '1' : Array(9).fill(`*a${n - 1}`)}]`,
    );
    expect(problemsIn(`id: a\nsteps:\n- type: agent\n  agent: p.a\n  params:\n${lists.join('\n')}\n`)[0]).toContain(
      'yaml.too-many-aliases',
    );
  });

  test('a tag that requests code, and a duplicate key, are errors', () => {
    expect(
      problemsIn(withStep('{ id: s, type: agent, agent: p.a, params: { a: !!js/function "x" } }')).join(),
    ).toContain('error');
    expect(problemsIn(withStep('{ id: s, id: t, type: agent, agent: p.a }')).join()).toContain('yaml.duplicate-key');
  });

  test('reports at most a thousand of many unknown keys', () => {
    const keys = Array.from({ length: 3000 }, (_, n) => `k${n}: 1`).join('\n');
    expect(problemsIn(`${keys}\nsteps: [${agent}]\n`)).toHaveLength(1000);
  });
});

test('keeps the parts of an invalid file that can be drawn, with the positions of its steps', () => {
  const parsed = parseFlow(
    'id: a\nsteps:\n  - 3\n  - { id: b, type: tol, tool: 4 }\n  - { id: c, type: tool, tool: p.t }\n',
  );
  expect(parsed.doc?.nodes).toEqual([
    { id: 'b', type: 'tol', input: {} },
    { id: 'c', type: 'tool', input: {}, config: { tool: 'p.t' } },
  ]);
  expect([parsed.nodeRange('c')?.line, parsed.rangeOf(['nodes', 1, 'config', 'tool']).line]).toEqual([5, 5]);
  expect(parseFlow('id: a\nsteps: 4\n').doc).toBeNull();
});
