import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { systemClock } from '../../base/clock.ts';
import { EngineError, toErrorRecord } from '../../base/engine-error.ts';
import type { ModelCapability } from '../../runtime/kernel/models/model-capability.ts';
import { createModelRouter } from './model-router.ts';

let baseFolder: string;
let router: ModelCapability;
/** A comment appended to every script. */
let scriptEnd: string;

beforeEach(() => {
  scriptEnd = '';
  baseFolder = mkdtempSync(join(tmpdir(), 'millrace-models-'));
  const files = {
    readText: async (path: string) => {
      if (path === 'gone.yaml') throw new EngineError({ code: 'files.not-found', message: 'No such file' });
      return { path, text: `replies: [{ match: "", reply: "from ${path}" }]${scriptEnd}` };
    },
  };
  router = createModelRouter({
    baseFolder,
    keyOf: (name) => (name === 'EMPTY' ? '' : undefined),
    files,
    clock: systemClock,
  });
});

afterEach(() => rmSync(baseFolder, { recursive: true }));

function configure(toml: string): void {
  writeFileSync(join(baseFolder, 'config-user.toml'), toml);
}

function problemOf(model: string | undefined): { code: string; message: string } {
  try {
    return { code: 'none', message: JSON.stringify(router.resolve(model)) };
  } catch (error) {
    return toErrorRecord(error);
  }
}

const options = { signal: new AbortController().signal, onText: () => {} };

test('a scripted model needs no settings, and its name is a path', async () => {
  configure('this is not TOML');
  expect(router.resolve('scripted::talks/a.yaml')).toEqual({
    provider: 'scripted',
    model: 'talks/a.yaml',
    adapterKind: 'Scripted',
  });
  const reply = await router.ask({ model: 'scripted::talks/a.yaml', messages: [] }, options);
  expect(reply.text).toBe('from talks/a.yaml');
});

test('reports where to set a model if there is neither a model nor a default', () => {
  const { code, message } = problemOf(undefined);
  expect(code).toBe('model.missing');
  expect(message).toContain(join(baseFolder, 'config-user.toml'));
  expect(message).toContain('[options]');
});

test('uses the default model for requests without one, and a change of the file takes effect at once', async () => {
  configure('[options]\nmodel = "scripted::one.yaml"');
  expect((await router.ask({ model: undefined, messages: [] }, options)).text).toBe('from one.yaml');
  configure('[options]\nmodel = "scripted::two.yaml"');
  expect((await router.ask({ model: undefined, messages: [] }, options)).text).toBe('from two.yaml');
});

test('rejects an unknown provider and lists the known ones', () => {
  configure('[providers.local]\nkind = "openai-compatible"\nbase_url = "http://127.0.0.1:1/v1"');
  expect(router.resolve('local::org/model::tag')).toEqual({
    provider: 'local',
    model: 'org/model::tag',
    adapterKind: 'OpenAICompatible',
  });
  expect(problemOf('other::m').code).toBe('model.unknown-provider');
  expect(problemOf('other::m').message).toContain('scripted, local');
  expect(problemOf('constructor::m').code).toBe('model.unknown-provider');
  expect(problemOf('local::').code).toBe('model.unknown-provider');
});

test('rejects invalid settings with their file and position', async () => {
  configure('[options\nmodel = 1');
  expect(problemOf(undefined).code).toBe('model.bad-config');
  expect(problemOf(undefined).message).toContain('config-user.toml:1:');
  configure('[options]\nmodel = 1');
  expect(problemOf(undefined).message).toContain('options.model');
});

