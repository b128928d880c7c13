import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { toErrorRecord } from '../../base/engine-error.ts';
import { mergeOptions } from '../../language/agent/agent-options.ts';
import { readModelSettings, readOptionLayers } from './model-settings.ts';

let folder: string;
let places: { baseFolder: string; workspace: string };

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'millrace-settings-'));
  places = { baseFolder: join(folder, 'base'), workspace: join(folder, 'work') };
});
afterEach(() => rmSync(folder, { recursive: true }));

const layerFiles = [
  'base/millrace/config-default.toml',
  'base/config-default.toml',
  'base/config-user.toml',
  'work/.aipack/config.toml',
] as const;

function write(path: string, text: string): string {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
}

function merged() {
  return mergeOptions(readOptionLayers(places));
}

function problemOf(read: () => unknown): { code: string; message: string } {
  try {
    return { code: 'none', message: JSON.stringify(read()) };
  } catch (error) {
    return toErrorRecord(error);
  }
}

test('returns the built-in options and no model if no files exist', () => {
  const { model, input_concurrency, model_aliases } = merged();
  expect(model).toBeUndefined();
  expect(input_concurrency).toBe(2);
  expect(model_aliases).toHaveProperty('opus');
});

test('each file overrides the previous ones, and aliases are merged by name', () => {
  for (const [index, path] of layerFiles.entries()) {
    write(
      path,
      `[options]\nmodel = "from::${index}"\n[options.model_aliases]\nshared = "s::${index}"\na${index} = "x::${index}"`,
    );
    const { model, model_aliases } = merged();
    expect(model).toBe(`from::${index}`);
    expect(model_aliases).toMatchObject({ shared: `s::${index}`, a0: 'x::0', [`a${index}`]: `x::${index}` });
  }
  expect(readOptionLayers(places).map(({ model }) => model)).toEqual([
    undefined,
    'from::0',
    'from::1',
    'from::2',
    'from::3',
  ]);
});

test('reads the section under its older name but not under the misspelled one', () => {
  write(layerFiles[2], '[default_options]\ntemperature = 0.5');
  expect(merged().temperature).toBe(0.5);
  const file = write(layerFiles[2], '\n[default-options]\ntemperature = 0.5');
  expect(problemOf(merged)).toEqual({
    code: 'model.bad-config',
    message: `Config invalid (config path: ${file}:2)\n  reason: default-options has no effect; rename the section to [options]`,
  });
});

test.each([
  ['[options]\nmodel = 1', '2)\n  reason: options.model must be text'],
  ['a = 1\n\n[options]\n# x\ntop_p = "1"', '5)\n  reason: options.top_p must be a number'],
  ['[options.model_aliases]\na = 1', '2)\n  reason: options.model_aliases.a must be text'],
  ['options = 1', '1)\n  reason: options must be a table'],
  ['[options', '1:'],
  ['a = 1\na = 2', '2:'],
])('reports a mistake with its line: %j', (text, said) => {
  const file = write(layerFiles[1], text);
  expect(problemOf(merged)).toMatchObject({ code: 'model.bad-config' });
  expect(problemOf(merged).message).toContain(`Config invalid (config path: ${file}:${said}`);
});

const provider = (url: string) => `[providers.p]\nkind = "openai-compatible"\nbase_url = "${url}"\n`;

test('uses the providers of a workspace only if it is trusted', () => {
  write(layerFiles[3], provider('http://theirs/v1'));
  const distrusted = readModelSettings({ ...places, isTrusted: false });
  expect(distrusted.provider('p')).toBeUndefined();
  expect(distrusted.untrustedNames).toEqual(['p']);
  const trusted = readModelSettings({ ...places, isTrusted: true });
  expect(trusted.provider('p')?.baseUrl).toBe('http://theirs/v1');
  expect(trusted.untrustedNames).toEqual([]);
});

test('an untrusted workspace cannot redirect the key of a known provider', () => {
  write(layerFiles[3], '[providers.openai]\nbase_url = "http://theirs/v1"');
  const isTrusted = false;
  expect(readModelSettings({ ...places, isTrusted }).provider('openai')?.baseUrl).toBe('https://api.openai.com/v1');
  write(layerFiles[2], provider('http://mine/v1'));
  write(layerFiles[3], provider('http://theirs/v1'));
  expect(readModelSettings({ ...places, isTrusted }).provider('p')?.baseUrl).toBe('http://mine/v1');
  expect(readModelSettings({ ...places, isTrusted: true }).provider('p')?.baseUrl).toBe('http://theirs/v1');
});

test.each([
  ['openai', { kind: 'openai', baseUrl: 'https://api.openai.com/v1', apiKeyEnv: 'OPENAI_API_KEY' }],
  ['ollama', { kind: 'ollama', baseUrl: 'http://127.0.0.1:11434/v1' }],
  ['groq', { kind: 'openai-compatible', baseUrl: 'https://api.groq.com/openai/v1', apiKeyEnv: 'GROQ_API_KEY' }],
])('%s needs no settings', (name, config) => {
  expect(readModelSettings({ ...places, isTrusted: false }).provider(name)).toEqual(config);
});

test('an entry contains only differences from the defaults', () => {
  write(
    layerFiles[2],
    '[providers.groq]\napi_key_env = "MY_KEY"\n[providers.mine]\nkind = "anthropic"\n[providers.ollama]\nbase_url = "http://far:1/v1"',
  );
  const settings = readModelSettings({ ...places, isTrusted: false });
  expect(settings.provider('groq')).toMatchObject({ baseUrl: 'https://api.groq.com/openai/v1', apiKeyEnv: 'MY_KEY' });
  expect(settings.provider('mine')).toEqual({
    kind: 'anthropic',
    baseUrl: 'https://api.anthropic.com/v1',
    apiKeyEnv: 'ANTHROPIC_API_KEY',
  });
  expect(settings.provider('ollama')).toEqual({ kind: 'ollama', baseUrl: 'http://far:1/v1' });
  expect(settings.provider('constructor')).toBeUndefined();
});

test('an entry can list request fields that its provider does not accept', () => {
  write(layerFiles[2], `${provider('http://mine/v1')}\nomit_fields = ["stream_options", "temperature"]`);
  const read = () => readModelSettings({ ...places, isTrusted: false }).provider('p');
  expect(read()?.omitFields).toEqual(['stream_options', 'temperature']);
  write(layerFiles[2], `${provider('http://mine/v1')}\nomit_fields = ["messages"]`);
  expect(read).toThrow(/omit_fields.*may contain stream_options/);
});
