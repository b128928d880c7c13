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

const env = new Map(
  Object.entries({ A_KEY: 'key a', B_KEY: 'key b', EMPTY: '', OTHER: 'no key', GROQ_API_KEY: 'key g' }),
);
const keyOf = (variable: string): string | undefined => env.get(variable);

function configure(toml: string): void {
  writeFileSync(join(baseFolder, 'config-user.toml'), toml);
}

function provider(name: string, variable: string): string {
  return `[providers.${name}]\nkind = "openai-compatible"\nbase_url = "http://h"\napi_key_env = "${variable}"\n`;
}

test('returns the keys of all providers even if one has a mistake', () => {
  configure(`${provider('a', 'A_KEY')}[providers.bad]\nkind = "telepathy"\n${provider('b', 'B_KEY')}`);
  expect(readModelKeys({ baseFolder }, keyOf)).toEqual(['key a', 'key b', 'key g']);
});

test('returns the keys of all providers even if the options have a mistake', () => {
  configure(`${provider('a', 'A_KEY')}[options.model_aliases]\nb = 7\n`);
  expect(readModelKeys({ baseFolder }, keyOf)).toEqual(['key a', 'key g']);
});

test('ignores unset and empty variables and includes keys of known providers without settings', () => {
  configure(`${provider('a', 'EMPTY')}${provider('b', 'UNSET')}`);
  expect(readModelKeys({ baseFolder }, keyOf)).toEqual(['key g']);
});

test('returns only keys of known providers if the settings are missing or unreadable', () => {
  expect(readModelKeys({ baseFolder }, keyOf)).toEqual(['key g']);
  configure('[providers');
  expect(readModelKeys({ baseFolder }, keyOf)).toEqual(['key g']);
});