test.each([
  ['kind = "telepathy"', 'config-user.toml:2)\n  reason: providers.p.kind must be one of "openai"'],
  ['base_url = "http://h"', 'providers.p cannot be used: kind must be one of "openai"'],
  ['kind = "openai-compatible"', 'base_url'],
  ['kind = "openai-compatible"\nbase_url = "file:///etc"', 'base_url must be an http or https address'],
  ['kind = "openai-compatible"\nbase_url = "http://h"\napi_key_env = "sk-123"', 'not a key'],
  ['kind = "ollama"\nstructured_output = "json"', 'structured_output is only for the kind "openai-compatible"'],
  ['kind = "ollama"\napi_key = "sk-123"', 'api_key has no effect. Keys do not belong in this file'],
  ['kind = "ollama"\nbase_ulr = "http://h"', 'base_ulr has no effect. Did you mean "base_url"?'],
])('a provider entry with %j fails when it is used', async (entry, message) => {
  configure(`[providers.p]\n${entry}\n[providers.other]\nkind = "someone-elses"`);
  const error = await router.ask({ model: 'p::m', messages: [] }, options).catch(toErrorRecord);
  expect(error).toMatchObject({ code: 'model.bad-config' });
  expect(error).toHaveProperty('message', expect.stringContaining(message));
  expect(JSON.stringify(error)).not.toContain('sk-123');
});

test('a provider entry may contain keys of other programs', async () => {
  configure('[providers.p]\nkind = "openai-compatible"\nbase_url = "http://127.0.0.1:1/v1"\nretries = 3');
  expect(await router.ask({ model: 'p::m', messages: [] }, options).catch(toErrorRecord)).not.toMatchObject({
    code: 'model.bad-config',
  });
});

test.each(['EMPTY', 'UNSET'])('reports a key variable that is %s before anything is sent', async (name) => {
  configure(`[providers.p]\nkind = "openai-compatible"\nbase_url = "http://127.0.0.1:1/v1"\napi_key_env = "${name}"`);
  const error = await router.ask({ model: 'p::m', messages: [] }, options).catch(toErrorRecord);
  expect(error).toMatchObject({ code: 'model.missing-key', message: expect.stringContaining(name) });
});

describe('settingsOf', () => {
  const provider = (baseUrl: string, key = 'A_KEY') =>
    `[providers.p]\nkind = "openai-compatible"\nbase_url = "${baseUrl}"\napi_key_env = "${key}"\n`;

  test('settingsOf contains the provider, URL and model, but not the key', async () => {
    configure(provider('http://h/v1'));
    const settings = await router.settingsOf('p::m');
    expect(JSON.parse(settings)).toEqual({
      provider: 'p',
      model: 'm',
      kind: 'openai-compatible',
      address: 'http://h/v1',
    });
    configure(provider('http://h/v1', 'OTHER_KEY'));
    expect(await router.settingsOf('p::m')).toBe(settings);
    expect(await router.settingsOf('p::n')).not.toBe(settings);
    configure(provider('http://h/v2'));
    expect(await router.settingsOf('p::m')).not.toBe(settings);
  });

  test('settingsOf is the same for the default model and for its name', async () => {
    configure(`${provider('http://h/v1')}[options]\nmodel = "p::m"`);
    expect(await router.settingsOf(undefined)).toBe(await router.settingsOf('p::m'));
  });

  test('settingsOf contains the text of a script', async () => {
    const before = await router.settingsOf('scripted::a.yaml');
    expect(await router.settingsOf('scripted::a.yaml')).toBe(before);
    scriptEnd = ' # changed';
    expect(await router.settingsOf('scripted::a.yaml')).not.toBe(before);
  });

  test('settingsOf contains no secret from a URL', async () => {
    configure(provider('http://me:pw1234@h/v1?key=sk-1234'));
    expect(await router.settingsOf('p::m')).not.toMatch(/pw1234|sk-1234|A_KEY/);
  });

  test.each([
    ['this is not TOML', 'p::m', 'model.bad-config'],
    ['', undefined, 'model.missing'],
    ['', 'p::m', 'model.unknown-provider'],
    ['[providers.p]\nkind = "telepathy"', 'p::m', 'model.bad-config'],
    ['', 'scripted::gone.yaml', 'files.not-found'],
  ])('settingsOf reports the problem for the settings %j and the model %j', async (config, model, problem) => {
    configure(config);
    expect(JSON.parse(await router.settingsOf(model))).toEqual({ model: model ?? null, problem });
  });
});
