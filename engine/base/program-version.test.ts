import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { programVersion } from './program-version.ts';

test('equals the version in the package', () => {
  const manifest = JSON.parse(readFileSync(join(import.meta.dirname, '..', '..', 'package.json'), 'utf8'));
  expect(programVersion).toBe(manifest.version);
});
