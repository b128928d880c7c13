import { expect, test } from 'vitest';
import { treeMove } from './tree-rows.ts';

const plain = { ctrlKey: false, metaKey: false, altKey: false, shiftKey: false };
const rows = [
  { level: 1, isExpanded: true },
  { level: 2, isExpanded: null },
  { level: 2, isExpanded: false },
  { level: 1, isExpanded: null },
];

function press(active: number, key: string): unknown {
  return treeMove(rows, active, { key, ...plain });
}

test('up, down, Home and End stay within the tree', () => {
  expect(press(0, 'ArrowUp')).toEqual({ do: 'go', index: 0 });
  expect(press(1, 'ArrowDown')).toEqual({ do: 'go', index: 2 });
  expect(press(3, 'ArrowDown')).toEqual({ do: 'go', index: 3 });
  expect([press(2, 'Home'), press(0, 'End')]).toEqual([
    { do: 'go', index: 0 },
    { do: 'go', index: 3 },
  ]);
});

test('right expands, then moves inside; left collapses, then moves outside', () => {
  expect(press(2, 'ArrowRight')).toEqual({ do: 'toggle', isExpanded: true });
  expect(press(0, 'ArrowRight')).toEqual({ do: 'go', index: 1 });
  expect(press(0, 'ArrowLeft')).toEqual({ do: 'toggle', isExpanded: false });
  expect(press(2, 'ArrowLeft')).toEqual({ do: 'go', index: 0 });
  expect(press(3, 'ArrowLeft')).toEqual({ do: 'go', index: 3 });
});

test('ignores keys with modifiers, which belong to commands', () => {
  expect(treeMove(rows, 0, { key: 'ArrowDown', ...plain, altKey: true })).toBeNull();
  expect(press(0, 'n')).toBeNull();
});
