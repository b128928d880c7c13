import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { toErrorRecord } from '../../base/engine-error.ts';
import { readModelSettings } from './model-settings.ts';
import { removeProvider, setAlias, setDefaultModel, writeProvider } from './write-settings.ts';

let baseFolder: string;
let file: string;

beforeEach(() => {
  baseFolder = mkdtempSync(join(tmpdir(), 'millrace-write-'));
  file = join(baseFolder, 'config-user.toml');
});
afterEach(() => rmSync(baseFolder, { recursive: true }));

const local = {
  name: 'local',
  kind: 'openai-compatible',
  baseUrl: 'http://127.0.0.1:1/v1',
  apiKeyEnv: 'L_KEY',
} as const;

function settings() {
  return readModelSettings({ baseFolder, isTrusted: false });
}

test('creates the file if it does not exist', async () => {
  await writeProvider(baseFolder, local);
  await setDefaultModel(baseFolder, 'local::small');
  await setAlias(baseFolder, 'best one', 'local::big');
  expect(readFileSync(file, 'utf8')).toBe(
    `
[providers.local]
kind = "openai-compatible"
base_url = "http://127.0.0.1:1/v1"
api_key_env = "L_KEY"

[options]
model = "local::small"

[options.model_aliases]
"best one" = "local::big"
`.slice(1),
  );
  expect(settings().provider('local')).toEqual({ kind: local.kind, baseUrl: local.baseUrl, apiKeyEnv: 'L_KEY' });
  expect(settings().options.model).toBe('local::small');
});

const full = `# My settings
theme = 'dark' # of another program

[options] # the usual
temperature = 0.5
model = "old::one"   # was cheaper
stop = [
  "a", # first
]

[options.model_aliases]
best = "old::two"

# Works at home only.
[providers.local]
kind = "openai-compatible"
base_url = "http://old/v1"
api_key_env = "OLD_KEY"
color = "red"

[providers.other]
kind = "bedrock"
`;

test('changes only the affected text', async () => {
  writeFileSync(file, full);
  await setDefaultModel(baseFolder, 'new::"one"');
  await setAlias(baseFolder, 'fast', 'new::two');
  await writeProvider(baseFolder, { name: 'local', kind: 'openai-compatible', baseUrl: 'http://new/v1' });
  expect(readFileSync(file, 'utf8')).toBe(
    full
      .replace('"old::one"', '"new::\\"one\\""')
      .replace('best = "old::two"\n', 'best = "old::two"\nfast = "new::two"\n')
      .replace('"http://old/v1"', '"http://new/v1"')
      .replace('api_key_env = "OLD_KEY"\n', ''),
  );
});

test('removes an entry without affecting the rest, and is idempotent', async () => {
  writeFileSync(file, full);
  for (let round = 0; round < 2; round++) {
    await removeProvider(baseFolder, 'local');
    await setAlias(baseFolder, 'best', undefined);
    await setDefaultModel(baseFolder, undefined);
  }
  const left = readFileSync(file, 'utf8');
  for (const kept of ["theme = 'dark' # of another program", 'temperature = 0.5', '"a", # first', 'kind = "bedrock"']) {
    expect(left).toContain(kept);
  }
  expect(left).not.toMatch(/old|local\]|red/);
});

test('preserves Windows line ends and a byte order mark', async () => {
  writeFileSync(file, '\uFEFF[options]\r\ntemperature = 1\r\n');
  await setDefaultModel(baseFolder, 'a::b');
  await setAlias(baseFolder, 'x', 'a::b');
  expect(readFileSync(file, 'utf8')).toBe(
    '\uFEFF[options]\r\ntemperature = 1\r\nmodel = "a::b"\r\n\r\n[options.model_aliases]\r\nx = "a::b"\r\n',
  );
});

test('preserves the older names in an older file', async () => {
  writeFileSync(file, '[default_options]\ntemperature = 1');
  await setDefaultModel(baseFolder, 'a::b');
  expect(readFileSync(file, 'utf8')).toBe('[default_options]\ntemperature = 1\nmodel = "a::b"\n');
});

test.each([
  ['providers = { local = { kind = "ollama" } }\n', 'model.settings-not-changed'],
  ['options.temperature = 1\nproviders.local.kind = "ollama"\n', 'model.settings-not-changed'],
  ['[providers', 'model.bad-config'],
])('leaves a file that cannot be edited in place unchanged: %j', async (text, code) => {
  writeFileSync(file, text);
  expect(await writeProvider(baseFolder, local).catch(toErrorRecord)).toMatchObject({ code });
  expect(readFileSync(file, 'utf8')).toBe(text);
});

test('applies all concurrent changes', async () => {
  const names = Array.from({ length: 20 }, (_, index) => `alias-${index}`);
  await Promise.all(names.map((name) => setAlias(baseFolder, name, `to::${name}`)));
  expect(settings().options.model_aliases).toMatchObject(
    Object.fromEntries(names.map((name) => [name, `to::${name}`])),
  );
});

test('a failed change does not block the next one', async () => {
  mkdirSync(file);
  expect(await setDefaultModel(baseFolder, 'a::b').catch(toErrorRecord)).toMatchObject({ code: 'model.bad-config' });
  rmSync(file, { recursive: true });
  await setDefaultModel(baseFolder, 'a::b');
  expect(settings().options.model).toBe('a::b');
});

test.each([
  [{ ...local, name: 'a b' }, '"a b" is not a valid name'],
  [{ ...local, name: 'scripted' }, 'is not a valid name'],
  [{ ...local, baseUrl: 'file:///etc' }, 'base_url must be an http or https address'],
  [{ name: 'x', kind: 'openai-compatible' } as const, 'base_url must be'],
  [{ ...local, apiKeyEnv: 'sk-123' }, 'not a key'],
])('rejects an invalid provider and does not write it (%#)', async (provider, message) => {
  const error = await writeProvider(baseFolder, provider).catch(toErrorRecord);
  expect(error).toMatchObject({ code: 'model.bad-provider', message: expect.stringContaining(message) });
  expect(JSON.stringify(error)).not.toContain('sk-123');
  expect(() => readFileSync(file)).toThrow('ENOENT');
});

test('a known provider can be written without its URL', async () => {
  await writeProvider(baseFolder, { name: 'groq', kind: 'openai-compatible', apiKeyEnv: 'MY_GROQ' });
  expect(settings().provider('groq')).toMatchObject({
    baseUrl: 'https://api.groq.com/openai/v1',
    apiKeyEnv: 'MY_GROQ',
  });
});
