import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { linkOfRun, readOpenRequest } from './open-request.ts';

const cwd = path.resolve('/srv/work');
const read = (argument: string) => readOpenRequest(argument, cwd);
const link = (place: string, name: string, value: string): string =>
  `millrace://${place}?${name}=${encodeURIComponent(value)}`;
const folder = process.platform === 'win32' ? 'C:\\flows' : '/home/ada/my flows';

describe('files', () => {
  test.each([
    ['review.flow.yaml', 'file'],
    ['sub/REVIEW.FLOW.YML', 'file'],
    ['writer.aip', 'file'],
    ['settings.yaml', 'file'],
    ['acme@tools-v1.0.0.aipack', 'pack-file'],
  ])('%s opens as a %s, relative to the folder the program was called in', (argument, kind) => {
    expect(read(argument)).toEqual({ kind, path: path.join(cwd, argument) });
  });

  test.each(['--workspace', '-x.aip', '--x=a.flow.yaml', '.', '', 'notes.txt', 'a\0.aip', 'C:', 'millrace'])(
    '%j is not opened',
    (argument) => {
      expect(read(argument)).toBeUndefined();
    },
  );
});

describe('links', () => {
  test('may name a folder on this machine', () => {
    expect(read(link('workspace', 'path', folder))).toEqual({ kind: 'folder-link', path: folder });
    expect(read(link('workspace', 'path', folder).replace('millrace:', 'MILLRACE:'))).toBeDefined();
    expect(read(link('workspace', 'path', `${folder}/../..`))).toEqual({
      kind: 'folder-link',
      path: path.normalize(`${folder}/../..`),
    });
  });

  test('may name a run and one of its nodes, as messages about open requests do', () => {
    const run = { kind: 'run-link', path: folder, runId: 'r-1' };
    expect(read(linkOfRun(folder, 'r-1', 'each[3].check & go'))).toEqual({ ...run, nodeId: 'each[3].check & go' });
    expect(read(linkOfRun(folder, 'r-1', ''))).toEqual({ ...run, nodeId: null });
    expect(read(linkOfRun(folder, 'r-1', 'n'.repeat(9000)))).toEqual({ ...run, nodeId: null });
  });

  test.each([
    ['with an answer behind', `${linkOfRun(folder, 'r-1', 'ask')}&approve=1`],
    ['without a run', link('run', 'path', folder)],
    ['with a run that is none', linkOfRun(folder, '../r', 'ask')],
    ['in a folder of another machine', linkOfRun('//server/share', 'r-1', 'ask')],
    ['with its parts in another order', `millrace://run?id=r-1&path=${encodeURIComponent(folder)}`],
  ])('to a run %s are rejected', (_what, text) => {
    expect(read(text)).toBeUndefined();
  });

  test('may name a pack by its name or by an https URL', () => {
    expect(read(link('pack', 'uri', 'acme@tools'))).toEqual({ kind: 'pack-link', uri: 'acme@tools' });
    expect(read(link('pack', 'uri', 'https://example.org/tools.aipack'))).toEqual({
      kind: 'pack-link',
      uri: 'https://example.org/tools.aipack',
    });
  });

  test.each([
    ['of another scheme', 'javascript:alert(1)'],
    ['without a host', 'millrace:workspace?path=/tmp'],
    ['of an unknown place', link('run', 'path', folder)],
    ['of a known place by an unknown name', link('workspace', 'file', folder)],
    ['of a place in a path', 'millrace://workspace/../pack?uri=acme@tools'],
    ['with a switch behind', `${link('workspace', 'path', folder)}&no-sandbox=1`],
    ['with the same name twice', `${link('workspace', 'path', folder)}&path=/etc`],
    ['with nothing in it', 'millrace://workspace'],
    ['with an empty value', 'millrace://pack?uri='],
    ['with a name and a password', 'millrace://a:b@workspace?path=/tmp'],
    ['with a port', 'millrace://workspace:1?path=/tmp'],
    ['with a fragment', `${link('workspace', 'path', folder)}#x`],
    ['to a relative folder', link('workspace', 'path', 'flows')],
    ['to a folder of the home, for a shell', link('workspace', 'path', '~/flows')],
    ['to another machine', link('workspace', 'path', '//server/share')],
    ['to another machine, by Windows', link('workspace', 'path', '\\\\server\\share')],
    ['with a line end', link('workspace', 'path', `${folder}\n--x`)],
    ['with a zero byte', link('workspace', 'path', `${folder}\0`)],
    ['with text that is turned around', link('workspace', 'path', `${folder}\u202Efdp`)],
    ['with bytes that are no text', 'millrace://workspace?path=/tmp/%FF'],
    ['to a pack in a file', link('pack', 'uri', '/tmp/evil.aipack')],
    ['to a pack in a file, as a URL', link('pack', 'uri', 'file:///tmp/evil.aipack')],
    ['to a pack by plain HTTP', link('pack', 'uri', 'http://example.org/a.aipack')],
    ['to a pack by a program', link('pack', 'uri', 'git+ssh://git@example.org/a.git')],
    ['to a pack with a password', link('pack', 'uri', 'https://a:b@example.org/a.aipack')],
    ['to a pack with a switch for a name', link('pack', 'uri', '--upload-pack=x@y')],
    ['that is very long', link('workspace', 'path', `/${'a'.repeat(3000)}`)],
  ])('%s are rejected', (_what, url) => {
    expect(read(url)).toBeUndefined();
  });
});
