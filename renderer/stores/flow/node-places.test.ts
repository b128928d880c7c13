import { expect, test } from 'vitest';
import { itemText, placeWith } from './node-places.ts';

test('the items on the way to a place are named, and none outside of loops', () => {
  expect(itemText('each[3].inner[0].ask')).toBe('item 4, item 1');
  expect(itemText('ask')).toBe('');
});

test.each([
  ['each[1].ask', { as: 'mail', total: 3, mostPasses: null }, 'mail 2 of 3'],
  ['each[1].ask', { as: null, total: 3, mostPasses: null }, 'item 2 of 3'],
  ['each[1].ask', { as: 'mail', total: null, mostPasses: null }, 'mail 2'],
  ['each[0].ask', { as: null, total: null, mostPasses: 9 }, 'pass 1'],
  ['each[0].ask', undefined, 'item 1'],
])('the item of %s in a loop of %j is %s', (place, loop, words) => {
  expect(itemText(place, new Map(loop === undefined ? [] : [['each', loop]]))).toBe(words);
});

test('items of nested loops are listed from the outermost to the innermost', () => {
  const loops = new Map([
    ['each', { as: 'folder', total: 2, mostPasses: null }],
    ['each[0].inner', { as: 'mail', total: 3, mostPasses: null }],
  ]);
  expect(itemText('each[0].inner[1].ask', loops)).toBe('folder 1 of 2, mail 2 of 3');
});

test('a selected item replaces the one that ran last', () => {
  const latest = 'each[3].inner[2].ask';
  expect(placeWith(latest, new Map())).toBe(latest);
  expect(placeWith(latest, new Map([['inner', 5]]))).toBe('each[3].inner[5].ask');
  expect(placeWith(latest, new Map([['each', 1]]))).toBe('each[1].inner[0].ask');
  expect(placeWith(latest, new Map([['each', 3]]))).toBe(latest);
});
