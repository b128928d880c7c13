import { expect, test } from 'vitest';
import { baseNodeId, itemText, loopStepsOf, placeWith } from './node-places.ts';

test('a place tells the node of the file, the loops around it and their items', () => {
  expect(baseNodeId('each[3].inner[0].ask')).toBe('ask');
  expect(loopStepsOf('each[3].inner[0].ask')).toEqual([
    { loop: 'each', item: 3 },
    { loop: 'each[3].inner', item: 0 },
  ]);
  expect(itemText('each[3].inner[0].ask')).toBe('item 4, item 1');
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

test('items of nested loops are named from the outermost to the innermost', () => {
  const loops = new Map([
    ['each', { as: 'folder', total: 2, mostPasses: null }],
    ['each[0].inner', { as: 'mail', total: 3, mostPasses: null }],
  ]);
  expect(itemText('each[0].inner[1].ask', loops)).toBe('folder 1 of 2, mail 2 of 3');
});

test('a node outside of loops is its own place', () => {
  expect([baseNodeId('ask'), loopStepsOf('ask'), itemText('ask')]).toEqual(['ask', [], '']);
});

test('a chosen item takes the place of the one last at work', () => {
  const latest = 'each[3].inner[2].ask';
  expect(placeWith(latest, new Map())).toBe(latest);
  expect(placeWith(latest, new Map([['inner', 5]]))).toBe('each[3].inner[5].ask');
  expect(placeWith(latest, new Map([['each', 1]]))).toBe('each[1].inner[0].ask');
  expect(placeWith(latest, new Map([['each', 3]]))).toBe(latest);
});
