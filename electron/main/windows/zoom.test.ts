import { expect, test } from 'vitest';
import { nextZoom, type ZoomAction } from './zoom.ts';

test.each<[number, ZoomAction, number]>([
  [1, { change: 'in' }, 1.1],
  [1, { change: 'out' }, 0.9],
  [1.3, { change: 'in' }, 1.5],
  [1.3, { change: 'out' }, 1.25],
  [2, { change: 'in' }, 2],
  [0.5, { change: 'out' }, 0.5],
  [1.75, { change: 'reset' }, 1],
  [1, { factor: 1.4 }, 1.4],
  [1.4, {}, 1.4],
])('from %d, %j leads to %d', (present, wish, next) => {
  expect(nextZoom(present, wish)).toBe(next);
});
