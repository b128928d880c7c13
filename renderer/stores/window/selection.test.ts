import { expect, test } from 'vitest';
import { createSelection } from './selection.ts';

test('requesting the same position twice creates two requests', () => {
  const store = createSelection();
  store.getState().revealText('a', { line: 3, column: 1 });
  const first = store.getState().views.get('a')?.reveal;
  store.getState().revealText('a', { line: 3, column: 1 });
  const second = store.getState().views.get('a')?.reveal;
  expect(second).toEqual(first);
  expect(second).not.toBe(first);
});

test('revealing a text position opens the text beside the canvas, and keeps an open text view', () => {
  const store = createSelection();
  store.getState().revealText('a', { line: 1, column: 1 });
  store.getState().setMode('b', 'text');
  store.getState().revealText('b', { line: 1, column: 1 });
  expect(['a', 'b'].map((path) => store.getState().views.get(path)?.mode)).toEqual(['split', 'text']);
});

test('selecting the selected node again changes nothing', () => {
  const store = createSelection();
  store.getState().selectNode('a', 'n');
  const before = store.getState();
  store.getState().selectNode('a', 'n');
  expect(store.getState()).toBe(before);
});
