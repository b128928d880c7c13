import { describe, expect, test } from 'vitest';
import { type CardMap, neighbourOf, reachableFrom } from './neighbors.ts';

/**
 * a ─┬─ b ── d
 *    └─ c ───┘   e
 */
const map: CardMap = {
  positions: new Map([
    ['a', { x: 0, y: 0 }],
    ['b', { x: 304, y: 0 }],
    ['c', { x: 304, y: 100 }],
    ['d', { x: 608, y: 90 }],
    ['e', { x: 912, y: 100 }],
  ]),
  edges: ['a>b', 'a>c', 'b>d', 'c>d'].map((pair) => {
    const [source = '', target = ''] = pair.split('>');
    return { id: pair, source, target };
  }),
};

describe('neighbourOf', () => {
  test('follows edges sideways, to the card at the nearest height', () => {
    expect(neighbourOf(map, 'a', 'right')).toBe('b');
    expect(neighbourOf(map, 'd', 'left')).toBe('c');
  });

  test('does not go beyond the outermost cards', () => {
    expect(neighbourOf(map, 'd', 'right')).toBeUndefined();
    expect(neighbourOf(map, 'e', 'left')).toBeUndefined();
  });

  test('stays in the column when moving up and down', () => {
    expect(neighbourOf(map, 'b', 'down')).toBe('c');
    expect(neighbourOf(map, 'c', 'up')).toBe('b');
    expect(neighbourOf(map, 'c', 'down')).toBeUndefined();
  });

  test('returns nothing for a card that no longer exists', () => {
    expect(neighbourOf(map, 'gone', 'right')).toBeUndefined();
  });
});

describe('reachableFrom', () => {
  test('collects all cards after, or before, a card', () => {
    expect([...reachableFrom(map, 'b', 'right')]).toEqual(['b', 'd']);
    expect([...reachableFrom(map, 'd', 'left')].sort()).toEqual(['a', 'b', 'c', 'd']);
  });

  test('terminates in a cycle', () => {
    const circle = { ...map, edges: [...map.edges, { id: 'd>a', source: 'd', target: 'a' }] };
    expect(reachableFrom(circle, 'a', 'right').size).toBe(4);
  });
});
