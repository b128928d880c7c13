import { describe, expect, test } from 'vitest';
import { checkFlow } from '../../language/flow/check-flow.ts';
import { inputsSchemaOf } from '../../language/flow/flow-interface.ts';
import { testRun } from '../../testing/test-run.ts';
import { builtinNodes } from '../nodes/builtin-nodes.ts';
import { createNodeRegistry } from '../nodes/node-registry.ts';

const registry = createNodeRegistry(builtinNodes);

const header = `
flow:
  name: Weather
  inputs:
    city: { type: string, description: Where, required: true }
    days: { type: integer, default: 3 }
    unit: { type: string, enum: [C, F], default: C }
    tags: { type: array }
  outputs:
    answer: "{{say.text}}"
    all: { days: "{{flow.input.days}}", tags: "{{?flow.input.tags}}" }`;

const flow = `${header}
nodes:
  - { id: say, type: echo, input: { text: "{{flow.input.city}} {{flow.input.days}}{{flow.input.unit}}" } }
  - { id: last, type: echo, input: { text: "{{say.text}}!" } }
edges: [{ from: say, to: last }]`;

function problemsOf(text: string): string[] {
  return checkFlow(text, registry).diagnostics.map(
    ({ severity, code, message, range }) => `${range.line}:${range.column} ${severity} ${code} ${message}`,
  );
}

test('BB-09 a run receives declared defaults and returns declared outputs', async () => {
  expect(problemsOf(flow)).toEqual([]);
  const { end, events } = await testRun(flow, { inputs: { city: 'Bern', tags: ['a'] } });
  expect(events[0]?.event).toMatchObject({ inputs: { city: 'Bern', days: 3, unit: 'C', tags: ['a'] } });
  expect(end).toMatchObject({ status: 'completed', output: { answer: 'Bern 3C', all: { days: 3, tags: ['a'] } } });
});

test('BB-09 without declarations, all inputs are accepted, and the last nodes provide the output', async () => {
  const text = flow.replace(/ {2}inputs:[\s\S]*?(?=nodes:)/, '  input: { days: 1, unit: x }\n');
  const { end } = await testRun(text, { inputs: { city: 'Bern', more: 1 } });
  expect(end).toMatchObject({ status: 'completed', output: { last: { text: 'Bern 1x!' } } });
});

describe('BB-09 invalid inputs are rejected by name before a node runs:', () => {
  test.each<[Record<string, never>, readonly string[]]>([
    [{}, ['The input "city" is missing (Where).']],
    [{ city: 5 } as never, ['The input "city" must be text, not 5.']],
    [{ city: 'x', days: 1.5 } as never, ['The input "days" must be a whole number, not 1.5.']],
    [{ city: 'x', unit: 'K' } as never, ['The input "unit" must be one of "C", "F", not "K".']],
    [{ city: 'x', tags: {} } as never, ['The input "tags" must be a list, not {}.']],
    [{ city: null, town: 1 } as never, ['The input "city" must be text, not null.', 'The flow has no input "town".']],
    [{ city: 'x', dayz: 1 } as never, ['The flow has no input "dayz". Did you mean "days"?']],
    [{ city: 'x', constructor: 1 } as never, ['The flow has no input "constructor".']],
  ])('%j', async (inputs, messages) => {
    const { end, events } = await testRun(flow, { inputs });
    expect(end).toMatchObject({ status: 'failed', error: { code: 'flow.bad-inputs' } });
    const details = end.error?.details as readonly { name: string; message: string }[];
    expect(details).toHaveLength(messages.length);
    for (const [index, message] of messages.entries()) expect(details[index]?.message).toContain(message);
    expect(events.map(({ event }) => event.type)).toEqual(['run:start', 'run:end']);
  });
});

test('BB-09 an output from a node without output fails the run and is named in the error', async () => {
  const text = flow.replace('id: say, type: echo,', 'id: say, type: echo, disabled: true,');
  const { end } = await testRun(text.replace('{{say.text}}!', 'x'), { inputs: { city: 'Bern' } });
  expect(end).toMatchObject({ status: 'failed', error: { code: 'binding.missing' } });
  expect(end.error?.message).toContain('The flow cannot return its output "answer". The path "say.text" has no value');
  const tolerant = text.replace('"{{say.text}}"', '"{{?say.text}}"').replace('{{say.text}}!', 'x');
  expect((await testRun(tolerant, { inputs: { city: 'Bern' } })).end).toMatchObject({
    status: 'completed',
    output: { answer: '' },
  });
});

