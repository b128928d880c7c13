import { describe, expect, test } from 'vitest';
import { placeWindow } from './window-bounds.ts';

const laptop = { x: 0, y: 25, width: 1280, height: 775 };
const wall = { x: 1280, y: 0, width: 2560, height: 1440 };
const remembered = { x: 1500, y: 200, width: 1600, height: 1000, isMaximized: false };

describe('a window appears', () => {
  test('at the first start centered, 1440 x 900 or as large as the screen allows', () => {
    expect(placeWindow(undefined, { workAreas: [wall], openWindows: 0 })).toEqual({ width: 1440, height: 900 });
    expect(placeWindow(undefined, { workAreas: [laptop], openWindows: 0 })).toEqual({ width: 1280, height: 775 });
  });

  test('later where it was, on any screen', () => {
    const { isMaximized: _, ...place } = remembered;
    expect(placeWindow(remembered, { workAreas: [laptop, wall], openWindows: 0 })).toEqual(place);
  });

  test('in the center of the first screen if its own is gone, and not larger than that screen', () => {
    expect(placeWindow(remembered, { workAreas: [laptop], openWindows: 0 })).toEqual({ width: 1280, height: 775 });
  });

  test.each([
    ['above the screen, out of reach', { x: 100, y: -400 }],
    ['below the screen', { x: 100, y: 780 }],
    ['with a sliver left at the side', { x: 1270, y: 100 }],
  ])('in the center if it was %s', (_case, corner) => {
    const place = placeWindow(
      { ...remembered, ...corner, width: 1000, height: 700 },
      { workAreas: [laptop], openWindows: 0 },
    );
    expect(place).toEqual({ width: 1000, height: 700 });
  });

  test('next to the window it would cover', () => {
    expect(placeWindow(remembered, { workAreas: [laptop, wall], openWindows: 2 })).toMatchObject({ x: 1556, y: 256 });
  });

  test('never smaller than 900 x 600', () => {
    const small = { ...remembered, width: 300, height: 200 };
    expect(placeWindow(small, { workAreas: [wall], openWindows: 0 })).toMatchObject({ width: 900, height: 600 });
  });
});
