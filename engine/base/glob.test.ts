import { describe, expect, test } from 'vitest';
import { globMatcher, splitGlob } from './glob.ts';

test.each([
  ['*.md', 'a.md', true],
  ['*.md', '.a.md', true],
  ['*.md', 'sub/a.md', false],
  ['**/*.md', 'a.md', true],
  ['**/*.md', 'x/y/a.md', true],
  ['src/**', 'src/a/b.ts', true],
  ['src/**', 'src', false],
  ['*/**', 'a.md', false],
  ['**', 'a.md', true],
  ['src/**/*.ts', 'src/b.ts', true],
  ['src/**/*.ts', 'lib/b.ts', false],
  ['**/a/**/b/*.c', 'a/x/a/y/b/z.c', true],
  ['a**b', 'axxb', true],
  ['a**b', 'a/b', false],
  ['?.md', 'é.md', true],
  ['?.md', '😀.md', true],
  ['?.md', 'ab.md', false],
  ['*.{md,txt}', 'a.txt', true],
  ['*.{md,txt}', 'a.rs', false],
  ['{a,b{c,d/e}}/f', 'bd/e/f', true],
  ['{a,b}{,.x}', 'b', true],
  ['[a-c]x', 'bx', true],
  ['[!a-c]x', 'bx', false],
  ['[^a-c]x', 'dx', true],
  ['[]]x', ']x', true],
  ['[x', '[x', true],
  ['{x', '{x', true],
  ['notes (1).md', 'notes (1).md', true],
  ['(a|b)+', 'a', false],
  ['\\*.md', '*.md', true],
  ['\\*.md', 'a.md', false],
  ['./a.md', 'a.md', true],
  ['a+b.md', 'a+b.md', true],
  ['', '', true],
])('%s matches %s: %s', (glob, path, expected) => {
  expect(globMatcher(glob)(path)).toBe(expected);
});

test('stars match across folders if requested', () => {
  expect(globMatcher('*.md', { starsCrossFolders: true })('x/y/a.md')).toBe(true);
  expect(globMatcher('**/*.md', { starsCrossFolders: true })('y/a.md')).toBe(true);
});

test.each([
  ['src/a.md', 'src/a.md', ''],
  ['src/*.md', 'src', '*.md'],
  ['**/a', '', '**/a'],
  ['/**', '/', '**'],
  ['/x/{a,b}/c', '/x', '{a,b}/c'],
])('%s has the base %s and the pattern %s', (glob, base, pattern) => {
  expect(splitGlob(glob)).toEqual({ base, pattern });
});

test.each([
  ['*.md', '.a.md', false],
  ['.*.md', '.a.md', true],
  ['?a.md', '.a.md', false],
  ['[.]a.md', '.a.md', false],
  ['{.a,b}.md', '.a.md', true],
  ['**/*.md', '.x/a.md', false],
  ['**/a.md', 'x/.y/a.md', false],
  ['**/.y/*.md', 'x/.y/a.md', true],
  ['**/.*/**', 'x/.y/z/a.md', true],
  ['**/.*/**', 'x/.y/z/.a.md', false],
  ['x*.y', 'x.y', true],
  ['**', '.a', false],
])('with hidden dot names, %s matches %s: %s', (glob, path, expected) => {
  expect(globMatcher(glob, { hidesDotNames: true })(path)).toBe(expected);
});

describe('globs that are exponential as regular expressions', () => {
  test.each([
    ['*a'.repeat(100), `${'a'.repeat(255)}b`],
    [`${'**/a/'.repeat(100)}b`, 'a/'.repeat(1000)],
    ['{a,aa}'.repeat(9), `${'a'.repeat(255)}b`],
    ['(a+)+b', 'a'.repeat(255)],
    ['{'.repeat(500), 'a'.repeat(255)],
    ['[a-z'.repeat(1000), 'a'.repeat(255)],
  ])('%s', (glob, path) => {
    const before = performance.now();
    expect(globMatcher(glob)(path)).toBe(false);
    expect(performance.now() - before).toBeLessThan(2_000);
  });

  test('matches twenty stars against a long name quickly', () => {
    const name = `${'a'.repeat(250)}b.md`;
    for (const options of [{}, { hidesDotNames: true }, { starsCrossFolders: true }]) {
      // Uses the fastest of several attempts, because a busy machine may delay some of them.
      const times = Array.from({ length: 20 }, () => {
        const before = performance.now();
        expect(globMatcher('*a'.repeat(20), options)(name)).toBe(false);
        return performance.now() - before;
      });
      expect(Math.min(...times)).toBeLessThan(10);
    }
  });

  test('rejects a glob that is longer than any path', () => {
    expect(() => globMatcher('a'.repeat(4097))).toThrow('longer than 4096 characters');
  });

  test('rejects too many alternatives', () => {
    expect(() => globMatcher('{a,b}'.repeat(20))).toThrow('more than 1000 globs');
  });
});