test('BB-09 a resumed run does not require its inputs again, and returns the same outputs', async () => {
  const whole = await testRun(flow, { inputs: { city: 'Bern' } });
  const at = whole.events.findIndex(({ event }) => event.type === 'task:complete');
  for (const length of [at + 1, whole.events.length - 1]) {
    const resume = { events: whole.events.slice(0, length) };
    const { end } = await testRun(flow, { inputs: { city: 'Bern' }, resume });
    expect(end).toMatchObject({ status: 'completed', output: { answer: 'Bern 3C' } });
  }
});

describe('BB-09 errors in declarations are reported at their position:', () => {
  const withInput = (line: string, more = ''): string => `flow:
  name: A${more}
  inputs:
    ${line}
nodes: []
edges: []
`;
  test.each<[string, string, string]>([
    ['a: { type: text }', '', '4:16 error flow.bad-value'],
    ['a: {}', '', '4:8 error flow.missing-key The key "type" is missing.'],
    ['a: { type: string, defualt: x }', '', '4:24 error flow.unknown-key'],
    [
      'a: { type: integer, default: x }',
      '',
      '4:34 error flow.bad-value The input "a" must be a whole number, not "x".',
    ],
    ['a: { type: string, enum: [] }', '', '4:30 error flow.bad-value'],
    ['a: { type: string, enum: [x, 1] }', '', '4:34 error flow.bad-value The input "a" must be text, not 1.'],
    ['a: { type: string, enum: [x], default: y }', '', '4:44 error flow.bad-value The input "a" must be one of "x"'],
    ['a: { type: string, required: true, default: y }', '', '4:49 warning flow.unused-default'],
    ['a: { type: number, format: file }', '', '4:32 error flow.bad-value A file is a path'],
    ['a: { type: string, format: date }', '', '4:32 error flow.bad-value'],
    ['a: { type: string, accept: .eml }', '', '4:32 error flow.bad-value Add "format: file"'],
    ['a: { type: string, format: file, accept: "*" }', '', '4:46 error flow.bad-value'],
    ['a: { type: array, format: file, default: [1] }', '', '4:46 error flow.bad-value The input "a" must be a list of'],
    ['a b: { type: string }', '', '4:5 error flow.bad-value "a b" is not a'],
    ['a: { type: string }', '\n  input: { a: 1 }', '3:15 error flow.bad-value The input "a" must be text, not 1.'],
    ['a: { type: string, default: x }', '\n  input: { a: y }', '3:15 error flow.bad-value "a" has a default here'],
  ])('%s', (line, more, problem) => {
    expect(problemsOf(withInput(line, more)).map((one) => one.slice(0, problem.length))).toEqual([problem]);
  });

  test.each<[string, string]>([
    ['"{{gone.text}}"', 'warning binding.unknown-root No node has the id "gone"'],
    ['"{{in.text}}"', 'warning loop.hidden-output'],
    ['"{{secret.KEY}}"', 'error secret.misplaced Flow outputs cannot contain secrets'],
    ['"{{a..b}}"', 'error binding.bad-path'],
    ['"{{flow.input.town}}"', 'warning binding.unknown-root The flow has no input "town"'],
  ])('%s', (value, problem) => {
    const text = `flow: { name: A, inputs: { city: { type: string } }, outputs: { one: ${value} } }
nodes:
  - { id: each, type: control.foreach, input: { items: [1], body: [in] } }
  - { id: in, type: echo, input: { text: "{{item}}" } }
edges: []
`;
    expect(problemsOf(text)).toEqual([expect.stringContaining(problem)]);
    expect(problemsOf(text)[0]).toMatch(/^1:7\d /);
  });
});

test('BB-09 the declared inputs are available as a JSON Schema', () => {
  const { doc } = checkFlow(`${header}\n  input: { plain: [1], tags: [x] }\nnodes: []\nedges: []`, registry).parsed;
  expect(inputsSchemaOf(doc?.flow ?? {})).toEqual({
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    properties: {
      plain: { default: [1] },
      city: { type: 'string', description: 'Where' },
      days: { type: 'integer', default: 3 },
      unit: { type: 'string', enum: ['C', 'F'], default: 'C' },
      tags: { type: 'array', default: ['x'] },
    },
    required: ['city'],
    additionalProperties: false,
  });
  expect(inputsSchemaOf({ input: { a: 1 } })).toEqual({
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    properties: { a: { default: 1 } },
  });
});
