import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { allowKeyHost, findNewHost, isKeyAllowed } from './key-hosts.ts';
import type { ProviderConfig } from './provider-config.ts';

let baseFolder: string;

beforeEach(() => {
  baseFolder = mkdtempSync(join(tmpdir(), 'millrace-hosts-'));
});

afterEach(() => rmSync(baseFolder, { recursive: true }));

function configure(toml: string): void {
  writeFileSync(join(baseFolder, 'config-user.toml'), toml);
}

function provider(baseUrl: string, apiKeyEnv?: string): ProviderConfig {
  return { kind: 'openai-compatible', baseUrl, ...(apiKeyEnv === undefined ? {} : { apiKeyEnv }) };
}

const known = provider('https://api.openai.com/v1', 'OPENAI_API_KEY');

test.each([
  ['its known host', 'https://api.openai.com/v1/other', true],
  ['its host by another scheme', 'http://api.openai.com/v1', false],
  ['its host by another port', 'https://api.openai.com:8443/v1', false],
  ['a host that only looks like it', 'https://api.openai.com.example.org/v1', false],
  ['a host with the known one as a name', 'https://api.openai.com@example.org/v1', false],
  ['the host of another key', 'https://api.anthropic.com/v1', false],
  ['this machine', 'http://127.0.0.1:1234/v1', false],
])('a known key may be sent to %s: %s %s', (_, baseUrl, expected) => {
  expect(isKeyAllowed(baseFolder, provider(baseUrl, 'OPENAI_API_KEY'))).toBe(expected);
});

test('a provider without a key may be called at any host', () => {
  expect(isKeyAllowed(baseFolder, provider('http://127.0.0.1:1/v1'))).toBe(true);
});

test("the user's own settings bind keys to hosts, and an entry with a mistake is ignored", () => {
  configure(
    '[providers.mine]\nkind = "openai"\nbase_url = "https://mine.example/v1"\napi_key_env = "MINE"\n\n[providers.bad]\nkind = 7\n',
  );
  expect(isKeyAllowed(baseFolder, provider('https://mine.example/v2', 'MINE'))).toBe(true);
  expect(isKeyAllowed(baseFolder, provider('https://mine.example/v2', 'OTHER'))).toBe(false);
  configure('this is not TOML');
  expect(isKeyAllowed(baseFolder, provider('https://mine.example/v2', 'MINE'))).toBe(false);
  expect(isKeyAllowed(baseFolder, known)).toBe(true);
});

test('an allowed key may be sent only to its host, and an unreadable list allows nothing', async () => {
  await allowKeyHost(baseFolder, 'MINE', 'https://a.example');
  await allowKeyHost(baseFolder, 'MINE', 'https://b.example');
  await allowKeyHost(baseFolder, 'MINE', 'https://b.example');
  const file = join(baseFolder, 'millrace', 'key-hosts.json');
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({
    version: 1,
    hosts: { MINE: ['https://a.example', 'https://b.example'] },
  });
  const may = () =>
    ['https://a.example/v1', 'https://b.example', 'https://c.example'].map((url) =>
      isKeyAllowed(baseFolder, provider(url, 'MINE')),
    );
  expect(may()).toEqual([true, true, false]);
  expect(isKeyAllowed(baseFolder, provider('https://a.example', 'OTHER'))).toBe(false);
  for (const text of ['{', '{"version":1,"hosts":{"MINE":"https://a.example"}}', '[]']) {
    writeFileSync(file, text);
    expect(may()).toEqual([false, false, false]);
  }
});

test('detects a new host, a key for a host, and another host of the same provider even if both are known', () => {
  const find = (next: ProviderConfig, former?: ProviderConfig) => findNewHost(baseFolder, 'p', { next, former });
  expect(find(known)).toBeUndefined();
  expect(find(known, known)).toBeUndefined();
  expect(find(provider('https://api.openai.com/v1'))).toBeUndefined();
  expect(find(provider('https://new.example/v1'))).toEqual({ provider: 'p', host: 'https://new.example' });
  expect(find(provider('https://api.openai.com/v1', 'ANTHROPIC_API_KEY'))).toEqual({
    provider: 'p',
    host: 'https://api.openai.com',
    keyVariable: 'ANTHROPIC_API_KEY',
  });
  expect(find(known, provider('https://api.groq.com/openai/v1', 'GROQ_API_KEY'))).toEqual({
    provider: 'p',
    host: 'https://api.openai.com',
    formerHost: 'https://api.groq.com',
    keyVariable: 'OPENAI_API_KEY',
  });
});
