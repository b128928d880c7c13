import { describe, expect, test } from 'vitest';
import { readCommandLine } from './command-line.ts';

const place = { cwd: '/srv', initCwd: undefined };

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
    expect(readCommandLine(args, place)).toEqual({ workspace });
  });

  test('is relative to where npm was called, not to where npm has gone', () => {
    const fromNpm = { cwd: '/opt/millrace', initCwd: '/home/ada' };
    expect(readCommandLine(['electron', '--workspace', 'flows'], fromNpm)).toEqual({ workspace: '/home/ada/flows' });
  });
});
