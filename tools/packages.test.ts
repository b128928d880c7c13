import { expect, test } from 'vitest';
import { isInstalled } from './packages.mjs';

const wanted = {
  '': { version: '0.1.0' },
  'node_modules/yaml': { version: '2.9.1' },
  'node_modules/native-for-windows': { version: '1.0.0', optional: true },
};

test('packages installed by hand count when their versions are those of the lock', () => {
  expect(isInstalled(wanted, { 'node_modules/yaml': { version: '2.9.1' } })).toBe(true);
});

test('another version, or a package that is missing, has to be installed', () => {
  expect(isInstalled(wanted, { 'node_modules/yaml': { version: '2.9.0' } })).toBe(false);
  expect(isInstalled(wanted, {})).toBe(false);
});
