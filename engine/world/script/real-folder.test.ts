import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createTestFolder, type TestFolder } from '../files/testing/test-folder.ts';
import { realFolderOf, realPathOf } from './script-paths.ts';

let folder: TestFolder;
beforeEach(() => {
  folder = createTestFolder();
  mkdirSync(folder.at('real/inner'), { recursive: true });
  writeFileSync(folder.at('file.txt'), 'text');
  symlinkSync(folder.at('real'), folder.at('link'), 'junction');
});
afterEach(() => folder.remove());

describe('realFolderOf resolves a folder like realPathOf', () => {
  test.each([
    { path: 'real', real: 'real' },
    { path: 'real/inner', real: 'real/inner' },
    { path: 'link', real: 'real' },
    { path: 'link/inner', real: 'real/inner' },
    { path: 'missing', real: 'missing' },
    { path: 'real/missing/below', real: 'real/missing/below' },
    { path: 'link/missing/below/more', real: 'real/missing/below/more' },
    { path: 'file.txt', real: 'file.txt' },
  ])('$path', async ({ path, real }) => {
    const known = new Map<string, string>();
    expect(realFolderOf(folder.at(path), known)).toBe(folder.at(real));
    expect(realFolderOf(folder.at(path), known)).toBe(await realPathOf(folder.at(path)));
  });

  test.runIf(process.platform !== 'win32')('rejects broken and circular links', async () => {
    symlinkSync(folder.at('nowhere'), folder.at('dangling'));
    symlinkSync(folder.at('circle'), folder.at('circle'));
    for (const path of ['dangling', 'dangling/below', 'circle', 'circle/below']) {
      const refusal = { code: 'files.bad-link' };
      expect(() => realFolderOf(folder.at(path), new Map())).toThrow(expect.objectContaining(refusal));
      await expect(realPathOf(folder.at(path))).rejects.toMatchObject(refusal);
    }
  });
});
