import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { testRounds } from '../../testing/test-rounds.ts';
import { compilePattern } from './pattern.ts';

/** Returns whether the pattern matches, and in how many steps. */
function look(source: string, text: string, whole?: 'whole'): { matches: boolean; steps: number } {
  const pattern = compilePattern(source);
  if ('problem' in pattern) throw new Error(`${source} ${pattern.problem}`);
  const work = pattern.matches(text, whole);
  let steps = 0;
  for (let next = work.next(); ; next = work.next()) {
    if (next.done === true) return { matches: next.value, steps };
    steps += next.value;
  }
}

test.each([
  ['', '', true],
  ['a', 'bab', true],
  ['^a', 'ba', false],
  ['a$', 'ab', false],
  ['^(?:a|bc)+$', 'abcbca', true],
  ['^[^\\d\\s]{2,3}$', 'äö', true],
  ['^[^\\d\\s]{2,3}$', 'äöüß', false],
  ['^.$', '😀', true],
  ['^.$', '\n', false],
  ['\\bcat\\b', 'a cat.', true],
  ['\\bcat\\b', 'concat', false],
  ['\\Bcat', 'concat', true],
  ['\\p{Lu}\\P{L}', 'xÄ1', true],
  ['^\\u0041\\x42\\u{1F600}\\t$', 'AB😀\t', true],
  ['a{', 'a{', true],
  ['a{1,2', 'a{1,2', true],
  [']}', ']}', true],
  ['(?<year>\\d{4})-(\\d\\d)', 'in 2024-10', true],
  ['a+?b*?c??$', 'xaabbc', true],
  ['[\\]\\\\-]', ']', true],
  ['[.]', 'a', false],
  ['()', '', true],
  ['(|a)+b', 'b', true],
  ['(a*)*b', 'aaab', true],
  ['x{0}y', 'y', true],
  ['(x{2}){2}', 'xxx', false],
])('/%s/ and %j: %s', (source, text, expected) => {
  expect(look(source, text).matches).toBe(expected);
});

test('can require a match of the whole text', () => {
  expect([look('a|ab', 'ab', 'whole').matches, look('a', 'ab', 'whole').matches]).toEqual([true, false]);
});

test.each([
  ['(?=a)', 'look-around'],
  ['(?<!a)', 'look-around'],
  ['(a)\\1', 'back reference'],
  ['(?<n>a)\\k<n>', 'back reference'],
  ['(a', 'not closed'],
  ['a)', 'too many'],
  ['[a', 'not closed'],
  ['*a', 'nothing before it'],
  ['a**', 'behind another count'],
  ['a{2,1}', 'has a count with an end before its start'],
  ['\\', 'ends with'],
  ['\\p{Nobody}{2}[b-a]', 'contains "[b-a]", which is not valid'],
  ['((a{100}){100}){100}', 'too large'],
  ['a'.repeat(10_001), 'longer than'],
  ['('.repeat(5000) + ')'.repeat(5000), 'deep'],
])('/%.40s/ is rejected: it is %s', (source, words) => {
  const pattern = compilePattern(source);
  expect('problem' in pattern && pattern.problem).toContain(words);
});

test('unbounded repetition of empty parts is fast', () => {
  expect(look('((((){1000000}){1000000}){1000000})*$', '').matches).toBe(true);
});

describe('patterns with catastrophic backtracking', () => {
  const text = `${'a'.repeat(20_000)}!`;

  test.each(['(a+)+$', '(a|aa)+$', '(a*)*b', '^(([a-z])+.)+[A-Z]([a-z])+$', '(.*)*x', '(a?){50}a{50}$', 'a*a*a*a*b'])(
    '/%s/ takes few steps per character',
    (source) => {
      const { matches, steps } = look(source, text);
      expect(matches).toBe(false);
      expect(steps).toBeLessThan(250 * text.length);
    },
  );
});

test('has the same meaning as in the built-in engine', () => {
  const atom = fc.constantFrom('a', 'b', '.', '[ab]', '[^a]', '\\w', '\\b', '^', '$', '\\s', 'é', '\\.', '');
  const part = fc.letrec<{ expression: string }>((tie) => ({
    expression: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      atom,
      fc.tuple(tie('expression'), tie('expression')).map(([left, right]) => `${left}${right}`),
      fc.tuple(tie('expression'), tie('expression')).map(([left, right]) => `(?:${left}|${right})`),
      fc
        .tuple(tie('expression'), fc.constantFrom('*', '+', '?', '{2}', '{1,2}', '{0,1}?', '{2,}'))
        .map(([inner, count]) => `(${inner})${count}`),
    ),
  })).expression;
  const words = fc
    .array(fc.constantFrom('a', 'b', ' ', '.', 'é', '\n'), { maxLength: 8 })
    .map((signs) => signs.join(''));
  fc.assert(
    fc.property(part, words, (source, text) => {
      expect(look(source, text).matches).toBe(new RegExp(source, 'u').test(text));
      expect(look(source, text, 'whole').matches).toBe(new RegExp(`^(?:${source})$`, 'u').test(text));
    }),
    { numRuns: testRounds(500) },
  );
});
