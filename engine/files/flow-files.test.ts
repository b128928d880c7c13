import { existsSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { isFlowPath, listFlowFiles } from './flow-files.ts';
import { readFlowText } from './read-flow.ts';
import { createTestFolder, type TestFolder } from './test-folder.ts';

let folder: TestFolder;
beforeEach(() => {
  folder = createTestFolder();
});
afterEach(() => folder.remove());

async function changesIn(workspace: string): Promise<Record<string, string | null>> {
  return Object.fromEntries((await listFlowFiles(workspace)).map(({ path, change }) => [path, change]));
}

describe('listFlowFiles', () => {
  test('lists flows anywhere and what products keep as flows, but nothing from folders of others', async () => {
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

  test('does not enter linked folders, so that a circle of links ends', async () => {
    folder.write('flows/a.flow.yaml', '');
    symlinkSync('..', folder.at('flows/up'));
    expect(await changesIn(folder.path)).toEqual({ 'flows/a.flow.yaml': null });
  });

  test('marks nothing without a repository', async () => {
    folder.write('a.flow.yaml', '');
    expect(await listFlowFiles(folder.path)).toEqual([{ path: 'a.flow.yaml', change: null }]);
    expect(await listFlowFiles(folder.at('none'))).toEqual([]);
  });

  test("knows what `isFlowPath` knows, and git's notation says the same", async () => {
    folder.git('init', '-q');
    const paths = ['a.flow.yaml', 'x/b.flow.yml', 'products/p/flows/c.yaml', 'products/p/flows/d/e.yaml', 'f.yaml'];
    for (const path of paths) {
      folder.write(path, '');
    }
    const marked = Object.entries(await changesIn(folder.path)).filter(([, change]) => change === 'untracked');
    expect(marked.map(([path]) => path).sort()).toEqual(paths.filter(isFlowPath).sort());
  });
});

describe('marks against HEAD', () => {
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

  test('tell changed from new files', async () => {
    const prefixed = Object.fromEntries(Object.entries(inFlows).map(([path, change]) => [`flows/${path}`, change]));
    expect(await changesIn(folder.path)).toEqual({ ...prefixed, 'outside.flow.yaml': 'modified' });
  });

  test('are right when the workspace is a folder of a larger repository', async () => {
    expect(await changesIn(folder.at('flows'))).toEqual(inFlows);
  });

  test('do not start a program that the repository names', async () => {
    folder.git('config', 'core.fsmonitor', `touch ${folder.at('started')}; false`);
    expect((await changesIn(folder.path))['flows/edited.flow.yaml']).toBe('modified');
    expect(existsSync(folder.at('started'))).toBe(false);
  });
});

describe('readFlowText', () => {
  const maxBytes = 1_000;

  test('reads a flow of the workspace or, by its absolute path, any other', async () => {
    folder.write('ws/a.flow.yaml', 'flow: {}\n');
    folder.write('b.flow.yaml', 'other\n');
    const workspace = folder.at('ws');
    expect(await readFlowText({ workspace, path: 'a.flow.yaml', maxBytes })).toBe('flow: {}\n');
    expect(await readFlowText({ workspace, path: folder.at('b.flow.yaml'), maxBytes })).toBe('other\n');
  });

  test.each([
    ['a file that is gone', 'none.flow.yaml', 'files.not-found'],
    ['a binary file', 'binary.flow.yaml', 'files.not-text'],
    ['a file over the limit', 'large.flow.yaml', 'files.too-large'],
    ['a folder', 'folder.flow.yaml', 'files.not-text'],
  ])('refuses %s', async (_title, path, code) => {
    folder.write('binary.flow.yaml', Uint8Array.of(0xff, 0xfe, 0x00));
    folder.write('large.flow.yaml', 'x'.repeat(maxBytes + 1));
    mkdirSync(folder.at('folder.flow.yaml'));
    await expect(readFlowText({ workspace: folder.path, path, maxBytes })).rejects.toMatchObject({
      code,
      message: expect.stringContaining(path),
    });
  });

  test('reads an empty file as empty text', async () => {
    folder.write('empty.flow.yaml', '');
    expect(await readFlowText({ workspace: folder.path, path: 'empty.flow.yaml', maxBytes })).toBe('');
  });
});
