import { describe, expect, test } from 'vitest';
import { isInView, overhangOf, shiftToShow } from './still-view.ts';

const size = { width: 800, height: 600 };
const at = (x: number, y: number, zoom = 1) => ({ x, y, zoom });
const card = (x: number, y: number) => ({ x, y, width: 240, height: 100 });

describe('moving the view as little as possible to show a card', () => {
  test.each([
    ['in the middle', card(300, 200), at(0, 0), null],
    ['at the border', card(0, 0), at(0, 0), null],
    ['half of it beyond the right border', card(680, 200), at(0, 0), null],
    ['half of it above', card(300, -50), at(0, 0), null],
    ['less than half of it at the right', card(700, 200), at(0, 0), { x: 800 - 24 - 940, y: 0 }],
    ['out of view at the right', card(1000, 200), at(0, 0), { x: 800 - 24 - 1240, y: 0 }],
    ['out of view at the left', card(-400, 200), at(0, 0), { x: 424, y: 0 }],
    ['out of view below', card(300, 900), at(0, 0), { x: 0, y: 600 - 24 - 1000 }],
    ['out of view at a corner', card(-400, -300), at(0, 0), { x: 424, y: 324 }],
    ['at half the size', card(1000, 200), at(0, 0, 0.5), null],
    ['in a view that was moved', card(300, 200), at(-600, 0), { x: 324, y: 0 }],
  ])('%s, if half of it is enough', (_where, rect, viewport, shift) => {
    expect(shiftToShow(rect, viewport, { size, enough: 0.5 })).toEqual(shift);
  });

  test.each([
    ['all of it in view', card(300, 200), null],
    ['a part beyond the right border', card(680, 200), { x: 800 - 24 - 920, y: 0 }],
    ['a part above', card(300, -50), { x: 0, y: 74 }],
    ['at the border, where its plus is cut', card(555, 200), { x: -19, y: 0 }],
  ])('if all of it must be visible: %s', (_where, rect, shift) => {
    expect(shiftToShow(rect, at(0, 0), { size, enough: 1 })).toEqual(shift);
  });

  test('a new card leaves room for the tools at its right', () => {
    const options = { size, enough: 1, after: 40 };
    expect(shiftToShow(card(520, 200), at(0, 0), options)).toBeNull();
    expect(shiftToShow(card(536, 200), at(0, 0), options)).toEqual({ x: -16, y: 0 });
  });

  test('a card that is larger than the canvas does not move the view', () => {
    const large = { x: -100, y: -100, width: 2000, height: 2000 };
    expect(shiftToShow(large, at(0, 0), { size, enough: 1 })).toBeNull();
    expect(shiftToShow({ ...large, x: 700 }, at(0, 0), { size, enough: 1 })).toEqual({ x: 24 - 700, y: 0 });
  });
});

test.each([
  ['inside', card(10, 10), 0],
  ['beyond the left border', card(-30, 10), 30],
  ['beyond the bottom', card(10, 580), 80],
  ['at two sides', { x: -10, y: 0, width: 900, height: 50 }, 90],
])('a flow that is %s overhangs by that amount', (_where, rect, overhang) => {
  expect(overhangOf(rect, at(0, 0), size)).toBe(overhang);
});

test.each([
  ['in the middle', card(300, 200), at(0, 0), true],
  ['a strip at the right border', card(770, 200), at(0, 0), true],
  ['a line at the right border', card(790, 200), at(0, 0), false],
  ['left of the canvas', card(0, 0), at(-662, 121), false],
  ['below the canvas', card(300, 900), at(0, 0), false],
  ['below it, in a view from afar', card(300, 900), at(0, 0, 0.5), true],
])('whether a part is visible: %s', (_where, rect, viewport, seen) => {
  expect(isInView(rect, viewport, size)).toBe(seen);
});
