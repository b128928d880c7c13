import { describe, expect, test } from 'vitest';
import { changedText } from '../../testing/text-diff.ts';
import { corpus } from '../../testing/yaml-corpus.ts';
import { editFlow } from './edit-flow.ts';
import { renameNode } from './rename-node.ts';

const { usual, scalars, loops } = corpus;

describe('renaming', () => {
  test('changes only the ID, in every kind of text', () => {
    const renamed = changedText(scalars, { do: 'rename', id: 'keep', to: 'kept' });
    expect(renamed).toBe(scalars.replace(/\bkeep\b/g, 'kept'));
  });

  test('updates bodies, outputs of loops and conditions, but not values and names of keys', () => {
    const renamed = changedText(loops, { do: 'rename', id: 'inner', to: 'core' });
    expect(renamed).toBe(loops.replace(/\binner\b/g, 'core').replace('"core.text"', '"inner.text"'));
  });

  test('updates defaults, optional bindings and escapes', () => {
    const input = `"{{ ? a.b }} \\\\{{a.b}} {{a}} {{b.a}} {{a.c | default: \\"a.b\\"}} {{aa.b}} {{a b}} a.b \\u007b{a.d}}"`;
    const text = `flow: { name: x }\nnodes:\n  - id: a\n    type: echo\n    input: { a: ${input} }\n    config: { t: "{{a.b}}" }\nedges: []\n`;
    const now = input
      .replace('? a.b', '? z.b')
      .replace('{{a}}', '{{z}}')
      .replace('{{a.c', '{{z.c')
      .replace('{a.d', '{z.d');
    expect(changedText(text, { do: 'rename', id: 'a', to: 'z' })).toBe(
      text.replace(input, now).replace('id: a', 'id: z'),
    );
  });

  test('updates paths with brackets, in bindings and conditions, and nested bodies', () => {
    const text = `flow: { name: x }
nodes:
  - id: a
    type: echo
    input: { t: '{{a["a"].a}} {{a[0]}} {{b["a"]}} {{each.iterations[0].outputs["a"].a}} {{each["iterations"][0]["outputs"].a}}' }
    when: { and: [{ exists: 'a["a b"]' }, { equals: { var: 'each.iterations.1.outputs.inner.iterations[2].outputs.a["x y"]', value: a } }] }
edges: []
`;
    const renamed = text
      .replace('id: a', 'id: z')
      .replace('{{a["a"].a}} {{a[0]}}', '{{z["a"].a}} {{z[0]}}')
      .replace('outputs["a"].a', 'outputs["z"].a')
      .replace('["outputs"].a', '["outputs"].z')
      .replace("exists: 'a[", "exists: 'z[")
      .replace('outputs.a["x y"]', 'outputs.z["x y"]');
    expect(changedText(text, { do: 'rename', id: 'a', to: 'z' })).toBe(renamed);
  });

  test('also applies if the ID is set as a value', () => {
    const set = changedText(usual, { do: 'set-node', id: 'ask', path: ['id'], value: 'query' });
    expect(set).toBe(changedText(usual, { do: 'rename', id: 'ask', to: 'query' }));
  });

  test.each([
    ['1st', '"id" must start with a letter or _ and contain only ASCII letters, digits and _.'],
    ['flow', 'The id "flow" is reserved because it has a special meaning in bindings. Choose another.'],
    ['ask', 'Another node already has the id "ask". Rename one.'],
  ])('rejects %s', (to, message) => {
    expect(editFlow(usual, { do: 'rename', id: 'fetch', to })).toEqual({
      ok: false,
      error: { code: 'edit.refused', message },
    });
  });
});

test("BB-09 updates the flow's outputs, and declared inputs stay as they are written", () => {
  const text = `flow:
  name: A
  inputs: # kept
    city: { type: string,   required: true }
  outputs:
    one: "{{ask.text}} and {{other.text}}"   # kept
    two: { deep: ["{{?ask}}"] }
nodes:
  - { id: ask, type: echo, input: { text: x } }
  - { id: other, type: echo, input: { text: x } }
edges: []
`;
  expect(changedText(text, { do: 'rename', id: 'ask', to: 'query' })).toBe(text.replace(/\bask\b/g, 'query'));
  const changed = changedText(text, { do: 'set-flow', path: ['inputs', 'city', 'required'], value: false });
  expect(changed).toBe(text.replace('required: true', 'required: false'));
  expect(changedText(text, { do: 'set-flow', path: ['outputs', 'one'], value: 'x' })).toContain('one: "x"   # kept');
});

