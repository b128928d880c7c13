import { describe, expect, test } from 'vitest';
import { type Files, findings, flowOf, maybe, noField, sources, uses, wrongType } from '../../testing/typed-flows.ts';

describe('no false positives', () => {
  test.each<[string, keyof typeof uses, string]>([
    // Values that a run converts.
    ...(['number', 'list', 'http', 'constant', 'approval', 'files', 'asked'] as const).map(
      (source): [string, keyof typeof uses, string] => [source, 'text', '{{a}}'],
    ),
    ['number', 'text', '{{a.waitedMs}}'],
    ['list', 'text', '{{a.items}}'],
    ['approval', 'text', '{{a.approved}} {{a.at}}'],
    // Values of unknown type.
    ['any', 'list', '{{a}}'],
    ['any', 'list', '{{a.b.c[0].d}}'],
    ['any', 'number', '{{a.n}}'],
    ['http', 'list', '{{a.body}}'],
    ['http', 'number', '{{a.body.items[0].n}}'],
    ['prompt', 'list', '{{a.usage | default:[]}}'],
    ['open', 'text', '{{a.value.other}}'],
    ['parsed', 'list', '{{a.value.x}}'],
    ['form', 'any', '{{a.values.other}}'],
    ['tool', 'list', '{{a.files}}'],
    ['list', 'text', '{{a.items[0]}}'],
    ['files', 'text', '{{a.files[3].path}}'],
    ['asked', 'number', '{{a.value.n}}'],
    ['fitted', 'list', '{{a.value}}'],
    ['constant', 'list', '{{a.value.list}}'],
    ['http', 'map', '{{a.headers}}'],
    // Failures, skips and suggestions have additional fields.
    ['tolerated', 'text', '{{a.error.code}}: {{a.error.message}} ({{a.attempts}})'],
    ['tolerated', 'text', '{{a.failed}}'],
    ['text', 'text', '{{a.skipped}} {{a.reason}}'],
    ['tool', 'text', '{{a.suggested}} {{a.tool}} {{a.params}}'],
    ['saved', 'text', '{{?a.path}}'],
    // Null counts as missing and is rare.
    ['approval', 'text', '{{a.by}}'],
  ])('%s as %s: %s', (source, use, binding) => {
    expect(findings(flowOf(source, use, binding))).toEqual([]);
  });

  test.each([
    'a.failed, value: true',
    'a.failed, value: false',
    'a.error.code, value: http.timeout',
    'a.attempts, value: 3',
    'a.skipped, value: true',
    'a.reason, value: edge',
  ])('accepts a condition on %s', (condition) => {
    for (const source of ['tolerated', 'http', 'constant']) {
      const flow = `flow: { name: x }\nnodes:\n  - ${sources[source]}\n  - { id: b, type: echo, input: { text: x }, when: { equals: { var: ${condition} } } }\nedges: [{ from: a, to: b }]\n`;
      expect(findings(flow), source).toEqual([]);
    }
  });

  test('a literal value may be replaced by others of its type', () => {
    const flow = `flow: { name: x }\nnodes:\n  - ${sources['constant']}\n  - { id: b, type: echo, input: { text: x }, when: { equals: { var: a.value.n, value: 6 } } }\nedges: [{ from: a, to: b }]\n`;
    expect(findings(flow)).toEqual([]);
  });

  test('the branch of a rejected start has additional fields', () => {
    const flow = flowOf('file', 'text', '{{a.message}} {{a.route}}').replace(
      'to: b }',
      'to: b, when: { equals: { var: a.route, value: rejected } } }',
    );
    expect(findings(flow)).toEqual([]);
  });

  test('knows items, indexes, previous iterations and bindings around a loop', () => {
    const flow = `flow: { name: x, input: { rows: [] }, inputs: { kind: { type: string, enum: [a, b], default: a }, n: { type: integer, required: true } } }
nodes:
  - { id: rows, type: constant, input: { value: [{ name: x, tags: [y] }] } }
  - { id: each, type: control.foreach, input: { items: "{{rows.value}}", as: row, body: [inner, tags, again] } }
  - { id: inner, type: echo, input: { text: "{{row.name}} {{loop.index}} {{flow.input.kind}}" } }
  - { id: tags, type: control.foreach, input: { items: "{{row.tags}}", body: [tag] } }
  - { id: tag, type: echo, input: { text: "{{item}} of {{row.name}}, {{inner.text}}, {{flow.input.n}}" } }
  - { id: again, type: control.loop, input: { body: [pass], until: { exists: pass.text }, maxIterations: 2 } }
  - { id: pass, type: echo, input: { text: "{{?previous.pass.text}} {{previous.pass.text | default:x}}" } }
  - { id: all, type: json.query, input: { value: "{{each.iterations}}" }, config: { path: $ } }
  - { id: one, type: echo, input: { text: "{{each.iterations[0].outputs.inner.text}} {{each.iterations[0].item.name}} {{each.iterations[0].outputs.inner.error.code}}" } }
edges:
  - { from: rows, to: each }
  - { from: inner, to: tags }
  - { from: tags, to: again }
  - { from: each, to: all }
  - { from: each, to: one }
`;
    expect(findings(flow)).toEqual([]);
    expect(findings(flow.replace('{{row.name}} {{loop', '{{row.nmae}} {{loop'))).toEqual([noField]);
    expect(findings(flow.replace('{{loop.index}}', '{{loop.place}}'))).toEqual([noField]);
    expect(findings(flow.replace('outputs.inner.text', 'outputs.other.text'))).toEqual([noField]);
    expect(findings(flow.replace('"{{row.tags}}"', '"{{row.name}}"'))).toEqual([wrongType]);
    expect(findings(flow.replace('"{{row.tags}}"', '"{{flow.input.n}}"'))).toEqual([wrongType]);
    expect(findings(flow.replace('{{flow.input.n}}"', '{{flow.input.n.x}}"'))).toEqual([noField]);
  });

  test('an undeclared input may have any value', () => {
    const flow = `flow: { name: x, input: { rows: 5 } }\nnodes: [${uses.list('{{flow.input.rows}}')}]\nedges: []\n`;
    expect(findings(flow)).toEqual([]);
  });

  test('an optional input without a default may be missing', () => {
    const flow = (doc: string): string =>
      `flow: { name: x, inputs: { rows: ${doc} } }\nnodes: [${uses.list('{{flow.input.rows}}')}]\nedges: []\n`;
    expect(findings(flow('{ type: array }'))).toEqual([maybe]);
    expect(findings(flow('{ type: array, required: true }'))).toEqual([]);
    expect(findings(flow('{ type: array, default: [] }'))).toEqual([]);
    expect(findings(flow('{ type: string, default: x }'))).toEqual([wrongType]);
  });
});

