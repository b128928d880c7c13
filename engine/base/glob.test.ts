import { describe, expect, test } from 'vitest';
import { globMatcher, splitGlob } from '../lua/api-file/glob-matcher.ts';
import { compileGlob } from './glob.ts';

test.each([
  ['*.md', 'a.md', true],
  ['*.md', '.a.md', true],
  ['*.md', 'sub/a.md', false],
  ['**/*.md', 'a.md', true],
  ['**/*.md', 'x/y/a.md', true],
  ['src/**', 'src/a/b.ts', true],
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
])('%s and %s: %s', (glob, path, expected) => {
  expect(globMatcher(glob)(path)).toBe(expected);
});

test('stars go over folders where that is asked for', () => {
  expect(compileGlob('*.md', true)('x/y/a.md')).toBe(true);
  expect(compileGlob('**/*.md', true)('y/a.md')).toBe(true);
});

test.each([
  ['src/a.md', 'src/a.md', ''],
  ['src/*.md', 'src', '*.md'],
  ['**/a', '', '**/a'],
  ['/**', '/', '**'],
  ['/x/{a,b}/c', '/x', '{a,b}/c'],
])('%s begins with %s and goes on with %s', (glob, base, pattern) => {
  expect(splitGlob(glob)).toEqual({ base, pattern });
});

describe('globs that would keep a regular expression busy for hours', () => {
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

  test('too many alternatives are refused', () => {
    expect(() => globMatcher('{a,b}'.repeat(20))).toThrow('more than 1000 globs');
  });
});
