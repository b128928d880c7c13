import { describe, expect, test } from 'vitest';
import { readCommandLine } from './command-line.ts';

const folders = new Set(['/srv', '/srv/flows', '/srv/my flows', '/srv/odd.yaml', '/home/ada/flows', '/opt/millrace']);
const isFolder = (file: string): boolean => folders.has(file);
const place = { cwd: '/srv', initCwd: undefined, isFolder };

describe('--workspace', () => {
  test.each([
    [['millrace'], null],
    [['millrace', '--workspace', '/flows'], '/flows'],
    [['millrace', '--workspace=/flows'], '/flows'],
    [['electron', '.', '--no-sandbox', '--workspace', 'my flows', '--lang=de'], '/srv/my flows'],
    [['millrace', '--workspace', '.'], '/srv'],
    [['millrace', '--workspace=a=b'], '/srv/a=b'],
    [['millrace', '--workspace'], null],
    [['millrace', '--workspace='], null],
    [['millrace', '--workspace', '--no-sandbox'], null],
    [['millrace', '--workspaces', '/flows'], null],
  ])('%j opens %j', (args, workspace) => {
    expect(readCommandLine(args, place)).toEqual({ workspace, open: [] });
  });

  test('resolves relative paths from where npm was called, not from the package folder', () => {
    const fromNpm = { cwd: '/opt/millrace', initCwd: '/home/ada', isFolder };
    expect(readCommandLine(['electron', '--workspace', 'flows'], fromNpm)).toEqual({
      workspace: '/home/ada/flows',
      open: [],
    });
  });
});

describe('a folder alone', () => {
  test.each([
    [['millrace', 'flows'], '/srv/flows', []],
    [['millrace', './flows/'], '/srv/flows', []],
    [['millrace', '.'], '/srv', []],
    [['millrace', '/home/ada/flows'], '/home/ada/flows', []],
    [['millrace', 'my flows', 'a.flow.yaml'], '/srv/my flows', ['/srv/a.flow.yaml']],
    [['millrace', '--no-sandbox', '--', 'flows'], '/srv/flows', []],
    [['millrace', 'odd.yaml'], '/srv/odd.yaml', []],
    [['millrace', '--workspace', '/asked', 'flows'], '/asked', []],
    [['millrace', 'nowhere'], null, []],
    [['millrace', ''], null, []],
    [['millrace', 'flows\0'], null, []],
  ])('%j opens %j', (args, workspace, open) => {
    expect(readCommandLine(args, place)).toEqual({ workspace, open });
  });

  test("does not open the program's own folder during development", () => {
    const inClone = { ...place, ownFolder: '/opt/millrace' };
    expect(readCommandLine(['electron', '/opt/millrace', 'flows'], inClone).workspace).toBe('/srv/flows');
    expect(readCommandLine(['electron', '/opt/millrace'], inClone).workspace).toBeNull();
  });
});

describe('items to open', () => {
  test.each([
    [['millrace', 'a.flow.yaml'], ['/srv/a.flow.yaml']],
    [
      ['millrace', '--', '/b/a.aip', 'sub/p.aipack'],
      ['/b/a.aip', '/srv/sub/p.aipack'],
    ],
    [['electron', '.', '--no-sandbox', 'a.yml'], ['/srv/a.yml']],
    [['millrace', 'millrace://pack?uri=acme@tools'], ['millrace://pack?uri=acme@tools']],
    [['millrace', 'millrace://run?x=1'], ['millrace://run?x=1']],
    [['millrace', 'notes.txt', '--x=a.yaml'], []],
    [['millrace', '--workspace', 'odd.yaml', 'a.yaml'], ['/srv/a.yaml']],
  ])('%j opens %j', (args, open) => {
    expect(readCommandLine(args, place).open).toEqual(open);
  });

  test('opens at most twenty items', () => {
    const files = Array.from({ length: 50 }, (_, index) => `${index}.aip`);
    expect(readCommandLine(files, place).open).toHaveLength(20);
  });
});
