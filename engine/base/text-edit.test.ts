import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { applyEdits, editBetween, invertEdits, mapOffset, rebaseEdits, type TextEdit } from './text-edit.ts';

/** Generates a text with edits that fit it. */
const editedText = fc.string({ maxLength: 40 }).chain((text) =>
  fc.array(fc.tuple(fc.nat(text.length), fc.string({ maxLength: 5 })), { maxLength: 6 }).map((cuts) => {
    const places = cuts.map(([place]) => place).sort((a, b) => a - b);
    const edits: TextEdit[] = [];
    for (let i = 0; i + 1 < places.length; i += 2) {
      edits.push({ start: places[i] ?? 0, end: places[i + 1] ?? 0, text: cuts[i]?.[1] ?? '' });
    }
    return { text, edits };
  }),
);

describe('text edits', () => {
  it('applies edits with offsets relative to the original text', () => {
    const edits = [
      { start: 0, end: 1, text: 'A' },
      { start: 2, end: 2, text: '++' },
      { start: 3, end: 4, text: '' },
    ];
    expect(applyEdits('abcd', edits)).toBe('Ab++c');
  });

  it.each([
    [
      'overlapping',
      [
        { start: 0, end: 3, text: '' },
        { start: 2, end: 3, text: '' },
      ],
    ],
    ['outside', [{ start: 0, end: 9, text: '' }]],
    ['backwards', [{ start: 3, end: 1, text: '' }]],
  ])('rejects %s edits', (_, edits) => {
    expect(() => applyEdits('abcd', edits)).toThrow(RangeError);
  });

  it('inverted edits restore the exact text', () => {
    fc.assert(
      fc.property(editedText, ({ text, edits }) => {
        const inverse = invertEdits(text, edits);
        expect(applyEdits(applyEdits(text, edits), inverse)).toBe(text);
      }),
    );
  });

  it('finds one edit between any two texts', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (before, after) => {
        const edit = editBetween(before, after);
        expect(edit === null ? before : applyEdits(before, [edit])).toBe(after);
      }),
    );
    expect(editBetween('same', 'same')).toBeNull();
    expect(editBetween('a long text', 'a very long text')).toEqual({ start: 2, end: 2, text: 'very ' });
  });

  it('maps offsets before, inside and after edits', () => {
    const edits = [{ start: 2, end: 4, text: 'xyz' }];
    expect(mapOffset(1, edits, 'after')).toBe(1);
    expect(mapOffset(3, edits, 'after')).toBe(5);
    expect(mapOffset(6, edits, 'after')).toBe(7);
    const insertion = [{ start: 2, end: 2, text: '!' }];
    expect(mapOffset(2, insertion, 'before')).toBe(2);
    expect(mapOffset(2, insertion, 'after')).toBe(3);
  });

  it('rebases an edit over one elsewhere in the text', () => {
    const mine = [{ start: 6, end: 11, text: 'moon' }];
    const theirs = [{ start: 0, end: 5, text: 'good night' }];
    const rebased = rebaseEdits(mine, theirs);
    expect(applyEdits(applyEdits('hello world', theirs), rebased)).toBe('good night moon');
  });

  it('rebased edits always fit, whatever both sides changed', () => {
    fc.assert(
      fc.property(editedText, fc.array(fc.string({ maxLength: 3 }), { maxLength: 3 }), ({ text, edits }, words) => {
        const over = words.map((word) => ({ start: text.length, end: text.length, text: word }));
        expect(() => applyEdits(applyEdits(text, over), rebaseEdits(edits, over))).not.toThrow();
        expect(() => applyEdits(applyEdits(text, edits), rebaseEdits(over, edits))).not.toThrow();
      }),
    );
  });
});
