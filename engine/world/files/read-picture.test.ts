import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readPicture } from './read-picture.ts';

let folder: string;
let root: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'millrace-picture-'));
  root = path.join(folder, 'workspace');
  mkdirSync(root);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const put = (name: string, content: Uint8Array | string): void => writeFileSync(path.join(root, name), content);
const latin = (text: string): Buffer => Buffer.from(text, 'latin1');

test.each([
  ['image/png', latin('\x89PNG\r\n\x1a\nrest')],
  ['image/jpeg', latin('\xff\xd8\xff\xe0rest')],
  ['image/gif', latin('GIF89a')],
  ['image/webp', latin('RIFF\x01\x02\x03\x04WEBPrest')],
  ['image/avif', latin('\0\0\0\x20ftypavif')],
  ['image/svg+xml', latin('<?xml version="1.0"?>\n<!-- a > b -->\n<svg xmlns="x"/>')],
  ['image/svg+xml', latin('\xef\xbb\xbf  <svg>')],
])('returns a data URL for a file with %s content, whatever its name', async (type, content) => {
  put('a.dat', content);
  expect(await readPicture(root, 'a.dat')).toEqual({ address: `data:${type};base64,${content.toString('base64')}` });
});

test.each([
  ['text that is called a picture', 'a.png', 'no picture', 'files.not-picture'],
  ['a page that contains a drawing', 'a.svg', '<html><svg></svg></html>', 'files.not-picture'],
  ['nothing', 'a.png', '', 'files.not-picture'],
  ['more than 2 MiB', 'a.gif', `GIF89a${'x'.repeat(2 * 1024 * 1024)}`, 'files.too-large'],
])('rejects %s', async (_, name, content, code) => {
  put(name, content);
  await expect(readPicture(root, name)).rejects.toMatchObject({ code });
});

test('rejects paths outside the workspace, also behind links, and reports missing files', async () => {
  writeFileSync(path.join(folder, 'out.gif'), 'GIF89a');
  symlinkSync('../out.gif', path.join(root, 'link.gif'));
  mkdirSync(path.join(root, 'folder.png'));
  const codes = ['../out.gif', path.join(folder, 'out.gif'), 'link.gif', 'gone.png', 'folder.png'].map((name) =>
    readPicture(root, name).catch(({ code }: { code: string }) => code),
  );
  expect(await Promise.all(codes)).toEqual([
    'files.outside',
    'files.outside',
    'files.outside',
    'files.not-found',
    'files.not-text',
  ]);
});
