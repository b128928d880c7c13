import { expect, test } from 'vitest';
import { inputLabelOf } from './input-label.ts';

test.each([
  ['a text', 'a text'],
  ['  first  \n second', 'first'],
  ['x'.repeat(100), `${'x'.repeat(79)}…`],
  ['x'.repeat(80), 'x'.repeat(80)],
  ['😀'.repeat(80), '😀'.repeat(80)],
  ['😀'.repeat(90), `${'😀'.repeat(79)}…`],
  [7, '7'],
  [false, 'false'],
  [{ _display: 'shown', path: 'a.md' }, 'shown'],
  [{ name: 'n', path: 'a.md' }, 'a.md'],
  [{ name: 'n', path: 7 }, 'n'],
  [{ _label: 'l' }, 'l'],
])('the label of %j is %j', (input, label) => {
  expect(inputLabelOf(input)).toBe(label);
});

test.each([[null], [''], [' \n '], [['a']], [{}], [{ other: 'x' }]])('%j has no label', (input) => {
  expect(inputLabelOf(input)).toBeUndefined();
});
