import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { root } from './paths.mjs';

test('only tests with isolated modules replace modules', () => {
  const files = ['engine', 'electron', 'renderer', 'tools', 'bench'].flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) => path.join(folder, name)),
  );
  const shared = files.filter((file) => /\.test\.tsx?$/.test(file) && !file.endsWith('.isolated.test.ts'));
  const replacing = shared.filter((file) => /\bvi\.(?:do)?[mM]ock\(/.test(readFileSync(path.join(root, file), 'utf8')));
  expect(shared.length).toBeGreaterThan(400);
  expect(replacing).toEqual([]);
});
