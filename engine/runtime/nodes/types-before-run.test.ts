import { describe, expect, test } from 'vitest';
import { checkFlow } from '../../language/flow/check-flow.ts';
import {
  findings,
  flowOf,
  maybe,
  messages,
  noField,
  sources,
  typedCatalog,
  type uses,
  wrongType,
} from '../../testing/typed-flows.ts';

describe('reports a value that can never have the required type as an error before the run', () => {
  test.each<[string, keyof typeof uses, string]>([
    ['text', 'list', '{{a.text}}'],
    ['text', 'number', '{{a.text}}'],
    ['text', 'number', '{{a.text}} s'],
    ['text', 'map', '{{a.text}}'],
    ['number', 'list', '{{a.waitedMs}}'],
    ['number', 'map', '{{a.waitedMs}}'],
    ['list', 'number', '{{a.items}}'],
    ['list', 'map', '{{a.items}}'],
    ['list', 'number', '{{a.items[0]}}'],
    ['http', 'list', '{{a.status}}'],
    ['http', 'number', '{{a.headers}}'],
    ['http', 'number', '{{a.headers.etag}}'],
    ['file', 'list', '{{a.text}}'],
    ['files', 'number', '{{a.files}}'],
    ['files', 'number', '{{a.files[0].text}}'],
    ['asked', 'list', '{{a.value}}'],
    ['asked', 'list', '{{a.value.n}}'],
    ['asked', 'number', '{{a.value.label}}'],
    ['asked', 'choice', '{{a.value.label}}'],
    ['lines', 'number', '{{a.value}}'],
    ['constant', 'list', '{{a.value.n}}'],
    ['constant', 'list', '{{a.value}}'],
    ['constant', 'number', '{{a.value.list}}'],
    ['fitted', 'number', '{{a.value}}'],
    ['form', 'list', '{{a.values.age}}'],
    ['approval', 'list', '{{a.approved}}'],
    ['sorted', 'list', '{{a.items[0].n}}'],
    ['mapped', 'list', '{{a.items[0].m}}'],
    ['any', 'number', 'take {{a.n}}'],
    ['text', 'list', '{{a.nothing | default:5}}'],
    ['text', 'list', '{{?a.text}}'],
  ])('%s as %s: %s', (source, use, binding) => {
    expect(findings(flowOf(source, use, binding)).filter((one) => one.startsWith('error'))).toEqual([wrongType]);
  });

  test('the message names the field, the binding, both types and the position', () => {
    const text = flowOf('number', 'list', '{{a.waitedMs}}');
    const { diagnostics } = checkFlow(text, typedCatalog);
    expect(diagnostics).toMatchObject([
      {
        nodeId: 'b',
        message: '"input.items" must be a list, not {{a.waitedMs}}, which is a number. Bind a value of that type.',
        range: { line: 4 },
      },
    ]);
  });
});

describe('reports a field that an output cannot have as an error before the run', () => {
  test.each<[string, string]>([
    ['text', '{{a.nothing}}'],
    ['text', '{{a.txet}} and more'],
    ['text', '{{a.text.length}}'],
    ['list', '{{a.items.first}}'],
    ['http', '{{a.boddy}}'],
    ['http', '{{a.path}}'],
    ['file', '{{a.files}}'],
    ['files', '{{a.path}}'],
    ['files', '{{a.files[0].base64}}'],
    ['bytes', '{{a.text}}'],
    ['prompt', '{{a.value}}'],
    ['prompt', '{{a.usage.tokens}}'],
    ['asked', '{{a.value.lable}}'],
    ['plain', '{{a.value}}'],
    ['constant', '{{a.value.m}}'],
    ['constant', '{{a.value.deep.no}}'],
    ['approval', '{{a.route.x}}'],
    ['mapped', '{{a.items[0].n}}'],
    ['tolerated', '{{a.error.codes}}'],
  ])('%s: %s', (source, binding) => {
    expect(findings(flowOf(source, 'text', binding))).toEqual([noField]);
  });

  test('the message suggests the nearest name and lists the existing fields', () => {
    expect(messages(flowOf('http', 'text', '{{a.boddy}}'))).toEqual([
      'The output of "a" (http.request) has no field "boddy". It has: status, headers, body. Did you mean "body"?',
    ]);
  });

  test('an optional binding to it causes a warning if another name is similar', () => {
    expect(findings(flowOf('text', 'text', '{{?a.txt}}'))).toEqual(['warning binding.unknown-field']);
    expect(findings(flowOf('text', 'text', '{{?a.nothing}}'))).toEqual([]);
  });

  test('reports it in the output of the flow too', () => {
    const flow = `flow: { name: x, outputs: { y: "{{a.nothing}}" } }\nnodes: [${sources['text']}]\nedges: []\n`;
    expect(findings(flow)).toEqual([noField]);
  });

  test('reports a warning for a disabled node', () => {
    const flow = flowOf('text', 'text', '{{a.nothing}}').replace('id: b,', 'id: b, disabled: true,');
    expect(findings(flow)).toEqual(['warning binding.unknown-field']);
  });
});

