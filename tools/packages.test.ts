import { expect, test } from 'vitest';
import { isInstalled } from './packages.mjs';

const wanted = {
  '': { version: '0.1.0' },
  'node_modules/yaml': { version: '2.9.1' },
  'node_modules/native-for-windows': { version: '1.0.0', optional: true },
};

test('manually installed packages count if their versions match the lock file', () => {
  expect(isInstalled(wanted, { 'node_modules/yaml': { version: '2.9.1' } })).toBe(true);
});

test('another version, or a missing package, has to be installed', () => {
  expect(isInstalled(wanted, { 'node_modules/yaml': { version: '2.9.0' } })).toBe(false);
  expect(isInstalled(wanted, {})).toBe(false);
});
