import { expect, test } from 'vitest';
import { pictureScale } from './export-picture.ts';

test('a picture has two pixels per pixel of the canvas, unless it would be too large', () => {
  expect(pictureScale({ width: 1000, height: 500 })).toBe(2);
  const [width, height] = [90_000, 40_000];
  const scale = pictureScale({ width, height });
  expect(width * scale).toBeLessThanOrEqual(16_000);
  expect(Math.floor(width * scale) * Math.floor(height * scale)).toBeLessThanOrEqual(48_000_000);
  expect(pictureScale({ width: 100, height: 32_000 })).toBe(0.5);
});
