import { afterEach, beforeEach, expect, test } from 'vitest';
import { EngineError } from '../../../engine/isomorphic.ts';
import { createEngineStandIn, type EngineStandIn, settled } from '../../bridge/testing/engine-stand-in.ts';
import { createMainStandIn } from '../../bridge/testing/main-stand-in.ts';
import { createStores, type Stores } from '../stores.ts';
import { createDirectDocuments } from '../testing/direct-documents.ts';
import type { FileEntry } from './file-tree.ts';

/** Files by path. */
let files: Map<string, string>;
let refusal: EngineError | null;
let moved: unknown[];
let stores: Stores;
let engine: EngineStandIn;

function listOf(folder: string): FileEntry[] {
  const prefix = folder === '' ? '' : `${folder}/`;
  const below = [...files.keys()].filter((path) => path.startsWith(prefix)).map((path) => path.slice(prefix.length));
  if (below.length === 0 && folder !== '') {
    throw new EngineError({ code: 'files.not-found', message: `There is no folder ${folder}.` });
  }
  return [...new Set(below.map((path) => path.split('/')[0] ?? ''))].map((name) => ({
    name,
    path: `${prefix}${name}`,
    kind: below.includes(name) ? 'file' : 'folder',
    change: null,
  }));
}

function readText(path: string): { text: string } {
  const text = files.get(path);
  if (text === undefined) throw new EngineError({ code: 'files.not-found', message: `There is no file ${path}.` });
  return { text };
}

beforeEach(() => {
  files = new Map([
    ['a.flow.yaml', 'flow: { name: A }\nnodes: []\n'],
    ['notes/one.md', 'one'],
    ['notes/deep/two.md', 'two'],
  ]);
  refusal = null;
  moved = [];
  engine = createEngineStandIn({
    listFolder: (folder) => {
      if (refusal !== null) throw refusal;
      return { entries: listOf(folder), isCut: false };
    },
    listRuns: () => [],
    readFile: (path) => ({ ...readText(path), isWritable: true }),
    readFlow: (path) => readText(path),
    renameFile: ({ from, to }) => {
      if (refusal !== null) throw refusal;
      const next = [...files].map(([path, text]): [string, string] => [
        path === from || path.startsWith(`${from}/`) ? `${to}${path.slice(from.length)}` : path,
        text,
      ]);
      files = new Map(next);
      return undefined;
    },
    trashFile: (path) => {
      files.delete(path);
      return undefined;
    },
    duplicateFile: (path) => {
      files.set('notes/one-copy.md', readText(path).text);
      return { path: 'notes/one-copy.md' };
    },
  });
  const main = createMainStandIn({
    'draft.move': (change) => {
      moved.push(change);
      return { notices: change.to === 'notes/taken.md' ? ['Text for it is in /d/x.damaged.txt.'] : [] };
    },
  });
  stores = createStores({
    engine: engine.client,
    main: main.client,
    documents: createDirectDocuments(),
    nextFrame: (callback) => {
      const timer = setTimeout(callback, 0);
      return () => clearTimeout(timer);
    },
  });
  engine.connect();
});
afterEach(() => stores.dispose());

function namesIn(folder: string): string[] | undefined {
  return stores.fileTree
    .getState()
    .folders.get(folder)
    ?.entries.map(({ name }) => name);
}

test('a folder is listed when it is expanded, and the folders around a file are listed when it is revealed', async () => {
  await settled();
  expect(namesIn('')).toEqual(['a.flow.yaml', 'notes']);
  expect(namesIn('notes')).toBeUndefined();
  stores.fileTree.getState().reveal('notes/deep/two.md');
  await settled();
  expect([namesIn('notes'), namesIn('notes/deep')]).toEqual([['one.md', 'deep'], ['two.md']]);
});

test('a change reloads the expanded folders that it affects, and a deleted folder is removed', async () => {
  stores.fileTree.getState().reveal('notes/deep/two.md');
  await settled();
  files.delete('notes/deep/two.md');
  files.set('notes/three.md', 'three');
  engine.push('watchFiles', { paths: ['notes/deep', 'notes/three.md'], isTree: true });
  await settled();
  expect(namesIn('notes')).toEqual(['one.md', 'three.md']);
  expect(stores.fileTree.getState().expanded).toEqual(new Set(['notes']));
});