describe('reports a value that may be missing as a warning', () => {
  test.each<[string, string]>([
    ['prompt', '{{a.costUsd}}'],
    ['prompt', '{{a.usage.promptTokens}}'],
    ['plain', '{{a.stdoutBase64}}'],
    ['asked', '{{a.value.maybe}}'],
    ['saved', '{{a.path}}'],
  ])('%s: %s', (source, binding) => {
    expect(findings(flowOf(source, 'text', binding))).toEqual([maybe]);
    for (const bound of [binding.replace('{{', '{{?'), binding.replace('}}', ' | default:""}}')])
      expect(findings(flowOf(source, 'text', bound)), bound).toEqual([]);
  });

  const when = '{ exists: flow.input.x }';

  test.each<[string, string, string]>([
    ['a node with a condition', `{ id: a, type: echo, input: { text: hi }, when: ${when} }`, '{ from: a, to: b }'],
    ['a disabled node', '{ id: a, type: echo, input: { text: hi }, disabled: true }', '{ from: a, to: b }'],
    [
      'a node on one branch',
      '{ id: a, type: echo, input: { text: hi } }',
      `{ from: s, to: a, when: { equals: { var: s.route, value: x } } }, { from: a, to: b }`,
    ],
  ])('the output of %s, unless what reads it runs on the same terms', (_, node, edges) => {
    const start =
      '{ id: s, type: control.switch, input: { value: 1, cases: [{ when: { exists: value }, route: x }] } }';
    const flow = (more: string, binding = '{{a.text}}'): string =>
      `flow: { name: x }\nnodes:\n  - ${start}\n  - ${node}\n  - { id: b, type: echo, input: { text: "${binding}" }${more} }\nedges: [${edges}]\n`;
    expect(findings(flow(''))).toEqual([maybe]);
    expect(findings(flow('', '{{?a.text}}'))).toEqual([]);
    if (!node.includes('disabled')) expect(findings(flow(', when: { exists: a.text }'))).toEqual([]);
    if (node.includes('when')) expect(findings(flow(`, when: ${when}`))).toEqual([]);
  });

  test('reports nothing if the node is reachable only through the branch itself', () => {
    const flow = `flow: { name: x }
nodes:
  - { id: s, type: control.if, input: { condition: { exists: flow.input.x } } }
  - { id: a, type: echo, input: { text: hi } }
  - { id: b, type: echo, input: { text: "{{a.text}}" } }
edges:
  - { from: s, to: a, when: { equals: { var: s.condition, value: true } } }
  - { from: a, to: b, when: { equals: { var: s.condition, value: true } } }
`;
    expect(findings(flow)).toEqual([]);
  });
});

