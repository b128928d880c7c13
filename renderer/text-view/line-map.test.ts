import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { applyEdits, type TextEdit } from '../../engine/isomorphic.ts';
import { testRounds } from '../../engine/testing/test-rounds.ts';
import { LineMap, shownText, usualLineEnd } from './line-map.ts';

const pieces = ['a', 'bc', '\u2028', '\u2029', '\uFEFF', '\u{1F600}', ' ', '\n', '\r\n', '\r', '\r\n\r', '\n\r'];
const fileText = fc.array(fc.constantFrom(...pieces), { maxLength: 30 }).map((parts) => parts.join(''));
const typedText = fc.array(fc.constantFrom('x', 'yz', '\n', ' '), { maxLength: 4 }).map((parts) => parts.join(''));

/** Edits as numbers between 0 and 1, which are scaled to the length of any text. */
const anyEdits = (inserted: fc.Arbitrary<string>) =>
  fc.array(fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.double({ min: 0, max: 1, noNaN: true }), inserted), {
    minLength: 1,
    maxLength: 3,
  });

function laidOver(length: number, drawn: readonly (readonly [number, number, string])[]): TextEdit[] {
  const places = drawn.flatMap(([from, to]) => [Math.round(from * length), Math.round(to * length)]);
  places.sort((left, right) => left - right);
  return drawn.map(([, , text], index) => ({ start: places[2 * index]!, end: places[2 * index + 1]!, text }));
}

/** Returns the lines of a text including their line endings. */
function fullLines(text: string): string[] {
  return text.match(/[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+$/g) ?? [];
}

describe('shownText', () => {
  test('has one kind of line ending, no byte order mark, and is otherwise unchanged', () => {
    expect(shownText('\uFEFFa\r\nb\rc\nd\u2028e\uFEFF')).toBe('a\nb\nc\nd\u2028e\uFEFF');
  });

  test('is equal to a text with neither', () => {
    expect(shownText('a\nb\n')).toBe('a\nb\n');
    expect(shownText('')).toBe('');
  });
});

describe('usualLineEnd', () => {
  test.each([
    ['', '\n'],
    ['a\r\nb\r\nc\n', '\r\n'],
    ['a\nb\r\nc\n', '\n'],
    ['a\rb\rc\n', '\r'],
    ['a\r\nb\n', '\r\n'],
  ])('of %j is %j', (text, expected) => {
    expect(usualLineEnd(text)).toBe(expected);
  });
});

describe('LineMap', () => {
  test('maps each shown character to the same one in the file, and back', () => {
    fc.assert(
      fc.property(fileText, (text) => {
        const map = new LineMap(text);
        const shown = shownText(text);
        expect(map.shownLength).toBe(shown.length);
        for (let offset = 0; offset <= shown.length; offset++) {
          const place = map.toFile(offset);
          expect(shownText(text.slice(place))).toBe(shown.slice(offset).replace(/^\uFEFF/, ''));
          expect(map.toShown(place)).toBe(offset);
        }
      }),
      { numRuns: testRounds(500) },
    );
  });

  test('typing into the shown text produces the same text in the file, regardless of its line endings', () => {
    fc.assert(
      fc.property(fileText, anyEdits(typedText), (text, drawn) => {
        const shown = shownText(text);
        const edits = laidOver(shown.length, drawn);
        const after = applyEdits(text, new LineMap(text).fileEdits(edits));
        // A mark that moves to the beginning is treated as a byte order mark.
        expect(shownText(after)).toBe(applyEdits(shown, edits).replace(text.startsWith('\uFEFF') ? '' : /^\uFEFF/, ''));
      }),
      { numRuns: testRounds(2_000) },
    );
  });

  test('unedited lines stay the same, byte for byte', () => {
    fc.assert(
      fc.property(fileText, anyEdits(typedText), (text, drawn) => {
        const shown = shownText(text);
        const [edit] = laidOver(shown.length, drawn);
        const after = applyEdits(text, new LineMap(text).fileEdits([edit!]));
        const before = fullLines(text);
        const linesAbove = shown.slice(0, edit!.start).split('\n').length - 1;
        const linesBelow = shown.slice(edit!.end).split('\n').length - 1;
        expect(fullLines(after).slice(0, linesAbove)).toEqual(before.slice(0, linesAbove));
        const tail = shown.endsWith('\n') || linesBelow === 0 ? linesBelow - 1 : linesBelow;
        if (tail > 0) expect(after.endsWith(before.slice(-tail).join(''))).toBe(true);
      }),
      { numRuns: testRounds(1_000) },
    );
  });

  test('no edits change nothing', () => {
    fc.assert(
      fc.property(fileText, (text) => {
        expect(applyEdits(text, new LineMap(text).fileEdits([]))).toBe(text);
      }),
    );
  });

  test('changes of the file appear in the shown text', () => {
    fc.assert(
      fc.property(fileText, anyEdits(fileText), (text, drawn) => {
        const edits = laidOver(text.length, drawn);
        const after = applyEdits(text, edits);
        const shownEdits = new LineMap(text).shownEdits(edits, new LineMap(after));
        expect(applyEdits(shownText(text), shownEdits)).toBe(shownText(after));
      }),
      { numRuns: testRounds(1_000) },
    );
  });

  test('a change elsewhere does not affect the rest of the text', () => {
    const text = 'a: 1\r\nb: 2\r\nc: 3\r\n';
    const edits = [
      { start: 3, end: 4, text: '9' },
      { start: 15, end: 16, text: '8\r\n' },
    ];
    expect(new LineMap(text).shownEdits(edits, new LineMap(applyEdits(text, edits)))).toEqual([
      { start: 3, end: 4, text: '9' },
      { start: 13, end: 14, text: '8\n' },
    ]);
  });

  test('a new line has the line ending of the file', () => {
    const typed = [{ start: 4, end: 4, text: '\n  x' }];
    expect(new LineMap('a: 1\r\nb: 2\r\n').fileEdits(typed)).toEqual([{ start: 4, end: 4, text: '\r\n  x' }]);
    expect(new LineMap('a: 1\nb: 2\n').fileEdits(typed)).toEqual(typed);
  });
});
