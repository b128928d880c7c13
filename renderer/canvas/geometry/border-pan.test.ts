import { expect, test } from 'vitest';
import { createBorderPan } from './border-pan.ts';

const frame = { getBoundingClientRect: () => new DOMRect(100, 50, 1000, 600) } as HTMLElement;

test('what is taken from the middle to a border moves the canvas there', () => {
  const panAt = createBorderPan(frame, { x: 500, y: 300 }, 4);
  expect(panAt({ x: 600, y: 300 })).toBeNull();
  expect(panAt({ x: 1090, y: 300 })).toEqual({ x: -10, y: 0 });
  expect(panAt({ x: 110, y: 60 })).toEqual({ x: 10, y: 10 });
  expect(panAt({ x: 500, y: 640 })).toEqual({ x: 0, y: -10 });
});

test('what begins beside a border leaves the canvas where it is, until it is taken nearer to it', () => {
  const panAt = createBorderPan(frame, { x: 1085, y: 300 }, 4);
  expect(panAt({ x: 1087, y: 304 })).toBeNull();
  expect(panAt({ x: 1080, y: 304 })).toBeNull();
  expect(panAt({ x: 1092, y: 304 })).toEqual({ x: -10, y: 0 });
});

test('what has been away from that border is as what began elsewhere', () => {
  const panAt = createBorderPan(frame, { x: 1085, y: 300 }, 4);
  expect(panAt({ x: 1000, y: 300 })).toBeNull();
  expect(panAt({ x: 1080, y: 300 })).toEqual({ x: -10, y: 0 });
});

test('what begins outside of the canvas moves it when it is taken further away', () => {
  const panAt = createBorderPan(frame, { x: 1110, y: 300 }, 4);
  expect(panAt({ x: 1112, y: 300 })).toBeNull();
  expect(panAt({ x: 1120, y: 300 })).toEqual({ x: -10, y: 0 });
});

test('without a canvas nothing moves', () => {
  expect(createBorderPan(null, { x: 0, y: 0 }, 4)({ x: 0, y: 0 })).toBeNull();
});
