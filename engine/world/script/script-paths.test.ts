import { mkdirSync, rmdirSync } from 'node:fs';
import { lstat } from 'node:fs/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createTestFolder, type TestFolder } from '../files/testing/test-folder.ts';
import { realPathOf } from './script-paths.ts';

let folder: TestFolder;
beforeEach(() => {
  folder = createTestFolder();
});
afterEach(() => folder.remove());

test('a folder created while its path is resolved is not mistaken for a broken link', async () => {
  const made = folder.at('made');
  for (let round = 0; round < 400; round++) {
    const found = realPathOf(made);
    // Creates the folder at a different moment in each round, between two file system accesses of the search.
    for (let looks = 0; looks < round % 8; looks++) await lstat(made).catch(() => undefined);
    mkdirSync(made);
    expect(await found).toBe(made);
    rmdirSync(made);
  }
});
