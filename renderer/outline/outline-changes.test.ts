import { expect, test } from 'vitest';
import { applyEdits, editFlow, type FlowChange, hasErrors } from '../../engine/isomorphic.ts';
import { checkText } from '../stores/text/check.ts';
import {
  addition,
  continuing,
  disabling,
  duplication,
  type FlowContent,
  type MadeChange,
  removal,
  succeeding,
} from './outline-changes.ts';

const text = `flow: { name: F }
nodes:
  - { id: a, type: quote, input: { text: hi } }
  - { id: each, type: control.foreach, input: { items: [1], as: item, body: [inner] } }
  - { id: inner, type: echo, input: { text: "{{item}}" } }
edges:
  - { from: a, to: each }
`.replace('type: quote', 'type: echo');

function partsOf(source: string): FlowContent {
  const { doc, nesting } = checkText(source);
  if (doc === null) throw new Error('The test has no flow');
  return { doc, nesting };
}

/** Returns the text after a change, which must be a valid flow. */
function after(made: MadeChange | null): string {
  const edit = editFlow(text, made?.change as FlowChange);
  if (!edit.ok) throw new Error(edit.error.message);
  const next = applyEdits(text, edit.edits);
  expect(hasErrors(checkText(next).diagnostics)).toBe(false);
  return next;
}

function shape(source: string): unknown {
  const { doc, nesting } = partsOf(source);
  return [
    doc.nodes.map(({ id }) => id),
    doc.edges.map(({ from, to }) => `${from} ${to}`),
    Object.fromEntries(nesting.bodyOf),
  ];
}

test('a node is added after another one and uses its output', () => {
  const made = addition(partsOf(text), 'prompt', { near: 'a', where: 'behind', models: null });
  expect(made?.ids).toEqual(['prompt']);
  expect(shape(after(made))).toEqual([['a', 'prompt', 'each', 'inner'], ['a each', 'a prompt'], { each: ['inner'] }]);
  expect(after(made)).toContain('{{a.text}}');
});

test('a node added after a node in a body joins the body, like a node added inside a loop', () => {
  const behind = addition(partsOf(text), 'echo', { near: 'inner', where: 'behind', models: null });
  expect(shape(after(behind))).toEqual([
    ['a', 'each', 'inner', 'echo'],
    ['a each', 'inner echo'],
    { each: ['inner', 'echo'] },
  ]);
  const inside = addition(partsOf(text), 'echo', { near: 'each', where: 'inside', models: null });
  expect(shape(after(inside))).toMatchObject([expect.anything(), ['a each'], { each: ['inner', 'echo'] }]);
});

test('nodes are disabled together and enabled together', () => {
  const ids = new Set(['a', 'each']);
  const disabled = after(disabling(partsOf(text), ids));
  expect(partsOf(disabled).doc.nodes.map((node) => node.disabled ?? false)).toEqual([true, true, false]);
  expect(disabling(partsOf(disabled), ids).change).toMatchObject({ label: 'Enable 2 nodes' });
});

test('the node after a removed one is selected', () => {
  expect(removal(partsOf(text), new Set(['a']), false).ids).toEqual(['each']);
  expect(removal(partsOf(text), new Set(['inner']), true).ids).toEqual(['each']);
});

test('a copy has a new id and the incoming edges of the original', () => {
  expect(shape(after(duplication(partsOf(text), new Set(['inner']))))).toMatchObject([
    ['a', 'each', 'inner', 'inner_2'],
    ['a each'],
    { each: ['inner', 'inner_2'] },
  ]);
});

test('a copy of a loop has a copied body', () => {
  const made = duplication(partsOf(text), new Set(['each']));
  expect(shape(after(made))).toMatchObject([
    ['a', 'each', 'inner', 'each_2', 'inner_2'],
    ['a each', 'a each_2'],
    { each: ['inner'], each_2: ['inner_2'] },
  ]);
  expect(made?.change).toMatchObject({ label: 'Duplicate 2 nodes' });
});

test('a new prompt uses the model of the other prompts in the flow, or else the default of the workspace', () => {
  const models = { defaultModel: null, used: ['scripted::talk.yaml'] };
  const configOf = (source: string) => {
    const made = addition(partsOf(source), 'prompt', { near: null, where: 'alone', models });
    const [add] = made?.change.do === 'all' ? made.change.changes : [];
    return add?.do === 'add' ? add.nodes[0]?.config : undefined;
  };
  const asking = `flow: { name: F }
nodes: [{ id: a, type: prompt, input: { prompt: hi }, config: { model: "a::b" } }]
edges: []`;
  expect(configOf(asking)).toEqual({ model: 'a::b' });
  expect(configOf('flow: { name: F }\nnodes: [{ id: a, type: echo, input: { text: hi } }]\nedges: []')).toEqual({
    model: 'scripted::talk.yaml',
  });
});

test('a new node in a loop is bound to the item', () => {
  const loop = `flow: { name: F, input: { notes: [{ text: one }] } }
nodes: [{ id: each, type: control.foreach, input: { items: "{{flow.input.notes}}", as: note, body: [] } }]
edges: []`;
  const made = addition(partsOf(loop), 'prompt', { near: 'each', where: 'inside', models: null });
  const [add] = made?.change.do === 'all' ? made.change.changes : [];
  expect(add?.do === 'add' ? add.nodes[0]?.input : undefined).toEqual({
    prompt: 'Summarize this in one sentence:\n\n{{note.text}}',
  });
});

test('BB-50 a node for the failure of another one handles it, and lets the flow continue', () => {
  const made = addition(partsOf(text), 'echo', { near: 'inner', where: 'failed', models: null });
  const next = after(made);
  expect(next).toContain('{ from: inner, to: echo, when: { equals: { var: inner.failed, value: true } } }');
  expect(next).toContain('input: { text: "{{inner.error.message}}" }');
  expect(next).toContain('{ id: inner, type: echo, input: { text: "{{item}}" }, policy: { continueOnError: true } }');
  expect(shape(next)).toEqual([['a', 'each', 'inner', 'echo'], ['a each', 'inner echo'], { each: ['inner', 'echo'] }]);
});

test('BB-50 toggles whether the flow continues after a failed node, and whether its edges are only taken on success', () => {
  expect(after(continuing(partsOf(text), new Set(['a'])))).toContain(
    'input: { text: hi }, policy: { continueOnError: true } }',
  );
  expect(after(succeeding(partsOf(text), new Set(['a'])))).toContain(
    '{ from: a, to: each, when: { not: { equals: { var: a.failed, value: true } } } }',
  );
  expect(succeeding(partsOf(text), new Set(['each']))).toBeNull();
});
