import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { SummaryPart } from '../../engine/isomorphic.ts';
import { cutText, type MeasureText, type PlacedLine, wrapParts } from './text-wrap.ts';

/** Every letter is 10 pixels wide. */
const measure: MeasureText = (text) => [...text].length * 10;

function textsOf(lines: readonly PlacedLine[]): string[] {
  return lines.map((line) => line.map(({ text, isChip }) => (isChip ? `[${text}]` : text)).join(' '));
}

describe('wrapParts', () => {
  test('breaks between words', () => {
    expect(textsOf(wrapParts(['aa bb cc dd'], { width: 60, lines: 3 }, measure))).toEqual(['aa bb', 'cc dd']);
  });

  test('keeps punctuation with the chip next to it', () => {
    const parts = ['Ask ', { chip: 'gpt' }, ', then stop'];
    expect(textsOf(wrapParts(parts, { width: 90, lines: 3 }, measure))).toEqual(['Ask [gpt] ,', 'then stop']);
    const [line = []] = wrapParts(parts, { width: 90, lines: 3 }, measure);
    expect(line.map(({ x, width }) => [x, width])).toEqual([
      [0, 30],
      [40, 38],
      [78, 10],
    ]);
  });

  test('truncates the last line, and a word that is longer than a line', () => {
    expect(textsOf(wrapParts(['aa bb cc dd'], { width: 60, lines: 1 }, measure))).toEqual(['aa bb …']);
    expect(textsOf(wrapParts(['abcdefgh'], { width: 50, lines: 2 }, measure))).toEqual(['abcd…']);
    expect(textsOf(wrapParts(['abcdefgh ij'], { width: 50, lines: 1 }, measure))).toEqual(['abcd…']);
  });

  test('returns no line for an empty text', () => {
    expect(wrapParts(['  '], { width: 60, lines: 2 }, measure)).toEqual([]);
  });

  test('stays within the width for any text', () => {
    const part: fc.Arbitrary<SummaryPart> = fc.oneof(
      fc.string({ maxLength: 30 }),
      fc.record({ chip: fc.string({ maxLength: 30 }) }),
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 8 }), fc.integer({ min: 60, max: 300 }), (parts, width) => {
        const lines = wrapParts(parts, { width, lines: 2 }, measure);
        expect(lines.length).toBeLessThanOrEqual(2);
        const ends = lines.flatMap((line) => line.map((placed) => placed.x + placed.width));
        // An ellipsis is added even if it does not fit.
        expect(Math.max(0, ...ends)).toBeLessThanOrEqual(width + 2 * 10 + 8);
      }),
    );
  });
});

test('cutText keeps the text that fits and marks what is missing', () => {
  const width = (text: string) => measure(text, 'body');
  expect(cutText('abcd', 40, width)).toBe('abcd');
  expect(cutText('abcde', 40, width)).toBe('abc…');
  expect(cutText('abcde', 0, width)).toBe('…');
});
