/** Loads each chunk of the built command line first, because chunks that load each other must allow any order. */
import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { expect, test } from 'vitest';
import { builtPart } from '../testing/built-program.ts';
import { CodeCache } from './code-cache.ts';

test('each lazily loaded part of the engine can be loaded first', async () => {
  const cli = await builtPart('cli');
  const chunks = path.join(cli, 'chunks');
  const parts = readdirSync(chunks).filter((name) => /^(?:.*-(?:core|edit)|check|engine|zod)-.{8}\.cjs$/.test(name));
  expect(parts.length).toBeGreaterThan(8);
  const require = createRequire(path.join(cli, 'cli.cjs'));
  // Node itself loads the dependencies of the first file.
  for (const name of readdirSync(chunks))
    if (/^(?:rolldown-runtime|start)-.*\.cjs$/.test(name)) require(path.join(chunks, name));
  const folders = { shipped: path.join(cli, 'code'), own: path.join(cli, 'missing', 'code') };
  for (const part of parts) {
    const cache = new CodeCache(folders, require);
    expect(Object.keys(cache.load(path.join(chunks, part)) as object), part).not.toEqual([]);
  }
});
