import { expect, test } from 'vitest';
import { createBorderPan } from './border-pan.ts';

const frame = { getBoundingClientRect: () => new DOMRect(100, 50, 1000, 600) } as HTMLElement;

test('dragging from the middle to a border pans the canvas in that direction', () => {
  const panAt = createBorderPan(frame, { x: 500, y: 300 }, 4);
  expect(panAt({ x: 600, y: 300 })).toBeNull();
  expect(panAt({ x: 1090, y: 300 })).toEqual({ x: -10, y: 0 });
  expect(panAt({ x: 110, y: 60 })).toEqual({ x: 10, y: 10 });
  expect(panAt({ x: 500, y: 640 })).toEqual({ x: 0, y: -10 });
});

test('a drag that starts at a border does not pan until it moves closer to it', () => {
  const panAt = createBorderPan(frame, { x: 1085, y: 300 }, 4);
  expect(panAt({ x: 1087, y: 304 })).toBeNull();
  expect(panAt({ x: 1080, y: 304 })).toBeNull();
  expect(panAt({ x: 1092, y: 304 })).toEqual({ x: -10, y: 0 });
});

test('a drag that has left a border pans when it returns', () => {
  const panAt = createBorderPan(frame, { x: 1085, y: 300 }, 4);
  expect(panAt({ x: 1000, y: 300 })).toBeNull();
  expect(panAt({ x: 1080, y: 300 })).toEqual({ x: -10, y: 0 });
});

test('a drag that starts outside of the canvas pans when it moves further away', () => {
  const panAt = createBorderPan(frame, { x: 1110, y: 300 }, 4);
  expect(panAt({ x: 1112, y: 300 })).toBeNull();
  expect(panAt({ x: 1120, y: 300 })).toEqual({ x: -10, y: 0 });
});

test('nothing moves without a canvas', () => {
  expect(createBorderPan(null, { x: 0, y: 0 }, 4)({ x: 0, y: 0 })).toBeNull();
});
