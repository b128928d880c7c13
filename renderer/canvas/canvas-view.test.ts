import { describe, expect, test } from 'vitest';
import { isAtFit, zoomLevel } from './canvas-view.ts';

const fitted = { x: 10, y: 20, zoom: 0.5 };

describe('isAtFit', () => {
  test('holds until somebody moves', () => {
    expect(isAtFit({ viewport: null, fitted: null })).toBe(true);
    expect(isAtFit({ viewport: { ...fitted }, fitted })).toBe(true);
    expect(isAtFit({ viewport: { ...fitted, x: 11 }, fitted })).toBe(false);
    expect(isAtFit({ viewport: { ...fitted, zoom: 0.6 }, fitted })).toBe(false);
  });
});

test.each([
  [2, 'near'],
  [0.71, 'near'],
  [0.7, 'middle'],
  [0.4, 'middle'],
  [0.39, 'far'],
  [0.2, 'far'],
  [0.05, 'farthest'],
] as const)('at zoom %s cards are seen from %s', (zoom, level) => {
  expect(zoomLevel(zoom)).toBe(level);
});
