import { describe, expect, test } from 'vitest';
import { freePlace, placeBefore, placeBehind, placeBetween } from './add-change.ts';

const size = { width: 248, height: 60 };
const box = (id: string, x: number, y: number) => ({ id, x, y, ...size });
const room = (...boxes: ReturnType<typeof box>[]) => ({ boxes, direction: 'right', ...size }) as const;

describe('placement of new cards', () => {
  test('is after a card, on the same line', () => {
    const a = box('a', 0, 0);
    expect(placeBehind(a, room(a))).toEqual({ x: 304, y: 0 });
    expect(placeBehind(a, { ...room(a), direction: 'down' })).toEqual({ x: 0, y: 116 });
    expect(placeBefore(a, room(a))).toEqual({ x: -304, y: 0 });
  });

  test('moves aside until nothing is covered', () => {
    const [a, b, c] = [box('a', 0, 0), box('b', 304, 10), box('c', 304, 94)];
    expect(placeBehind(a, room(a, b, c))).toEqual({ x: 304, y: 178 });
    expect(freePlace({ x: 10.4, y: 2000 }, room(a, b, c))).toEqual({ x: 10, y: 2000 });
  });

  test('makes room between two cards by moving the cards after them', () => {
    const [a, b, c, d] = [box('a', 0, 0), box('b', 304, 0), box('c', 608, 0), box('d', 608, 400)];
    const { place, moved } = placeBetween(a, b, new Set(['b', 'c']), room(a, b, c, d));
    expect(place).toEqual({ x: 304, y: 0 });
    expect(Object.fromEntries(moved)).toEqual({ b: { x: 608, y: 0 }, c: { x: 912, y: 0 } });
  });

  test('also moves cards that a moved card would overlap', () => {
    const [a, b, other, far] = [box('a', 0, 0), box('b', 304, 0), box('other', 560, 20), box('far', 820, 0)];
    const { moved } = placeBetween(a, b, new Set(['b']), room(a, b, other, far));
    expect(Object.fromEntries(moved)).toEqual({
      b: { x: 608, y: 0 },
      other: { x: 864, y: 20 },
      far: { x: 1124, y: 0 },
    });
  });

  test('moves nothing if there is room', () => {
    const [a, b] = [box('a', 0, 0), box('b', 900, 40)];
    const { place, moved } = placeBetween(a, b, new Set(['b']), room(a, b));
    expect(place).toEqual({ x: 450, y: 0 });
    expect(moved.size).toBe(0);
  });
});
