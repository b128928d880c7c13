import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parseUrl } from './parse-url.ts';

test('always parses a URL with a letter outside ASCII', () => {
  const hosts = new Set(Array.from({ length: 20_000 }, () => parseUrl('https://münchen.test/ä')?.hostname));
  expect([...hosts]).toEqual(['xn--mnchen-3ya.test']);
});

test.each(['', 'http://', 'münchen', 'http://a b/'])('%j is not a URL', (text) => {
  expect(parseUrl(text)).toBeUndefined();
});

test('a relative URL is resolved against its base', () => {
  expect(parseUrl('../x?y', 'https://a.test/b/c/d')?.href).toBe('https://a.test/b/x?y');
});

test('no other code calls URL.canParse', () => {
  const root = join(import.meta.dirname, '../..');
  const files = ['engine', 'electron', 'renderer'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((path) => join(root, folder, path)),
  );
  const asking = files.filter(
    (path) => /(?<!\.test)\.tsx?$/.test(path) && /URL\.canParse\(/.test(readFileSync(path, 'utf8')),
  );
  expect(asking).toEqual([]);
});
