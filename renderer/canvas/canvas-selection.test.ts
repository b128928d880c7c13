import { describe, expect, test } from 'vitest';
import { changeSelection } from './canvas-selection.ts';

const none = { ids: new Set<string>(), primary: null };

describe('changeSelection', () => {
  test('shows the card that was clicked', () => {
    expect(changeSelection(none, [{ id: 'a', selected: true }])).toEqual({ ids: new Set(['a']), primary: 'a' });
  });

  test('keeps showing a card while others are added', () => {
    const before = { ids: new Set(['a']), primary: 'a' };
    expect(changeSelection(before, [{ id: 'b', selected: true }])).toEqual({ ids: new Set(['a', 'b']), primary: 'a' });
  });

  test('shows another selected card when the one shown is left out', () => {
    const before = { ids: new Set(['a', 'b']), primary: 'a' };
    expect(changeSelection(before, [{ id: 'a', selected: false }])).toEqual({ ids: new Set(['b']), primary: 'b' });
  });

  test('shows none when nothing is selected', () => {
    const before = { ids: new Set(['a']), primary: 'a' };
    expect(changeSelection(before, [{ id: 'a', selected: false }])).toEqual(none);
  });
});
