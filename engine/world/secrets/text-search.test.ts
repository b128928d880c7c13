import fc from 'fast-check';
import { expect, test } from 'vitest';
import { testRounds } from '../../testing/test-rounds.ts';
import { MultiTextSearch } from './text-search.ts';

/** Only a few letters, so that texts contain many partial matches. */
const letters = fc.constantFrom('a', 'b', 'ä', '\ud83d');
const word = (minLength: number, maxLength: number) =>
  fc.array(letters, { minLength, maxLength }).map((signs) => signs.join(''));

test('finds the same matches as a search at every position', () => {
  const some = fc.record({
    sought: fc.array(word(6, 40), { minLength: 1, maxLength: 4 }),
    more: fc.array(word(32, 40), { maxLength: 2 }),
    parts: fc.array(fc.oneof(word(0, 9), fc.nat(5)), { maxLength: 5 }),
  });
  fc.assert(
    fc.property(some, ({ sought, more, parts }) => {
      const all = [...sought, ...more];
      const text = parts.map((part) => (typeof part === 'string' ? part : (all[part] ?? ''))).join('');
      const isThere = all.some((one) => text.includes(one));
      expect(new MultiTextSearch(all.map((one) => ({ text: one }))).isIn(text)).toBe(isThere);
      expect(
        new MultiTextSearch([...all, ...Array.from({ length: 9 }, () => 'another')].map((one) => ({ text: one }))).isIn(
          text,
        ),
      ).toBe(isThere);
    }),
    { numRuns: testRounds(500) },
  );
});

test('never rules out a text that ends with a partial match', () => {
  const some = fc.record({ sought: word(12, 60), before: word(0, 5), length: fc.nat(59) });
  fc.assert(
    fc.property(some, ({ sought, before, length }) => {
      const text = before + sought.slice(0, Math.max(8, length));
      expect(new MultiTextSearch([{ text: sought }]).mayEndInside(text)).toBe(true);
    }),
    { numRuns: testRounds(200) },
  );
});
