import { expect, test } from 'vitest';
import { baseNodeId, itemText, loopStepsOf, placeWith } from './node-places.ts';

test('a place tells the node of the file, the loops around it and their items', () => {
  expect(baseNodeId('each[3].inner[0].ask')).toBe('ask');
  expect(loopStepsOf('each[3].inner[0].ask')).toEqual([
    { loop: 'each', item: 3 },
    { loop: 'each[3].inner', item: 0 },
  ]);
  expect(itemText('each[3].inner[0].ask')).toBe('item 4.1');
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
