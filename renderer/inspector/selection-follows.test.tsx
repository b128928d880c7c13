import { act } from 'react';
import { afterEach, expect, test } from 'vitest';
import type { FlowChange } from '../../engine/isomorphic.ts';
import { renamedNode } from '../stores/follow-selection.ts';
import { field, path, show, window } from './testing/test-inspector.tsx';

afterEach(() => window.close());

const shownText = (): string => document.querySelector('aside')?.textContent ?? '';
const view = () => window.stores.selection.getState().views.get(path);
const chosen = (): string[] => [...(view()?.chosen.nodes ?? [])];
const textNow = (): string => window.stores.openFiles.getState().files.get(path)?.text ?? '';

async function change(wanted: FlowChange): Promise<void> {
  await act(async () => void (await window.stores.edits.change(path, wanted)));
  await window.settle();
}

async function step(what: 'undo' | 'redo'): Promise<void> {
  act(() => window.stores.edits[what](path));
  await window.settle();
}

/** Selects nodes like a click or a box does. */
function select(...nodes: string[]): void {
  act(() => window.stores.selection.getState().choose(path, { nodes }));
}

async function expectFlowForm(): Promise<void> {
  await window.until(() => {
    expect([view()?.nodeId, chosen()]).toEqual([null, []]);
    expect(shownText()).toContain('6 nodes');
    expect(shownText()).not.toContain('No node');
  });
}

test('the form of the flow is shown after the undo of an added node, and also after the redo', async () => {
  await show(null);
  await change({ do: 'add', nodes: [{ id: 'new', type: 'echo', input: { text: 'x' } }] });
  select('new');
  await step('undo');
  await expectFlowForm();
  await step('redo');
  await window.until(() => expect(shownText()).toContain('7 nodes'));
  expect([view()?.nodeId, shownText().includes('No node')]).toEqual([null, false]);
});

test('the redo of a deletion leaves nothing selected', async () => {
  await show(null);
  await change({ do: 'remove', nodes: ['odd'], edges: [] });
  await step('undo');
  select('odd');
  await step('redo');
  await window.until(() => expect([view()?.nodeId, chosen()]).toEqual([null, []]));
  expect(shownText()).not.toContain('No node');
});

test('a node that is removed in the text is deselected', async () => {
  await show('odd');
  const without = textNow().replace(/ {2}- id: odd\n.*\n.*\n/, '');
  act(() => window.stores.edits.replace(path, without, 'Paste'));
  await window.until(() => expect(view()?.nodeId).toBeNull());
  expect(shownText()).not.toContain('No node');
});

test('of several selected nodes, those that still exist stay selected', async () => {
  await show(null);
  select('ask', 'after', 'odd');
  await change({ do: 'remove', nodes: ['odd'], edges: [] });
  expect([chosen(), view()?.nodeId]).toEqual([['ask', 'after'], 'after']);
});

test('text that is temporarily not a flow does not change the selection', async () => {
  await show('ask');
  act(() => window.stores.edits.replace(path, `${textNow()}\n  ]broken`, 'Typing'));
  await window.settle();
  expect(chosen()).toEqual(['ask']);
});

test('a node that is renamed in the text stays selected under its new id, also after an undo', async () => {
  await show('ask');
  act(() => window.stores.edits.replace(path, textNow().replace('id: ask ', 'id: question '), 'Typing'));
  await window.until(() => expect([view()?.nodeId, field('ID').value]).toEqual(['question', 'question']));
  await step('undo');
  await window.until(() => expect([view()?.nodeId, field('ID').value]).toEqual(['ask', 'ask']));
});

test('a node that is renamed in a form stays selected through undo and redo', async () => {
  await show('ask');
  await change({ do: 'rename', id: 'ask', to: 'question' });
  expect(view()?.nodeId).toBe('question');
  await step('undo');
  await window.until(() => expect(view()?.nodeId).toBe('ask'));
  await step('redo');
  await window.until(() => expect(view()?.nodeId).toBe('question'));
});

type Rough = readonly [id: string, type: string][];
test.each<{ what: string; before: Rough; now: Rough; found: string | undefined }>([
  { what: 'one new id', before: [['a', 'echo']], now: [['b', 'echo']], found: 'a b' },
  { what: 'another type', before: [['a', 'echo']], now: [['b', 'prompt']], found: undefined },
  {
    what: 'a node more',
    before: [['a', 'echo']],
    now: [
      ['b', 'echo'],
      ['c', 'echo'],
    ],
    found: undefined,
  },
  {
    what: 'a node less',
    before: [
      ['a', 'echo'],
      ['b', 'echo'],
    ],
    now: [['b', 'echo']],
    found: undefined,
  },
  {
    what: 'two new ids',
    before: [
      ['a', 'echo'],
      ['b', 'echo'],
    ],
    now: [
      ['c', 'echo'],
      ['d', 'echo'],
    ],
    found: undefined,
  },
  {
    what: 'another order',
    before: [
      ['a', 'echo'],
      ['b', 'echo'],
    ],
    now: [
      ['b', 'echo'],
      ['a', 'echo'],
    ],
    found: undefined,
  },
  {
    what: 'an id that another node has',
    before: [
      ['a', 'echo'],
      ['b', 'echo'],
    ],
    now: [
      ['b', 'echo'],
      ['b', 'echo'],
    ],
    found: undefined,
  },
  { what: 'nothing new', before: [['a', 'echo']], now: [['a', 'echo']], found: undefined },
])('$what is taken for a rename only when it can be nothing else', ({ before, now, found }) => {
  const doc = (nodes: Rough) => ({
    flow: { name: 'F' },
    nodes: nodes.map(([id, type]) => ({ id, type, input: {} })),
    edges: [],
  });
  const rename = renamedNode(doc(before), doc(now));
  expect(rename && `${rename.from} ${rename.to}`).toBe(found);
});

test('the form of a dragged element is shown when it is dropped', async () => {
  await show('odd');
  const { canvases } = window.stores;
  const before = shownText();
  act(() => {
    select('fetch');
    canvases.setState({ isDragging: true });
  });
  expect(shownText()).toBe(before);
  act(() => canvases.setState({ isDragging: false }));
  expect([chosen(), shownText() === before]).toEqual([['fetch'], false]);
});
