import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { programVersion } from './program-version.ts';

test('is the version of the package', () => {
  const manifest = JSON.parse(readFileSync(join(import.meta.dirname, '..', '..', 'package.json'), 'utf8'));
  expect(programVersion).toBe(manifest.version);
});
