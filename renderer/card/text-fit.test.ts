import { describe, expect, test } from 'vitest';
import { countLines } from './text-fit.ts';

describe('countLines', () => {
  test('needs no line for an empty text', () => {
    expect(countLines([], 222, 2)).toBe(0);
    expect(countLines(['  '], 222, 2)).toBe(0);
  });

  test('breaks between words', () => {
    expect(countLines(['Waits a while'], 222, 2)).toBe(1);
    expect(countLines(['Boil the style guide down to ten rules that a writer can keep'], 222, 2)).toBe(2);
  });

  test('keeps a chip together with adjacent punctuation', () => {
    const text = { chip: 'x'.repeat(12) };
    expect(countLines(['Is it ', text, ' or '], 222, 3)).toBe(1);
    expect(countLines(['Is it exactly ', text, '?'], 180, 3)).toBe(1);
    expect(countLines(['Is it exactly ', text, '?????'], 180, 3)).toBe(2);
  });

  test('counts at most the lines that are shown, and one for a word that is too long', () => {
    expect(countLines(['word '.repeat(100)], 222, 2)).toBe(2);
    expect(countLines(['x'.repeat(200)], 222, 2)).toBe(1);
  });

  test('counts wide characters as wide', () => {
    expect(countLines(['漢'.repeat(9), ' ', '漢'.repeat(9)], 222, 2)).toBe(1);
    expect(countLines(['漢'.repeat(10), ' ', '漢'.repeat(10)], 222, 2)).toBe(2);
  });
});
