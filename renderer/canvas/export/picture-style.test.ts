import { expect, test } from 'vitest';
import { mixColors } from './picture-style.tsx';

test('mixes colors in short and long notation, and returns unknown ones unchanged', () => {
  expect(mixColors('#ff0000', '#0000ff', 0.5)).toBe('#800080');
  expect(mixColors('#fff', '#000', 0.2)).toBe('#333333');
  expect(mixColors('Canvas', '#000', 0.2)).toBe('Canvas');
});
