/**
 * Copies and validates every example of the gallery. `engine/evaluation/example-tests.test.ts` runs their tests.
 */
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { createGallery } from '../host/workspace/gallery.ts';
import { setUpCli } from '../testing/cli-fixture.ts';

const galleryFolder = path.resolve(import.meta.dirname, '../../resources/gallery');
const ids = readdirSync(galleryFolder);
const cli = setUpCli();

test('the gallery lists every folder', async () => {
  const { examples, problems } = await createGallery({ workspace: cli.folder, galleryFolder }).listGallery();
  expect(problems).toEqual([]);
  expect(examples.map(({ id }) => id).sort()).toEqual(ids.sort());
});

// All at once, because starting the validation takes longer than a file.
test('no example has problems in its files', async () => {
  const copied: string[] = [];
  const gallery = createGallery({ workspace: cli.folder, galleryFolder });
  for (const id of ids) copied.push(...(await gallery.copyGalleryExample(id)).files);
  const checked = copied.filter((file) => /\.(?:(?:flow|dialogue)\.yaml|aip)$/.test(file));
  expect(checked.length).toBeGreaterThanOrEqual(ids.length);
  expect(await cli.call(['validate', ...checked, '--workspace', '.'])).toEqual({
    ...{ code: 0, stderr: '' },
    stdout: checked.map((file) => `${file}: valid\n`).join(''),
  });
});
