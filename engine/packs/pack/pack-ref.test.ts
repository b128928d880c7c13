import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parsePackUri } from './install/pack-uri.ts';
import { formatPackRef, looksLikePackRef, parsePackRef } from './pack-ref.ts';

describe('references', () => {
  test('parses and formats references', () => {
    expect(parsePackRef('acme@tools')).toEqual({ namespace: 'acme', name: 'tools', scope: null, subPath: '' });
    expect(parsePackRef('acme@tools/chat/ask')).toMatchObject({ scope: null, subPath: 'chat/ask' });
    expect(parsePackRef('acme@tools$base/a.md')).toMatchObject({ scope: 'base', subPath: 'a.md' });
    expect(parsePackRef('acme@tools$workspace')).toMatchObject({ scope: 'workspace', subPath: '' });
    expect(parsePackRef('acme@tools//a/./b/')).toMatchObject({ subPath: 'a/b' });
    for (const ref of ['acme@tools', 'acme@tools/a/b', 'acme@tools$base/a', 'acme@tools$workspace']) {
      expect(formatPackRef(parsePackRef(ref))).toBe(ref);
    }
  });

  test('AP-19 rejects a path that leads out of the pack', () => {
    for (const ref of ['ns@name/../x', 'ns@name/a/..', 'ns@name$base/../../x', 'ns@name/a\\..\\..\\x']) {
      expect(() => parsePackRef(ref)).toThrow(expect.objectContaining({ code: 'pack.bad-ref' }));
    }
    expect(parsePackRef('ns@name/a..b').subPath).toBe('a..b');
  });

  test.each([
    ['@proof', 'the namespace cannot be empty'],
    ['demo@', 'the name of the pack cannot be empty'],
    ['a@b@c', 'more than one "@"'],
    ['a@b/c@d', 'more than one "@"'],
    ['a@b$other/x', '"$other" is not a pack location'],
    ['a@b/x$base', '"$" is only allowed directly after the name'],
    ['a b@c', 'cannot be a namespace'],
    ['a@1', 'cannot be the name'],
    ['proof', 'it has no "@"'],
    ['a@b/x\0', 'NUL'],
  ])('%j is not a reference', (ref, problem) => {
    expect(() => parsePackRef(ref)).toThrow(problem);
  });

  test('distinguishes references from paths', () => {
    for (const ref of ['a@b', 'a@b/c.md', 'demo@proof$base/x']) expect(looksLikePackRef(ref)).toBe(true);
    for (const path of ['./a@b', '../a@b', '/x/a@b', 'C:\\a@b', 'a/b.md', '.a@b'])
      expect(looksLikePackRef(path)).toBe(false);
  });
});

describe('what can be installed', () => {
  test.each([
    ['acme@my-pack', { kind: 'repo', namespace: 'acme', name: 'my-pack' }],
    ['https://example.org/a.aipack?x=1', { kind: 'http', url: 'https://example.org/a.aipack?x=1' }],
    ['git://host/a.git', { kind: 'git', url: 'git://host/a.git', subFolder: '' }],
    ['git+ssh://git@host/a.git#packs/./a/', { kind: 'git', url: 'git+ssh://git@host/a.git', subFolder: 'packs/a' }],
    ['git@host.org:me/a.git', { kind: 'git', url: 'git+ssh://git@host.org/me/a.git', subFolder: '' }],
    [
      'git@host:a.git#b\\c',
      { kind: 'git', url: 'git+ssh://git@host/a.git', subFolder: 'b/c', typed: 'git@host:a.git#b\\c' },
    ],
    ['a/b.aipack', { kind: 'local', file: join('/ws', 'a/b.aipack') }],
    ['/x/acme@my-pack-v1.0.0.aipack', { kind: 'local', file: '/x/acme@my-pack-v1.0.0.aipack' }],
  ])('%s', (text, uri) => {
    expect(parsePackUri(text, '/ws')).toMatchObject(uri);
  });

  test.each([
    ['acme@my_pack@1.0.0', '(without a version)'],
    ['https://example.org/a.git', 'with a name ending in .aipack'],
    ['https://', 'valid address'],
    ['git://host/a#../b', '".."'],
    ['git://host/a#/b', 'must be relative'],
    ['git://host/a#C:/b', 'must be relative'],
    ['git://host/a#.', 'the folder after "#" is missing'],
    ['git+ssh://-oProxyCommand=evil/a', 'cannot begin with'],
    ['git://', 'valid repository address'],
    ['ext::sh -c evil.aipack', 'is neither'],
    ['file:///etc/a.aipack', 'only be installed over http, https, git and git+ssh'],
    ['./folder', 'it is not namespace@name, an address, or a file'],
  ])('rejects %s', (text, problem) => {
    const reading = expect(() => parsePackUri(text, '/ws'));
    if (problem === 'is neither') reading.toThrow(expect.objectContaining({ code: 'pack.bad-uri' }));
    else reading.toThrow(problem);
  });

  test('hides the password in a URL', () => {
    const reading = expect(() => parsePackUri('https://me:secret@host/x.aipack', '/'));
    reading.toThrow(expect.objectContaining({ code: 'web.bad-address' }));
    reading.not.toThrow('secret');
  });
});
