import { describe, expect, test } from 'vitest';
import { createSelection, emptySelection, withoutDeletedElements } from '../../stores/window/selection.ts';
import { changeChoice, chooseAlone, selectChangesOf } from './canvas-selection.ts';

const ab = { ...emptySelection, nodes: new Set(['a', 'b']) };

describe('changeChoice', () => {
  test('adds and removes elements, separately for each kind', () => {
    const next = changeChoice(ab, [
      { part: 'nodes', id: 'a', selected: false },
      { part: 'edges', id: 'a->b', selected: true },
      { part: 'notes', id: 'n', selected: true },
    ]);
    expect([[...next.nodes], [...next.edges], [...next.notes]]).toEqual([['b'], ['a->b'], ['n']]);
  });

  test('does not modify the previous selection', () => {
    changeChoice(ab, [{ part: 'nodes', id: 'c', selected: true }]);
    expect([...ab.nodes]).toEqual(['a', 'b']);
  });
});

test('elements that the flow no longer contains are not selected', () => {
  const doc = { flow: { name: 'F' }, nodes: [{ id: 'a', type: 'echo', input: {} }], edges: [] } as const;
  const present = withoutDeletedElements(doc, { ...ab, edges: new Set(['a->b']), notes: new Set(['n']) });
  expect([[...present.nodes], [...present.edges], [...present.notes]]).toEqual([['a'], [], []]);
  const all = { ...emptySelection, nodes: new Set(['a']) };
  expect(withoutDeletedElements(doc, all)).toEqual(all);
});

test('notes and groups are distinguished from cards by their ids on the canvas', () => {
  const changes = selectChangesOf([
    { type: 'select', id: 'ask', selected: true },
    { type: 'select', id: 'note:why', selected: true },
    { type: 'select', id: 'group:prep', selected: false },
    { type: 'remove', id: 'ask' },
  ]);
  expect(changes).toEqual([
    { part: 'nodes', id: 'ask', selected: true },
    { part: 'notes', id: 'why', selected: true },
    { part: 'groups', id: 'prep', selected: false },
  ]);
});

describe('a plain click', () => {
  const chosen = { nodes: ['a', 'b'], edges: ['a->b'], notes: ['n'] };
  const leftAfter = (key: string) => {
    const selection = createSelection();
    selection.getState().choose('x', chosen);
    chooseAlone({ selection }, 'x', key);
    const { nodeId, chosen: left } = selection.getState().views.get('x')!;
    return { nodeId, nodes: [...left.nodes], edges: [...left.edges], notes: [...left.notes] };
  };

  test('on one of several selected cards selects only that card', () => {
    expect(leftAfter('b')).toEqual({ nodeId: 'b', nodes: ['b'], edges: [], notes: [] });
  });

  test('on a card that is not selected is handled by React Flow', () => {
    expect(leftAfter('c')).toEqual({ nodeId: 'b', nodes: ['a', 'b'], edges: ['a->b'], notes: ['n'] });
  });
});
