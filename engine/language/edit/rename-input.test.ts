import { describe, expect, test } from 'vitest';
import { changedText } from '../../testing/text-diff.ts';
import { parseFlow } from '../flow/parse-flow.ts';
import { editFlow } from './edit-flow.ts';
import { usesOfInput } from './rename-input.ts';

/** A flow that reads an input in every possible way, with comments and similar names. */
const text = `# Weekly report
flow:
  name: Report
  input:
    topic: bees # what it is about
    topics: [a]
  inputs:
    count: { type: integer, default: 3 } # how many
  outputs: { about: "{{flow.input.topic}}", count: "{{ flow.input.count }}" }
nodes:
  # Asks for it.
  - id: topic
    type: prompt
    input:
      prompt: |
        Write about {{flow.input.topic}} ({{ ? flow.input["topic"] }}),
        {{flow.input.count | default: "flow.input.count"}} lines, not {{topic.text}} or {{flow.input.topics}}.
      system: 'About {{flow.input[''topic'']}} \\{{flow.input.topic}}'
    when: { and: [ { equals: { var: flow.input.topic, value: flow.input.topic } }, { not: { exists: "flow.input.topic.name" } } ] }
  - id: each
    type: control.foreach
    input: { items: "{{flow.input.topics}}", body: [inner], as: row }
  - { id: inner, type: echo, input: { text: "{{row}} {{flow.input.topic}}" } }
  - id: sort
    type: control.switch
    input:
      value: "{{flow.input.topic}}"
      cases:
        - { route: yes, when: { or: [ { exists: value.topic }, { equals: { var: value, value: "{{flow.input.topic}}" } } ] } }
  - id: until
    type: control.loop
    input: { maxIterations: 2, body: [last], until: { exists: flow.input.topic } }
  - { id: last, type: echo, input: { text: x } }
  - id: code
    type: script.js
    input: { all: "{{flow.input}}", one: "{{flow.input.topic}}" }
    config: { code: "return input.all.topic + input.topic" }
edges:
  - { from: topic, to: sort, when: { equals: { var: flow.input.topic, value: 1 } } } # condition
  - { from: each, to: sort }
layout: { nodes: { topic: { x: 0, y: 0 } } }
`;

const rename = (name: string, to: string, source = text): string =>
  changedText(source, { do: 'rename-input', name, to });