describe('accepts every form of schema without being too strict', () => {
  const flow = (schema: string, use: keyof typeof uses, path: string): string =>
    `flow: { name: x }\nnodes:\n  - { id: a, type: json.parse, input: { text: x }, config: { schema: ${schema} } }\n  - ${uses[use](`{{a.value${path}}}`)}\nedges: [{ from: a, to: b }]\n`;

  test.each<[string, keyof typeof uses, string]>([
    ['{ anyOf: [{ type: string }, { type: array }] }', 'list', ''],
    ['{ oneOf: [{ type: string }, { type: object, required: [n], properties: { n: { type: number } } }] }', 'map', ''],
    ['{ type: [string, array] }', 'list', ''],
    ['{ $ref: "#/$defs/list", $defs: { list: { type: array } } }', 'list', ''],
    ['{ $ref: "#/$defs/none" }', 'list', '.x'],
    ['{ $ref: "#anchor", $defs: { a: { $anchor: anchor, type: array } } }', 'list', ''],
    ['{ $ref: "#/$defs/a", $defs: { a: { $ref: "#/$defs/a" } } }', 'list', '.x'],
    ['{ allOf: [{ type: object }, { properties: { x: { type: array } }, required: [x] }] }', 'list', '.x'],
    ['{ type: object, additionalProperties: { type: array } }', 'list', '.anything'],
    ['{ type: object, patternProperties: { "^x": { type: array } }, additionalProperties: false }', 'list', '.xyz'],
    ['{ type: array, prefixItems: [{ type: string }, { type: array }], items: false }', 'list', '[1]'],
    ['{ type: object, properties: { x: true }, required: [x] }', 'list', '.x'],
    ['{ if: { type: string }, then: { minLength: 1 }, else: { type: array } }', 'list', ''],
    ['{ not: { type: string } }', 'list', ''],
    ['{ enum: [[1], 2] }', 'list', ''],
    ['{ const: [1] }', 'list', ''],
    ['true', 'list', '.x'],
    ['{}', 'list', '.x'],
    [
      '{ type: object, unevaluatedProperties: false, allOf: [{ properties: { x: { type: array } }, required: [x] }] }',
      'list',
      '.x',
    ],
    ['{ type: object, minProperties: 1 }', 'list', '.x'],
  ])('%s as %s%s', (schema, use, path) => {
    expect(findings(flow(schema, use, path))).toEqual([]);
  });

  test.each<[string, keyof typeof uses, string, string]>([
    ['{ anyOf: [{ type: string }, { type: number }] }', 'list', '', wrongType],
    ['{ type: [string, "null"] }', 'list', '', wrongType],
    ['{ $ref: "#/$defs/text", $defs: { text: { type: string } } }', 'list', '', wrongType],
    ['{ allOf: [{ type: [string, number] }, { type: [number, array] }] }', 'list', '', wrongType],
    ['{ type: object, additionalProperties: { type: string } }', 'list', '.anything', wrongType],
    ['{ type: object, properties: { a: {} }, additionalProperties: false }', 'text', '.b', noField],
    ['{ enum: [1, 2] }', 'list', '', wrongType],
    [
      '{ type: array, items: { type: object, properties: { x: { type: string } }, additionalProperties: false } }',
      'text',
      '[0].y',
      noField,
    ],
  ])('%s as %s%s is %s', (schema, use, path, expected) => {
    expect(findings(flow(schema, use, path))).toContain(expected);
  });
});

