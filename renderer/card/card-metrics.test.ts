import { expect, test } from 'vitest';
import { zoomLevel } from './card-metrics.ts';

test.each([
  [2, 'near'],
  [0.71, 'near'],
  [0.69, 'near'],
  [0.68, 'middle'],
  [0.4, 'middle'],
  [0.39, 'far'],
  [0.25, 'far'],
  [0.24, 'farthest'],
  [0.05, 'farthest'],
] as const)('at zoom %s cards are shown at level %s', (zoom, level) => {
  expect(zoomLevel(zoom)).toBe(level);
});
