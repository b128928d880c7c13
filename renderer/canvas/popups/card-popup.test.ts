import { Position } from '@xyflow/react';
import { expect, test } from 'vitest';
import { shiftIntoView, sideWithRoom } from './card-popup.tsx';

const view = { width: 1000, height: 700 };
const card = { x: 400, y: 300, width: 200, height: 60 };

test.each([
  ['a free canvas', [], 'bottom'],
  ['a card below', [{ x: 400, y: 380, width: 200, height: 60 }], 'top'],
  [
    'cards below and above',
    [
      { x: 400, y: 380, width: 200, height: 60 },
      { x: 400, y: 200, width: 200, height: 60 },
    ],
    'right',
  ],
  [
    'cards on all sides but the left',
    [
      { x: 400, y: 380, width: 200, height: 60 },
      { x: 400, y: 200, width: 200, height: 60 },
      { x: 660, y: 300, width: 200, height: 60 },
    ],
    'left',
  ],
])('with %s the popup goes to the side where it covers none', (_, others, side) => {
  expect(sideWithRoom(card, others, view)).toBe(side);
});

test('covers other cards before it is cut off at the border', () => {
  const atBorder = { ...card, x: 820 };
  const around = [380, 200].map((y) => ({ x: 700, y, width: 300, height: 90 }));
  const left = { x: 560, y: 290, width: 240, height: 90 };
  expect(sideWithRoom(atBorder, [...around, left], view)).not.toBe('right');
  expect(sideWithRoom({ ...card, x: -20 }, [...around, left], view)).not.toBe('left');
});

test('stays within the view, even over another card', () => {
  const low = { ...card, y: 600 };
  expect(sideWithRoom(low, [{ x: 400, y: 500, width: 200, height: 60 }], view)).not.toBe('bottom');
  expect(sideWithRoom({ ...card, y: 10 }, [], view)).toBe('bottom');
});

test.each([
  ['in the middle', { x: 400, y: 300 }, Position.Bottom, 0],
  ['at the left border', { x: 10, y: 300 }, Position.Bottom, 48],
  ['partly out of view at the left', { x: -60, y: 300 }, Position.Top, 118],
  ['at the right border', { x: 790, y: 300 }, Position.Bottom, -48],
  ['at the top, with the popup beside it', { x: 400, y: 10 }, Position.Right, 58],
  ['at the foot, with the popup beside it', { x: 400, y: 640 }, Position.Left, -68],
])('a popup is entirely visible, even at a card %s', (_where, place, side, shift) => {
  expect(shiftIntoView({ ...place, width: 200, height: 60 }, side, view)).toBe(shift);
});