test('uses schemas in files and the declared outputs of called flows', () => {
  const asked = `flow: { name: x }\nnodes:\n  - { id: a, type: prompt, input: { prompt: hi }, config: { output: { schemaFile: s.json } } }\n  - ${uses.list('{{a.value}}')}\nedges: [{ from: a, to: b }]\n`;
  expect(findings(asked)).toEqual([]);
  expect(findings(asked, { 's.json': { schema: { type: 'string' } } })).toEqual([wrongType]);
  const called = (outputs: string): Files => ({
    'flow\nc.flow.yaml': {
      flow: {
        path: 'c.flow.yaml',
        files: [],
        text: `flow: { name: c, inputs: { n: { type: number, required: true } }${outputs} }\nnodes: [{ id: e, type: echo, input: { text: x } }]\nedges: []\n`,
      },
    },
  });
  const calling = (n: string, path: string): string =>
    `flow: { name: x }\nnodes:\n  - { id: t, type: echo, input: { text: x } }\n  - { id: a, type: flow, input: { flow: c.flow.yaml, input: { n: ${n} } } }\n  - ${uses.list(path)}\nedges: [{ from: t, to: a }, { from: a, to: b }]\n`;
  const declared = called(', outputs: { text: "{{e.text}}" }');
  expect(findings(calling('1', '{{a.outputs.text}}'), declared)).toEqual([wrongType]);
  expect(findings(calling('1', '{{a.outputs.txt}}'), declared)).toEqual([noField]);
  expect(findings(calling('1', '{{a.outputs.e.text}}'), called(''))).toEqual([]);
  // Inputs of a flow are not converted to text or numbers.
  expect(findings(calling('"{{t.text}}"', '{{a.outputs.x}}'), called(''))).toEqual([wrongType]);
});
