import { describe, expect, test } from 'vitest';
import { gridStep } from './rect.ts';
import { snapRect } from './snap.ts';

const card = { width: 248, height: 60 };
const others = [{ x: 304, y: 100, ...card }];

describe('snapRect', () => {
  test('snaps to the grid if nothing is near', () => {
    expect(snapRect({ x: 9, y: -17, ...card }, [], { grid: gridStep, reach: 6 })).toEqual({
      x: 16,
      y: -16,
      guides: [],
    });
  });

  test('prefers alignment with a nearby card over the grid, and shows the guide', () => {
    const { x, y, guides } = snapRect({ x: 3, y: 103, ...card }, others, { grid: gridStep, reach: 6 });
    expect([x, y]).toEqual([0, 100]);
    expect(guides).toEqual([{ axis: 'y', at: 100, from: 0, to: 552 }]);
  });

  test('snaps to the nearest of several lines', () => {
    const near = [...others, { x: 700, y: 105, ...card }];
    expect(snapRect({ x: 0, y: 104, ...card }, near, { grid: null, reach: 6 }).y).toBe(105);
  });

  test('moves freely without grid and guides', () => {
    expect(snapRect({ x: 3.5, y: 103, ...card }, others, { grid: null, reach: 0 })).toEqual({
      x: 3.5,
      y: 103,
      guides: [],
    });
  });

  test('also aligns centers and opposite borders', () => {
    const { x, guides } = snapRect({ x: 361, y: 300, width: 130, height: 60 }, others, { grid: null, reach: 6 });
    expect(x).toBe(363);
    expect(guides[0]).toMatchObject({ axis: 'x', at: 428, from: 100, to: 360 });
  });
});