describe('renaming an input', () => {
  test('updates every binding and condition, keeps comments and layout, and does not change code and other names', () => {
    const wanted = text
      .replace('    topic: bees #', '    subject: bees #')
      .replace('"{{flow.input.topic}}", count', '"{{flow.input.subject}}", count')
      .replace(
        'about {{flow.input.topic}} ({{ ? flow.input["topic"] }})',
        'about {{flow.input.subject}} ({{ ? flow.input["subject"] }})',
      )
      .replace("flow.input[''topic'']", "flow.input[''subject'']")
      .replace('var: flow.input.topic, value: flow', 'var: flow.input.subject, value: flow')
      .replace('"flow.input.topic.name"', '"flow.input.subject.name"')
      .replace('{{row}} {{flow.input.topic}}', '{{row}} {{flow.input.subject}}')
      .replace('value: "{{flow.input.topic}}"\n', 'value: "{{flow.input.subject}}"\n')
      .replace('value: "{{flow.input.topic}}" } }', 'value: "{{flow.input.subject}}" } }')
      .replace('until: { exists: flow.input.topic }', 'until: { exists: flow.input.subject }')
      .replace('one: "{{flow.input.topic}}"', 'one: "{{flow.input.subject}}"')
      .replace('var: flow.input.topic, value: 1', 'var: flow.input.subject, value: 1');
    expect(rename('topic', 'subject')).toBe(wanted);
  });

  test('updates a declared input', () => {
    const wanted = text
      .replace('    count: { type', '    lines: { type')
      .replace('{{ flow.input.count }}', '{{ flow.input.lines }}')
      .replace('{{flow.input.count | default', '{{flow.input.lines | default');
    expect(rename('count', 'lines')).toBe(wanted);
  });

  test('does not change a node that has the new name as its ID', () => {
    const two =
      'flow: { name: A, input: { a: 1 } }\nnodes:\n  # first\n  - { id: b, type: echo, input: { text: "{{flow.input.a}}" } }\nedges: []\n';
    expect(rename('a', 'b', two)).toBe(two.replace('{ a: 1 }', '{ b: 1 }').replace('input.a}', 'input.b}'));
  });

  test('an input with a default and a declaration keeps both under its new name', () => {
    const both = 'flow: { name: A, input: { a: 1 }, inputs: { a: { type: integer } } }\nnodes: []\nedges: []\n';
    expect(rename('a', 'z', both)).toBe(both.replaceAll('{ a:', '{ z:'));
  });

  test.each([
    ['"{{flow.input.a}}"', 'first name', String.raw`"{{flow.input[\"first name\"]}}"`],
    ["'{{flow.input.a}}'", 'first name', `'{{flow.input["first name"]}}'`],
    ['\'{{flow.input["a"].b}}\'', 'x y', `'{{flow.input["x y"].b}}'`],
    [`"{{flow.input['a']}}"`, 'x y', `"{{flow.input['x y']}}"`],
    ["'{{flow.input.a[0].c}}'", 'z', "'{{flow.input.z[0].c}}'"],
    ["'{{flow.input.a.a}} {{flow.input.aa}}'", 'z', "'{{flow.input.z.a}} {{flow.input.aa}}'"],
    ["'{{ flow.input.a | default: 1 }}'", 'z', "'{{ flow.input.z | default: 1 }}'"],
    ["'{{?flow.input.a}}'", 'größe', "'{{?flow.input.größe}}'"],
    ["'\\{{flow.input.a}} {{flow.input.a}}'", 'z', "'\\{{flow.input.a}} {{flow.input.z}}'"],
    [
      "'{{flow.a.input}} {{n.flow.input.a}} {{flow.input}}'",
      'z',
      "'{{flow.a.input}} {{n.flow.input.a}} {{flow.input}}'",
    ],
    ["'{{flow.input.a'", 'z', "'{{flow.input.a'"],
  ])('in the text %s, renaming to %s results in %s', (value, to, wanted) => {
    const flow = `flow: { name: A, input: { a: 1 } }\nnodes:\n  - { id: n, type: echo, input: { text: ${value} } }\nedges: []\n`;
    expect(rename('a', to, flow)).toBe(flow.replace('{ a: 1 }', `{ ${to}: 1 }`).replace(value, wanted));
  });

  test.each([
    ['none', 'x', 'The flow has no input "none".'],
    ['topic', 'count', 'Another input already has the name "count". Rename one.'],
    ['topic', '', 'The name of an input must not be empty.'],
  ])('rejects renaming %s to "%s"', (name, to, message) => {
    const edit = editFlow(text, { do: 'rename-input', name, to });
    expect(edit).toMatchObject({ ok: false, error: { code: 'edit.refused', message } });
  });

  test('is one named change, and no change for the same name', () => {
    expect(editFlow(text, { do: 'rename-input', name: 'topic', to: 'subject' })).toMatchObject({
      label: 'Rename input topic to subject',
    });
    expect(editFlow(text, { do: 'rename-input', name: 'topic', to: 'topic' })).toMatchObject({ ok: true, edits: [] });
  });

  test('is not possible in a list of steps, which has no inputs', () => {
    const steps = 'name: A\nsteps:\n  - { id: a, type: tool, tool: x }\n';
    expect(editFlow(steps, { do: 'rename-input', name: 'a', to: 'b' })).toMatchObject({
      ok: false,
      error: { message: 'The flow has no input "a".' },
    });
  });
});

test.each<[string, readonly string[]]>([
  ['topic', ['topic', 'inner', 'sort', 'until', 'code', 'code (code)', 'topic->sort (edge)', 'outputs']],
  ['count', ['topic', 'outputs']],
  ['topics', ['topic', 'each']],
  ['nothing', []],
])('the uses of the input %s are found in nodes, code, conditions and outputs', (name, wanted) => {
  const root = parseFlow(text).doc as never;
  const found = usesOfInput(root, name).map((use) =>
    use.in === 'outputs' ? use.in : use.in === 'node' ? use.id : `${use.id} (${use.in})`,
  );
  expect(found).toEqual(wanted);
});
