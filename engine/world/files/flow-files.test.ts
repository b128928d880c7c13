import { existsSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { isFlowPath, listFlowFiles } from './flow-files.ts';
import { readFlowFile, readFlowText } from './read-flow.ts';
import { createTestFolder, type TestFolder } from './testing/test-folder.ts';

let folder: TestFolder;
beforeEach(() => {
  folder = createTestFolder();
});
afterEach(() => folder.remove());

async function changesIn(workspace: string): Promise<Record<string, string | null>> {
  return Object.fromEntries((await listFlowFiles(workspace)).map(({ path, change }) => [path, change]));
}

describe('listFlowFiles', () => {
  test('lists flow files anywhere and flows of products, but skips third-party folders', async () => {
    const flows = ['b.flow.yml', 'a.flow.yaml', 'deep/er/c.flow.yaml', 'products/shop/flows/refund.yaml'];
    const others = [
      'node_modules/p/x.flow.yaml',
      '.git/x.flow.yaml',
      '.millrace/x.flow.yaml',
      'deep/node_modules/x.flow.yaml',
      'notes.yaml',
      'x.flow.yaml.bak',
      '.flow.yaml',
      'products/shop/flows/deeper/x.yaml',
      'products/shop/readme.md',
    ];
    for (const path of [...flows, ...others]) {
      folder.write(path, 'flow: {}');
    }
    expect((await listFlowFiles(folder.path)).map(({ path }) => path)).toEqual([...flows].sort());
  });

  test('does not follow linked folders, so that circular links are not a problem', async () => {
    folder.write('flows/a.flow.yaml', '');
    symlinkSync('..', folder.at('flows/up'));
    expect(await changesIn(folder.path)).toEqual({ 'flows/a.flow.yaml': null });
  });

  test('reports no changes without a repository', async () => {
    folder.write('a.flow.yaml', '');
    expect(await listFlowFiles(folder.path)).toEqual([{ path: 'a.flow.yaml', change: null }]);
    expect(await listFlowFiles(folder.at('none'))).toEqual([]);
  });

  test('matches `isFlowPath`, and so does the git pathspec', async () => {
    folder.git('init', '-q');
    const paths = ['a.flow.yaml', 'x/b.flow.yml', 'products/p/flows/c.yaml', 'products/p/flows/d/e.yaml', 'f.yaml'];
    for (const path of paths) {
      folder.write(path, '');
    }
    const marked = Object.entries(await changesIn(folder.path)).filter(([, change]) => change === 'untracked');
    expect(marked.map(([path]) => path).sort()).toEqual(paths.filter(isFlowPath).sort());
  });
});

describe('changes against HEAD', () => {
  beforeEach(() => {
    folder.git('init', '-q');
    for (const name of ['same', 'edited', 'staged', 'removed', 'ümlaut "quoted"']) {
      folder.write(`flows/${name}.flow.yaml`, name);
    }
    folder.write('outside.flow.yaml', 'x');
    folder.git('add', '.');
    folder.git('commit', '-q', '-m', 'Start');
    folder.write('flows/edited.flow.yaml', 'changed');
    folder.write('flows/ümlaut "quoted".flow.yaml', 'changed');
    folder.write('flows/staged.flow.yaml', 'changed');
    folder.write('flows/added.flow.yaml', 'new');
    folder.git('add', 'flows/staged.flow.yaml', 'flows/added.flow.yaml');
    folder.write('flows/new.flow.yaml', 'new');
    folder.write('flows/ignored.flow.yaml', 'new');
    folder.write('.gitignore', 'ignored.flow.yaml\n');
    rmSync(folder.at('flows/removed.flow.yaml'));
    folder.write('outside.flow.yaml', 'changed');
  });

  const inFlows = {
    'added.flow.yaml': 'untracked',
    'edited.flow.yaml': 'modified',
    'ignored.flow.yaml': null,
    'new.flow.yaml': 'untracked',
    'same.flow.yaml': null,
    'staged.flow.yaml': 'modified',
    'ümlaut "quoted".flow.yaml': 'modified',
  };

  test('distinguish changed from new files', async () => {
    const prefixed = Object.fromEntries(Object.entries(inFlows).map(([path, change]) => [`flows/${path}`, change]));
    expect(await changesIn(folder.path)).toEqual({ ...prefixed, 'outside.flow.yaml': 'modified' });
  });

  test('are correct if the workspace is a folder of a larger repository', async () => {
    expect(await changesIn(folder.at('flows'))).toEqual(inFlows);
  });

  test('do not start a program that the repository configures', async () => {
    folder.git('config', 'core.fsmonitor', `touch ${folder.at('started')}; false`);
    expect((await changesIn(folder.path))['flows/edited.flow.yaml']).toBe('modified');
    expect(existsSync(folder.at('started'))).toBe(false);
  });
});

describe('readFlowText', () => {
  const maxLength = 1_000;

  function read(name: string): Promise<string> {
    return readFlowText(folder.at(name), { shownPath: name, maxLength });
  }

  test('reads a flow, and an empty file as empty text', async () => {
    folder.write('a.flow.yaml', 'flow: {}\n');
    folder.write('empty.flow.yaml', '');
    expect([await read('a.flow.yaml'), await read('empty.flow.yaml')]).toEqual(['flow: {}\n', '']);
  });

  test('truncates text at the limit, also for multi-byte characters', async () => {
    folder.write('narrow.flow.yaml', 'x'.repeat(maxLength * 20));
    folder.write('wide.flow.yaml', '\u8f2a'.repeat(maxLength * 20));
    expect([await read('narrow.flow.yaml'), await read('wide.flow.yaml')]).toEqual([
      'x'.repeat(maxLength + 1),
      '\u8f2a'.repeat(maxLength + 1),
    ]);
  });

  test('replaces invalid bytes with U+FFFD', async () => {
    folder.write('binary.flow.yaml', Uint8Array.of(0x61, 0xff, 0x00));
    expect(await read('binary.flow.yaml')).toBe('a\uFFFD\0');
  });

  test('reports what would be lost if the text were written back', async () => {
    folder.write('whole.flow.yaml', `\uFEFFflow: {}\r\n\uFFFD${'x'.repeat(maxLength - 12)}`);
    folder.write('binary.flow.yaml', Uint8Array.of(0x61, 0xff));
    folder.write('nul.flow.yaml', 'a\0b');
    folder.write('long.flow.yaml', 'x'.repeat(maxLength + 1));
    const names = ['whole', 'binary', 'nul', 'long'].map((name) => `${name}.flow.yaml`);
    const read = await Promise.all(names.map((name) => readFlowFile(folder.at(name), { shownPath: name, maxLength })));
    expect(read.map(({ loss }) => loss?.slice(0, 36))).toEqual([
      undefined,
      'binary.flow.yaml contains bytes that',
      'nul.flow.yaml contains bytes that ar',
      'long.flow.yaml has more than 1,000 c',
    ]);
  });

  test.each([
    ['a file that is gone', 'none.flow.yaml', 'files.not-found'],
    ['a folder', 'folder.flow.yaml', 'files.not-text'],
  ])('rejects %s', async (_title, name, code) => {
    mkdirSync(folder.at('folder.flow.yaml'), { recursive: true });
    await expect(read(name)).rejects.toMatchObject({ code, message: expect.stringContaining(name) });
  });
});