test('a folder that cannot be read keeps its previous list and shows why', async () => {
  stores.fileTree.getState().setExpanded('notes', true);
  await settled();
  refusal = new EngineError({ code: 'files.not-readable', message: 'Permission was denied.' });
  await stores.fileTree.getState().load('notes');
  const listed = stores.fileTree.getState().folders.get('notes');
  expect([listed?.status, listed?.entries.length, listed?.error?.code]).toEqual(['failed', 2, 'files.not-readable']);
});

test('an open file with unsaved text keeps the text and the selection when its folder is renamed', async () => {
  await stores.openFiles.getState().open('notes/one.md', 'file');
  stores.edits.type('notes/one.md', [{ start: 3, end: 3, text: '!' }]);
  stores.selection.getState().setMode('notes/one.md', 'text');
  await settled();
  expect(await stores.files.rename('notes', 'texts')).toBe(true);
  await settled();
  const { tabs, files, activePath } = stores.openFiles.getState();
  expect([tabs, activePath]).toEqual([['texts/one.md'], 'texts/one.md']);
  const file = files.get('texts/one.md');
  expect([file?.text, file?.isDirty, file?.isMissing, file?.readError]).toEqual(['one!', true, false, null]);
  expect(stores.selection.getState().views.get('texts/one.md')?.mode).toBe('text');
  expect(moved).toEqual([{ from: 'notes', to: 'texts' }]);
  stores.edits.undo('texts/one.md');
  expect(stores.openFiles.getState().files.get('texts/one.md')?.text).toBe('one');
});

test('another extension changes the kind of file', async () => {
  await stores.openFiles.getState().open('a.flow.yaml');
  await stores.files.rename('a.flow.yaml', 'a.txt');
  await settled();
  const file = stores.openFiles.getState().files.get('a.txt');
  expect([file?.kind, file?.doc]).toEqual(['file', null]);
});

test('reports existing unsaved text for a new name, with the path of that text', async () => {
  await stores.files.rename('a.flow.yaml', 'notes/taken.md');
  await settled();
  expect(stores.notices.getState().list.map(({ detail }) => detail)).toContain('Text for it is in /d/x.damaged.txt.');
});

test('an error of the engine is shown as a notice, and nothing else happens', async () => {
  await stores.openFiles.getState().open('a.flow.yaml');
  refusal = new EngineError({ code: 'files.exists', message: 'b.flow.yaml already exists. Choose another name.' });
  expect(await stores.files.rename('a.flow.yaml', 'b.flow.yaml')).toBe(false);
  expect(stores.openFiles.getState().tabs).toEqual(['a.flow.yaml']);
  expect(stores.notices.getState().list).toMatchObject([
    { title: "Couldn't rename a.flow.yaml", detail: 'b.flow.yaml already exists. Choose another name.' },
  ]);
});

test('a tab with unsaved text is not replaced by a renamed file', async () => {
  await stores.openFiles.getState().open('a.flow.yaml');
  await stores.openFiles.getState().open('notes/one.md', 'file');
  stores.edits.type('notes/one.md', [{ start: 0, end: 0, text: '!' }]);
  expect(await stores.files.rename('a.flow.yaml', 'notes/one.md')).toBe(false);
  expect(stores.notices.getState().list[0]?.detail).toContain('notes/one.md has unsaved changes');
});

test('a deleted file loses its tab, and a copy appears beside its original', async () => {
  await stores.openFiles.getState().open('a.flow.yaml');
  stores.fileTree.getState().setExpanded('notes', true);
  await settled();
  expect(await stores.files.trash('a.flow.yaml')).toBe(true);
  expect(stores.openFiles.getState().tabs).toEqual([]);
  expect(await stores.files.duplicate('notes/one.md')).toBe('notes/one-copy.md');
  expect(namesIn('notes')).toContain('one-copy.md');
});

test('a changed folder reloads the open files below it', async () => {
  await stores.openFiles.getState().open('notes/one.md', 'file');
  files.set('notes/one.md', 'changed');
  engine.push('watchFiles', { paths: ['notes'], isTree: true });
  await settled();
  expect(stores.openFiles.getState().files.get('notes/one.md')?.text).toBe('changed');
});
