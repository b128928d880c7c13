import { expect, test } from 'vitest';
import { createCallPlaces } from './call-places.ts';

/** What the file holds after the calls were asked in that order. */
function sortedBy(known: readonly string[], asked: readonly string[]): string[] {
  const places = createCallPlaces(known);
  const lines = asked.map((key, order) => ({ key: `${key}${order}`, order, place: places.next(key) }));
  return lines.sort((a, b) => a.place - b.place || a.order - b.order).map(({ key }) => key);
}

test('without a former file, calls stand in the order of asking', () => {
  expect(sortedBy([], ['b', 'a', 'b'])).toEqual(['b0', 'a1', 'b2']);
});

test('calls that swap keep their former order', () => {
  expect(sortedBy(['a', 'b', 'c'], ['b', 'a', 'c'])).toEqual(['a1', 'b0', 'c2']);
});

test('a new call stands behind the one that was asked before it', () => {
  expect(sortedBy(['a', 'b', 'c'], ['a', 'new', 'c'])).toEqual(['a0', 'new1', 'c2']);
  expect(sortedBy(['a', 'b'], ['new', 'a', 'b'])).toEqual(['new0', 'a1', 'b2']);
});

test('equal calls never change their order', () => {
  expect(sortedBy(['b', 'a', 'a'], ['a', 'a', 'b', 'a'])).toEqual(['b2', 'a0', 'a1', 'a3']);
});
