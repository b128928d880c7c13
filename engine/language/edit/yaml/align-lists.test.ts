import { expect, test } from 'vitest';
import { alignLists, type ItemPair } from './align-lists.ts';

const never = () => false;

test.each<[string, string, (number | undefined)[]]>([
  ['abc', 'abc', [0, 1, 2]],
  ['abc', 'xaby', [undefined, 0, 1, undefined]],
  ['abcd', 'cdab', [2, 3, undefined, undefined]],
  ['abcd', 'bxd', [1, undefined, 3]],
  ['', 'a', [undefined]],
  ['a', '', []],
])('of %s the items of %s are what they were, in order', (before, after, origins) => {
  expect(alignLists([...before], [...after], never)).toEqual(origins);
});

test('does not match a null item with one past the end', () => {
  expect(alignLists(['a'], [null, 'b'], never)).toEqual([undefined, undefined]);
});

test('matches an item with a changed one, and reports it as alone if nothing else was added or removed', () => {
  const asked: ItemPair[] = [];
  const mayBecome = (pair: ItemPair) => {
    asked.push(pair);
    return true;
  };
  expect(alignLists(['a', 'b', 'c'], ['a', 'x', 'c'], mayBecome)).toEqual([0, 1, 2]);
  expect(alignLists(['a', 'b', 'c'], ['a'], mayBecome)).toEqual([0]);
  expect(alignLists(['a', 'b'], ['x', 'y'], mayBecome)).toEqual([0, 1]);
  expect(asked).toEqual([
    { before: 'b', after: 'x', isAlone: true },
    { before: 'a', after: 'x', isAlone: false },
    { before: 'b', after: 'y', isAlone: false },
  ]);
});

test('in lists that are too long to compare all pairs, matches items by identity and in order', () => {
  const items = Array.from({ length: 3000 }, (_, index) => ({ index }));
  const [first, second, ...others] = items;
  const after = [{ index: -1 }, second!, ...others.slice(0, -1), first!, { index: -2 }];
  const origins = alignLists([...items, { index: -3 }], after, never);
  expect(origins).toEqual([undefined, ...others.map((_, index) => index + 1), undefined, undefined]);
});