describe('reports a condition that can never be true as an error', () => {
  test.each<[string, string]>([
    ['asked', '{ equals: { var: a.value.label, value: perhaps } }'],
    ['asked', '{ in: { var: a.value.label, value: [maybe, perhaps] } }'],
    ['asked', '{ equals: { var: a.value.n, value: "3" } }'],
    ['asked', '{ not: { equals: { var: a.value.label, value: ja } } }'],
    ['asked', '{ and: [{ exists: a.text }, { equals: { var: a.value.label, value: ja } }] }'],
    ['http', '{ equals: { var: a.status, value: "200" } }'],
    ['http', '{ gte: { var: a.status, value: "400" } }'],
    ['text', '{ gt: { var: a.text, value: 5 } }'],
    ['text', '{ contains: { var: a.text, value: 5 } }'],
    ['list', '{ contains: { var: a.items, value: 5 } }'],
    ['list', '{ equals: { var: a.items, value: one } }'],
    ['approval', '{ equals: { var: a.route, value: approve } }'],
    ['approval', '{ equals: { var: a.approved, value: "true" } }'],
    ['constant', '{ equals: { var: a.value.n, value: six } }'],
  ])('%s: %s', (source, when) => {
    const flow = `flow: { name: x }\nnodes:\n  - ${sources[source]}\n  - { id: b, type: echo, input: { text: x }, when: ${when} }\nedges: [{ from: a, to: b }]\n`;
    expect(findings(flow)).toEqual(['error when.never-holds']);
    const onEdge = `flow: { name: x }\nnodes:\n  - ${sources[source]}\n  - { id: b, type: echo, input: { text: x } }\nedges: [{ from: a, to: b, when: ${when} }]\n`;
    expect(findings(onEdge)).toHaveLength(1);
    expect(findings(onEdge)[0]).toMatch(/^error (?:when\.never-holds|edge\.unknown-route)$/);
  });

  test.each([
    '{ equals: { var: a.nothing, value: 1 } }',
    '{ exists: a.nothing }',
    '{ not: { exists: a.nothing } }',
    '{ equals: { var: a.text, value: null } }',
  ])('reports only a warning if the path is always missing, which may be intended: %s', (when) => {
    const flow = `flow: { name: x }\nnodes:\n  - ${sources['text']}\n  - { id: b, type: echo, input: { text: x }, when: ${when} }\nedges: [{ from: a, to: b }]\n`;
    expect(findings(flow)).toEqual(['warning when.never-holds']);
  });

  test('reports a switch case that no value matches', () => {
    const sort = (value: string, when: string): string =>
      `flow: { name: x }\nnodes:\n  - ${sources['asked']}\n  - { id: s, type: control.switch, input: { value: "${value}", cases: [{ when: ${when}, route: x }] } }\nedges: [{ from: a, to: s }]\n`;
    expect(findings(sort('{{a.value.label}}', '{ equals: { var: value, value: ja } }'))).toEqual([
      'error when.never-holds',
    ]);
    expect(findings(sort('{{a.value}}', '{ equals: { var: value.label, value: ja } }'))).toEqual([
      'error when.never-holds',
    ]);
    expect(findings(sort('{{a.value.label}}', '{ equals: { var: value, value: yes } }'))).toEqual([]);
    expect(findings(sort('{{a.value}}', '{ equals: { var: value.n, value: 7 } }'))).toEqual([]);
  });

  test('reports conditions of loops and lists', () => {
    const loop = `flow: { name: x }
nodes:
  - { id: l, type: control.loop, input: { body: [c], until: { equals: { var: c.text, value: true } } } }
  - { id: c, type: echo, input: { text: hi } }
edges: []
`;
    expect(findings(loop)).toEqual(['error when.never-holds']);
    expect(findings(loop.replace('value: true', 'value: done'))).toEqual([]);
    const filter = `flow: { name: x }
nodes:
  - { id: a, type: constant, input: { value: [{ n: 1 }] } }
  - { id: f, type: list.filter, input: { items: "{{a.value}}" }, config: { when: { equals: { var: item.n, value: one } } } }
edges: [{ from: a, to: f }]
`;
    expect(findings(filter)).toEqual(['error when.never-holds']);
    expect(findings(filter.replace('value: one', 'value: 1'))).toEqual([]);
  });
});
