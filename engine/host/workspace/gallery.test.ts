import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createGallery, type GalleryEngine } from './gallery.ts';

let folder: string;
let galleryFolder: string;
let workspace: string;
let gallery: GalleryEngine;

const about = 'title: Sort\nuse: support\nshows: Sorts messages.\nopens: sort.flow.yaml\n';
const flow = 'flow: { name: Sort }\nnodes:\n  - { id: a, type: echo }\n  - { id: b, type: echo }\nedges: []\n';

/** Writes a file below the test's folder. */
function put(name: string, content: string): void {
  mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
  writeFileSync(path.join(folder, name), content);
}

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'millrace-gallery-'));
  galleryFolder = path.join(folder, 'gallery');
  workspace = path.join(folder, 'workspace');
  mkdirSync(workspace);
  put('gallery/sort/about.yaml', about);
  put('gallery/sort/sort.flow.yaml', flow);
  gallery = createGallery({ workspace, galleryFolder });
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Returns the files of the workspace, sorted. */
function workspaceFiles(): string[] {
  return readdirSync(workspace, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(workspace, path.join(entry.parentPath, entry.name)))
    .sort();
}

describe('the list', () => {
  test('has each example with its number of nodes, in the order of uses and titles', async () => {
    put('gallery/report/about.yaml', 'title: Report\nuse: data\nshows: Writes a page.\nopens: report.aip\n');
    put('gallery/report/report.aip', '# Output\n');
    put('gallery/apply/about.yaml', about.replace('Sort', 'Apply'));
    put('gallery/apply/sort.flow.yaml', flow);
    const { examples, problems } = await gallery.listGallery();
    expect(problems).toEqual([]);
    expect(examples.map(({ id }) => id)).toEqual(['apply', 'sort', 'report']);
    expect(examples[1]).toEqual({
      ...{ id: 'sort', title: 'Sort', use: 'support', shows: 'Sorts messages.', opens: 'sort/sort.flow.yaml' },
      ...{ nodes: 2, hasPicture: false, isCopied: false },
    });
    expect(examples[2]).not.toHaveProperty('nodes');
  });

  test.each([
    ['no about.yaml', null, 'has no about.yaml'],
    ['invalid YAML', 'title: [', 'about.yaml is not valid'],
    ['a missing key', 'title: Sort\nuse: support\nopens: sort.flow.yaml\n', 'shows: '],
    ['an unknown use', about.replace('support', 'fun'), 'use: '],
    ['a missing file to open', about.replace('sort.flow', 'gone.flow'), 'has no file "gone.flow.yaml"'],
    ['a file outside its folder', about.replace('sort.flow.yaml', '../sort/sort.flow.yaml'), 'has no file "../sort'],
    ['an absolute path', about.replace('sort.flow.yaml', '/etc/hostname'), 'has no file "/etc/hostname"'],
    ['a link to open', about.replace('sort.flow.yaml', 'link.flow.yaml'), 'has no file "link.flow.yaml"'],
  ])('leaves out an example with %s, and only that', async (_, text, reason) => {
    put('gallery/broken/notes.txt', 'x');
    symlinkSync('../sort/sort.flow.yaml', path.join(galleryFolder, 'broken/link.flow.yaml'));
    if (text !== null) put('gallery/broken/about.yaml', text);
    const { examples, problems } = await gallery.listGallery();
    expect(examples.map(({ id }) => id)).toEqual(['sort']);
    expect(problems).toEqual([{ id: 'broken', message: expect.stringContaining(reason) }]);
    await expect(gallery.copyGalleryExample('broken')).rejects.toMatchObject({ code: 'example.broken' });
    expect(workspaceFiles()).toEqual([]);
  });

  test('is empty without a gallery', async () => {
    const none = createGallery({ workspace });
    expect(await none.listGallery()).toEqual({ examples: [], problems: [] });
    await expect(none.copyGalleryExample('sort')).rejects.toMatchObject({ code: 'example.not-found' });
  });
});

describe('a copy', () => {
  test('has the files and tests of the example, but not those about it, links, or the output of runs', async () => {
    for (const name of ['sort.test.yaml', 'picture-light.webp', 'picture-dark.webp', 'out/page.md', 'notes/a.md'])
      put(`gallery/sort/${name}`, name);
    put('secret.txt', 'secret');
    symlinkSync('../../secret.txt', path.join(galleryFolder, 'sort/link.txt'));
    symlinkSync('../..', path.join(galleryFolder, 'sort/all'));
    const files = ['sort/notes/a.md', 'sort/sort.test.yaml', 'sort/sort.flow.yaml'];
    expect(await gallery.copyGalleryExample('sort')).toEqual({ path: 'sort/sort.flow.yaml', files });
    expect(workspaceFiles()).toEqual(files.toSorted());
    expect((await gallery.listGallery()).examples).toMatchObject([{ isCopied: true }]);
  });

  test('is not replaced', async () => {
    await gallery.copyGalleryExample('sort');
    put('workspace/sort/sort.flow.yaml', 'mine');
    expect(await gallery.copyGalleryExample('sort')).toEqual({ path: 'sort/sort.flow.yaml', files: [] });
    expect(readFileSync(path.join(workspace, 'sort/sort.flow.yaml'), 'utf8')).toBe('mine');
  });

  test('is not mixed with a folder that is something else', async () => {
    put('workspace/sort/mine.txt', 'mine');
    await expect(gallery.copyGalleryExample('sort')).rejects.toMatchObject({ code: 'files.exists' });
    expect(workspaceFiles()).toEqual(['sort/mine.txt']);
  });

  test('does not follow a link out of the workspace', async () => {
    mkdirSync(path.join(folder, 'elsewhere'));
    symlinkSync('../elsewhere', path.join(workspace, 'sort'));
    await expect(gallery.copyGalleryExample('sort')).rejects.toMatchObject({ code: 'files.outside' });
    expect(readdirSync(path.join(folder, 'elsewhere'))).toEqual([]);
  });

  test.each(['../sort', 'sort/notes', '', '.', 'gone', 'linked'])('is refused for the id %j', async (id) => {
    put('gallery/sort/notes/about.yaml', about);
    symlinkSync('sort', path.join(galleryFolder, 'linked'));
    await expect(gallery.copyGalleryExample(id)).rejects.toMatchObject({ code: 'example.not-found' });
    expect(existsSync(path.join(workspace, 'sort'))).toBe(false);
  });
});

test('a picture is a data URL, for each theme, and null without one', async () => {
  expect(await gallery.readGalleryPicture({ id: 'sort', theme: 'light' })).toEqual({ address: null });
  put('gallery/sort/picture-dark.webp', 'RIFF0000WEBPdark');
  expect(await gallery.readGalleryPicture({ id: 'sort', theme: 'dark' })).toEqual({
    address: `data:image/webp;base64,${Buffer.from('RIFF0000WEBPdark').toString('base64')}`,
  });
});
