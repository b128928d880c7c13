import { describe, expect, test } from 'vitest';
import { decideDrop } from './drop-decision.ts';

const nothing = { pack: null, folder: null, open: [], outside: [] };

function files(...paths: string[]) {
  return paths.map((path) => ({ path, isFolder: false }));
}

describe('decideDrop', () => {
  test('opens files of the workspace, also those in folders', () => {
    const items = files('/home/me/work/a.flow.yaml', '/home/me/work/agents/b.aip');
    expect(decideDrop(items, '/home/me/work')).toEqual({ ...nothing, open: ['a.flow.yaml', 'agents/b.aip'] });
  });

  test('tells of files that lie elsewhere, however near', () => {
    const items = files('/home/me/work-old/a.md', '/etc/hosts');
    expect(decideDrop(items, '/home/me/work')).toEqual({
      ...nothing,
      outside: ['/home/me/work-old/a.md', '/etc/hosts'],
    });
  });

  test('asks about a pack wherever it lies, unless no workspace could take it', () => {
    const items = files('/downloads/Tools@1.AIPACK');
    expect(decideDrop(items, '/work')).toEqual({ ...nothing, pack: '/downloads/Tools@1.AIPACK' });
    expect(decideDrop(items, null)).toEqual({ ...nothing, outside: ['/downloads/Tools@1.AIPACK'] });
  });

  test('offers a folder as the workspace, but not the one that is open', () => {
    expect(decideDrop([{ path: '/other', isFolder: true }], '/work')).toEqual({ ...nothing, folder: '/other' });
    expect(decideDrop([{ path: '/other', isFolder: true }], null)).toEqual({ ...nothing, folder: '/other' });
    expect(decideDrop([{ path: '/work/', isFolder: true }], '/work')).toEqual(nothing);
  });

  test('reads paths of Windows, where capitals do not count', () => {
    const items = files('c:\\Users\\me\\Work\\flows\\a.flow.yaml');
    expect(decideDrop(items, 'C:\\Users\\Me\\work')).toEqual({ ...nothing, open: ['flows/a.flow.yaml'] });
  });
});
