import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { toErrorRecord } from '../../base/engine-error.ts';
import { createTestFolder, type TestFolder } from '../../world/files/testing/test-folder.ts';
import { openCassetteFile } from './cassette-file.ts';

let folder: TestFolder;
let path: string;

beforeEach(() => {
  folder = createTestFolder();
  path = folder.at('sub/a.yaml');
});
afterEach(() => folder.remove());

const read = (): string => readFileSync(path, 'utf8');

test('creates file and folders on the first write, and leaves no temporary files', async () => {
  const file = await openCassetteFile(path);
  expect(file.text).toBeUndefined();
  await file.save(() => 'one');
  expect(read()).toBe('one');
  await file.save(() => 'two');
  expect(read()).toBe('two');
  expect(readdirSync(folder.at('sub'))).toEqual(['a.yaml']);
});

test('concurrent saves share one write with the newest content', async () => {
  const file = await openCassetteFile(path);
  const rendered: number[] = [];
  let newest = 0;
  const saves = [1, 2, 3, 4].map((number) => {
    newest = number;
    return file.save(() => {
      rendered.push(newest);
      return String(newest);
    });
  });
  await Promise.all(saves);
  expect(rendered).toEqual([4]);
  expect(read()).toBe('4');
});

test.each([
  ['changed', () => writeFileSync(path, 'theirs')],
  ['removed', () => rmSync(path)],
])('does not overwrite a file that was %s in the meantime', async (_, change) => {
  folder.write('sub/a.yaml', 'mine');
  const file = await openCassetteFile(path);
  change();
  const before = readdirSync(folder.at('sub'));
  expect(await file.save(() => 'new').catch(toErrorRecord)).toMatchObject({
    code: 'cassette.changed',
    message: expect.stringContaining(path),
  });
  expect(readdirSync(folder.at('sub'))).toEqual(before);
  if (before.length > 0) expect(read()).toBe('theirs');
});

test('does not overwrite a file that was created in the meantime', async () => {
  const file = await openCassetteFile(path);
  folder.write('sub/a.yaml', 'theirs');
  expect(await file.save(() => 'new').catch(toErrorRecord)).toMatchObject({ code: 'cassette.changed' });
  expect(read()).toBe('theirs');
});

test('reports a failed write, and the next one may succeed', async () => {
  folder.write('sub', 'a file in the way');
  const file = await openCassetteFile(path);
  expect(await file.save(() => 'x').catch(toErrorRecord)).toMatchObject({ code: 'files.not-writable' });
  rmSync(folder.at('sub'));
  await file.save(() => 'x');
  expect(read()).toBe('x');
});

test.each([
  ['bytes that are not text', () => folder.write('sub/a.yaml', Buffer.from([0xff, 0xfe, 0]))],
  ['a folder', () => folder.write('sub/a.yaml/inside', '')],
])('%s cannot be opened', async (_, prepare) => {
  prepare();
  expect(await openCassetteFile(path).catch(toErrorRecord)).toMatchObject({
    code: 'cassette.unreadable',
    message: expect.stringContaining(path),
  });
});
