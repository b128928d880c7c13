import { describe, expect, test } from 'vitest';
import { apiCaller } from '../../../testing/call-api.ts';
import type { HostCaller } from '../host-calls.ts';
import { pathApi } from './path.ts';

const call = apiCaller(pathApi);

describe('parse', () => {
  test.each([
    ['a/b/c.tar.gz', 'a/b', 'c.tar.gz', 'c.tar', 'gz'],
    ['main.aip', '', 'main.aip', 'main', 'aip'],
    ['.gitignore', '', '.gitignore', '.gitignore', ''],
    ['/etc/hosts', '/etc', 'hosts', 'hosts', ''],
    ['/x', '/', 'x', 'x', ''],
    ['C:/x.md', 'C:/', 'x.md', 'x', 'md'],
    ['a/b/', 'a', 'b', 'b', ''],
    ['a/..', 'a', '', '', ''],
    ['', '', '', '', ''],
  ])('splits %j into its parts', (path, ...parts) => {
    const info = call('parse', path) as Record<string, unknown>;
    expect([info['dir'], info['name'], info['stem'], info['ext']]).toEqual(parts);
    expect(info).toMatchObject({ _type: 'FileInfo', path });
  });

  test('recognizes files that are unlikely to be text, and returns nil for nil', () => {
    const texts = ['a.md', 'Makefile', 'a.PNG', 'a.aipack', 'a.xyz'].map(
      (path) => (call('parse', path) as { is_likely_text: boolean }).is_likely_text,
    );
    expect([texts, call('parse', undefined)]).toEqual([[true, true, false, false, true], undefined]);
  });
});

test.each([
  [['a', 'b', 'c'], 'a/bc'],
  [['a/', 'b/', 'c/'], 'a/b/c/'],
  [['a', ['b', 'c']], 'a/b/c'],
  [['a', ['b', 'c'], 'd'], 'a/b/cd'],
  [['a'], 'a'],
  [['a', []], 'a'],
  [['', 'b'], 'b'],
  [['a', '/b'], '/b'],
  [['./a', './b'], './a/b'],
  [['a//x', 'b'], 'a/x/b'],
])('join of %j returns %s', (args, expected) => {
  expect(call('join', ...args)).toBe(expected);
});

test('join rejects values that are not text', () => {
  expect(() => call('join', 'a', true)).toThrow('bad argument #2');
  expect(() => call('join', undefined)).toThrow('bad argument #1');
});

test.each([
  ['/a/b/c/file.txt', '/a/b/', 'c/file.txt'],
  ['/a/b/', '/a/b/c/file.txt', '../..'],
  ['folder/file.txt', 'folder', 'file.txt'],
  ['a/b', 'a/b', ''],
  ['a/./b/../c', 'a', 'c'],
  ['../x', 'a', '../../x'],
  ['x', '../a', ''],
  ['/x/y', 'a', '/x/y'],
  ['x', '/a', ''],
  ['C:/a', 'D:/a', ''],
])('diff to %s from %s returns %j', (file, base, expected) => {
  expect(call('diff', file, base)).toBe(expected);
});

test.each([
  ['some/path/file.txt', 'some/path', 'some/path', 'file.txt'],
  ['file.txt', '', '', 'file.txt'],
  ['.', undefined, '', ''],
  ['./', '', '', ''],
  ['/', undefined, '', ''],
  ['/a', '/', '/', 'a'],
])('parent and split of %s return the expected parts', (path, parent, ...split) => {
  expect([call('parent', path), call.all('split', path)]).toEqual([parent, split]);
});

test.each([
  ['src/main.rs', '**/*.rs', true],
  ['src/main.rs', '*.rs', false],
  ['main.rs', '**/*.rs', true],
  ['README.md', ['*.txt', '*.md'], true],
  ['README.md', ['*.md', '!README*'], false],
  ['.hidden/x.md', '**/*.md', true],
  ['./a.md', '*.md', true],
  ['a.md', '', false],
  ['a.md', [], false],
])('%s matches %j: %s', (path, globs, expected) => {
  expect(call('matches_glob', path, globs)).toBe(expected);
});

test('matches_glob returns nil for nil and rejects other values as globs', () => {
  expect(call('matches_glob', undefined, '*.md')).toBeUndefined();
  expect(() => call('matches_glob', 'a', 3)).toThrow('aip.path.matches_glob - Expected a string or a list of strings');
});

describe('sort_by_globs', () => {
  const files = ['src/main.rs', 'README.md', 'src/lib.rs', 'Cargo.toml', 'docs/b.md'];

  test.each([
    [undefined, ['Cargo.toml', 'README.md', 'docs/b.md', 'src/lib.rs', 'src/main.rs']],
    ['start', ['src/lib.rs', 'src/main.rs', 'Cargo.toml', 'README.md', 'docs/b.md']],
    [{ no_match_position: 'start' }, ['src/lib.rs', 'src/main.rs', 'Cargo.toml', 'README.md', 'docs/b.md']],
  ])('sorts with %j', (options, expected) => {
    expect(call('sort_by_globs', files, ['*.toml', '*.md'], options)).toEqual(expected);
  });

  test('the last matching glob decides when end_weighted is set', () => {
    const globs = ['docs/**', '*.toml', '**/*.md'];
    expect(call('sort_by_globs', files.slice(3), globs, false)).toEqual(['docs/b.md', 'Cargo.toml']);
    expect(call('sort_by_globs', files.slice(3), globs, true)).toEqual(['Cargo.toml', 'docs/b.md']);
  });

  test('sorts tables by their path and rejects tables without one', () => {
    const tables = files.slice(0, 2).map((path) => ({ path, size: 1 }));
    expect(call('sort_by_globs', tables, '*.md')).toEqual([tables[1], tables[0]]);
    expect(() => call('sort_by_globs', [3], '*.md')).toThrow('aip.path.sort_by_globs - each file must be a string');
    expect(() => call('sort_by_globs', 'x', '*.md')).toThrow('must be a list');
    expect(() => call('sort_by_globs', [], '*.md', 'middle')).toThrow('options must be');
  });
});

test('the other functions call the engine', () => {
  const kinds: Record<string, 'file' | 'folder'> = { 'a.md': 'file', docs: 'folder' };
  const host = ((name: string, { path }: { path: string }) =>
    name === 'path.kind' ? { kind: kinds[path] ?? null } : { path: `/w/${path}` }) as unknown as HostCaller;
  const asking = apiCaller(pathApi, host);
  const answers = ['exists', 'is_file', 'is_dir'].map((name) =>
    ['a.md', 'docs', 'none'].map((path) => asking(name, path)),
  );
  expect(answers).toEqual([
    [true, true, false],
    [true, false, false],
    [false, true, false],
  ]);
  expect(asking('resolve', 'a.md')).toBe('/w/a.md');
});
