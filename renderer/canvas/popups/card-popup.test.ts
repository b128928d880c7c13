import { expect, test } from 'vitest';
import { sideWithRoom } from './card-popup.tsx';

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
])('with %s the popup goes to the side where it hides none', (_, others, side) => {
  expect(sideWithRoom(card, others, view)).toBe(side);
});

test('it stays in the view, even over another card', () => {
  const low = { ...card, y: 600 };
  expect(sideWithRoom(low, [{ x: 400, y: 500, width: 200, height: 60 }], view)).not.toBe('bottom');
  expect(sideWithRoom({ ...card, y: 10 }, [], view)).toBe('bottom');
});
