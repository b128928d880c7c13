import { describe, expect, test } from 'vitest';
import { arrange } from './arrange.ts';
import { boundsOf, type CardRect } from './rect.ts';

const boxes: readonly CardRect[] = [
  { id: 'a', x: 0, y: 0, width: 100, height: 40 },
  { id: 'b', x: 150, y: 90, width: 100, height: 80 },
  { id: 'c', x: 500, y: 30, width: 100, height: 40 },
];

function places(to: Parameters<typeof arrange>[1], of = boxes): Record<string, unknown> {
  return Object.fromEntries(arrange(of, to));
}

describe('arrange', () => {
  test.each([
    ['left', { b: { x: 0, y: 128 }, c: { x: 0, y: 64 } }],
    ['right', { a: { x: 500, y: 0 }, b: { x: 500, y: 128 }, c: { x: 500, y: 64 } }],
    ['top', { b: { x: 150, y: 0 }, c: { x: 500, y: 0 } }],
    ['bottom', { a: { x: 0, y: 130 }, c: { x: 500, y: 130 } }],
    ['centre', { a: { x: 250, y: 0 }, b: { x: 250, y: 128 }, c: { x: 250, y: 64 } }],
    ['middle', { a: { x: 0, y: 65 }, b: { x: 150, y: 45 }, c: { x: 500, y: 65 } }],
  ] as const)('%s', (to, expected) => {
    expect(places(to)).toEqual(expected);
  });

  test('moves aligned boxes along the line, in their order, so that they do not overlap', () => {
    const row: readonly CardRect[] = [0, 150, 300].map((x, index) => ({
      id: 'abc'[index]!,
      x,
      y: index,
      width: 100,
      height: 40,
    }));
    expect(places('left', row)).toEqual({ b: { x: 0, y: 64 }, c: { x: 0, y: 128 } });
    expect(places('top', row)).toEqual({ b: { x: 150, y: 0 }, c: { x: 300, y: 0 } });
    const column: readonly CardRect[] = row.map((box) => ({ ...box, x: box.y, y: box.x }));
    expect(places('top', column)).toEqual({ b: { x: 124, y: 0 }, c: { x: 248, y: 0 } });
  });

  test('does not align a box over one that is not selected', () => {
    const other = { x: 0, y: 80, width: 100, height: 40 };
    expect(Object.fromEntries(arrange(boxes, 'left', [other]))).toEqual({ b: { x: 0, y: 208 }, c: { x: 0, y: 144 } });
  });

  test('distributes boxes with even gaps, and keeps the outer ones in place', () => {
    expect(places('spread-across')).toEqual({ b: { x: 250, y: 90 } });
    expect(places('spread-down')).toEqual({ c: { x: 500, y: 45 } });
  });

  test('requires two boxes to align and three to distribute', () => {
    expect(places('left', boxes.slice(0, 1))).toEqual({});
    expect(places('spread-across', boxes.slice(0, 2))).toEqual({});
  });
});

test('boundsOf returns null for an empty list', () => {
  expect(boundsOf([])).toBeNull();
  expect(boundsOf(boxes)).toEqual({ x: 0, y: 0, width: 600, height: 170 });
});
