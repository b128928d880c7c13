import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readModelKeys } from './model-keys.ts';

let baseFolder: string;

beforeEach(() => {
  baseFolder = mkdtempSync(join(tmpdir(), 'millrace-keys-'));
});
afterEach(() => rmSync(baseFolder, { recursive: true }));

const env = { A_KEY: 'key a', B_KEY: 'key b', EMPTY: '', OTHER: 'no key' };

function configure(toml: string): void {
  writeFileSync(join(baseFolder, 'config-user.toml'), toml);
}

function provider(name: string, variable: string): string {
  return `[providers.${name}]\nkind = "openai-compatible"\nbase_url = "http://h"\napi_key_env = "${variable}"\n`;
}

test('the keys of all providers are given, also beside one with a mistake', () => {
  configure(`${provider('a', 'A_KEY')}[providers.bad]\nkind = "telepathy"\n${provider('b', 'B_KEY')}`);
  expect(readModelKeys(baseFolder, env)).toEqual(['key a', 'key b']);
});

test('an unset or empty variable is no key', () => {
  configure(`${provider('a', 'EMPTY')}${provider('b', 'UNSET')}`);
  expect(readModelKeys(baseFolder, env)).toEqual([]);
});

test('without settings, or with unreadable ones, there are none', () => {
  expect(readModelKeys(baseFolder, env)).toEqual([]);
  configure('[providers');
  expect(readModelKeys(baseFolder, env)).toEqual([]);
});
