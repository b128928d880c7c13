import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { mergeTexts } from './merge.ts';

const base = 'one\ntwo\nthree\nfour\nfive\n';

describe('merging', () => {
  test('changes in different places are both kept', () => {
    const mine = base.replace('one', 'ONE');
    const theirs = base.replace('five', 'FIVE');
    expect(mergeTexts({ base, mine, theirs })).toEqual({ text: 'ONE\ntwo\nthree\nfour\nFIVE\n', clashes: 0 });
  });

  test('if both sides changed the same line, mine is kept and counted as a clash', () => {
    const merged = mergeTexts({ base, mine: base.replace('two', 'mine'), theirs: base.replace('two', 'theirs') });
    expect(merged).toEqual({ text: base.replace('two', 'mine'), clashes: 1 });
  });

  test('the same change by both sides is applied once', () => {
    const both = base.replace('two', '2');
    expect(mergeTexts({ base, mine: both, theirs: both })).toEqual({ text: both, clashes: 0 });
  });

  const text = fc.array(fc.constantFrom('a\n', 'b\r\n', 'c', '\n'), { maxLength: 8 }).map((parts) => parts.join(''));

  test('a change by only one side is applied exactly, byte by byte', () => {
    fc.assert(
      fc.property(text, text, (before, after) => {
        expect(mergeTexts({ base: before, mine: after, theirs: before })).toEqual({ text: after, clashes: 0 });
        expect(mergeTexts({ base: before, mine: before, theirs: after })).toEqual({ text: after, clashes: 0 });
      }),
    );
  });
});