test('BB-53 BB-56 updates conditions in the input of a node', () => {
  const text = `flow: { name: A }
nodes:
  - { id: ask, type: echo, input: { text: x } }
  - { id: good, type: control.if, input: { condition: { and: [{ exists: ask.text }, { not: { equals: { var: ask.text, value: ask } } }] } } }
  - id: again
    type: control.loop
    input:
      body: [one]
      until: { equals: { var: one.text, value: "one" } } # kept
      while: { exists: ask }
  - { id: one, type: echo, input: { text: "{{?previous.one.text}}" } }
edges: [{ from: good, to: again, when: { equals: { var: good.condition, value: true } } }]
`;
  expect(changedText(text, { do: 'rename', id: 'ask', to: 'query' })).toBe(
    text
      .replaceAll('ask.text', 'query.text')
      .replace('id: ask', 'id: query')
      .replace('exists: ask }', 'exists: query }'),
  );
  expect(changedText(text, { do: 'rename', id: 'one', to: 'uno' })).toBe(
    text
      .replace('body: [one]', 'body: [uno]')
      .replace('var: one.text', 'var: uno.text')
      .replace('id: one', 'id: uno')
      .replace('previous.one', 'previous.uno'),
  );
});

test('BB-53 updates references to the previous and the last iteration of a loop, but not similar data', () => {
  const text = `flow: { name: A, outputs: { all: "{{again.last.one.text}} {{data.last.one}}" } }
nodes:
  - { id: data, type: constant, input: { value: 1 } }
  - { id: again, type: control.loop, input: { body: [one, inner], while: { exists: previous.one } } }
  - { id: one, type: echo, input: { text: "{{?previous.one.text}} {{?previous.two.one}}" } }
  - { id: inner, type: control.loop, input: { body: [two], until: { exists: two.one } } }
  - { id: two, type: echo, input: { text: '{{one.last.one}} {{?previous["two"].one}}' } }
  - { id: end, type: echo, input: { text: "{{again.iterations.0.outputs.inner.last.two.text}}" } }
edges: [{ from: data, to: again, when: { exists: data.last.one } }]
`;
  const renamed = (id: string, to: string): string => changedText(text, { do: 'rename', id, to });
  expect(renamed('one', 'uno')).toBe(
    text
      .replace('again.last.one.text', 'again.last.uno.text')
      .replace('body: [one, inner]', 'body: [uno, inner]')
      .replace('exists: previous.one', 'exists: previous.uno')
      .replace('id: one', 'id: uno')
      .replace('{{?previous.one.text}}', '{{?previous.uno.text}}')
      .replace('{{one.last.one}}', '{{uno.last.one}}'),
  );
  expect(renamed('two', 'duo')).toBe(
    text
      .replace('{{?previous.two.one}}', '{{?previous.duo.one}}')
      .replace('body: [two]', 'body: [duo]')
      .replace('exists: two.one', 'exists: duo.one')
      .replace('id: two', 'id: duo')
      .replace('previous["two"]', 'previous["duo"]')
      .replace('inner.last.two.text', 'inner.last.duo.text'),
  );
});

test('a template that reads the outputs of a loop follows the new name', () => {
  const template = (name: string): string =>
    `{{#each items}}{{this.outputs.${name}.text}} {{x.outputs.look}} this.outputs.look{{/each}}`;
  const root = (name: string) => ({
    flow: { name: 'F' },
    nodes: [
      { id: 'each', type: 'control.foreach', input: { items: [1], body: [name] } },
      { id: name, type: 'echo', input: { text: 'a' } },
      { id: 'list', type: 'template', input: { items: '{{each.items}}' }, config: { template: template(name) } },
    ],
    edges: [],
  });
  expect(renameNode(root('look'), { from: 'look', to: 'find' })).toEqual(root('find'));
});
