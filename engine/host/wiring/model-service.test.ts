import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createEngine, type Engine } from '../../index.ts';

let folder: string;
let workspace: string;
let engine: Engine | undefined;

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'millrace-models-'));
  workspace = path.join(folder, 'work');
  await mkdir(workspace);
});
afterEach(async () => {
  await engine?.close();
  engine = undefined;
  await rm(folder, { recursive: true });
});

async function write(name: string, text: string): Promise<void> {
  await mkdir(path.dirname(path.join(folder, name)), { recursive: true });
  await writeFile(path.join(folder, name), text);
}

async function open(env: Record<string, string> = {}): Promise<Engine> {
  const homeFolder = path.join(folder, 'home');
  engine = await createEngine({ workspace, homeFolder, env, bindsKeys: true });
  return engine;
}

function flowWith(...models: readonly (string | undefined)[]): string {
  const nodes = models.map((model, index) => ({
    id: `n${index}`,
    type: 'prompt',
    input: { prompt: 'hi' },
    ...(model === undefined ? {} : { config: { model } }),
  }));
  return JSON.stringify({ flow: { name: 'F' }, nodes, edges: [] });
}

describe('listModels', () => {
  test('finds the scripts anywhere in the workspace, and nothing else', async () => {
    await write('work/talk.yaml', 'replies: [{ match: ".*", reply: hi }]');
    await write('work/deep/in/words.yml', '{ "replies": [] }');
    await write('work/broken.yaml', 'replies: [{ match: "(", reply: hi }]');
    await write('work/other.yaml', 'replies: 3');
    await write('work/settings.yaml', 'depth: 3');
    await write('work/a.flow.yaml', flowWith());
    await write('outside.yaml', 'replies: []');
    await symlink(path.join(folder, 'outside.yaml'), path.join(workspace, 'link.yaml'));
    expect((await (await open()).listModels()).scripted).toEqual([
      'scripted::deep/in/words.yml',
      'scripted::talk.yaml',
    ]);
  });

  test('returns the models that flows use, most frequent first', async () => {
    await write('work/a.flow.yaml', flowWith('a::one', 'b::two', undefined));
    await write('work/sub/b.flow.yml', flowWith('b::two', 'c::three'));
    await write('work/broken.flow.yaml', 'nodes: [model');
    expect((await (await open()).listModels()).used).toEqual(['b::two', 'a::one', 'c::three']);
  });

  test('returns known models only of providers with a key', async () => {
    const models = await (await open({ OPENAI_API_KEY: 'k' })).listModels();
    expect(models.priced.length).toBeGreaterThan(3);
    expect(models.priced.every(({ model }) => model.startsWith('openai::'))).toBe(true);
    expect(models.priced.every(({ input, output }) => input > 0 && output >= input)).toBe(true);
  });

  test('returns aliases of models, including the built-in ones', async () => {
    await write('home/config-user.toml', '[options.model_aliases]\nquick = "openai::gpt-5"');
    expect((await (await open()).listModels()).aliases).toEqual(expect.arrayContaining(['quick', 'opus']));
  });

  test('returns the default, including that of the workspace', async () => {
    await write('work/.aipack/config.toml', '[options]\nmodel = "scripted::talk.yaml"');
    expect((await (await open()).listModels()).defaultModel).toBe('scripted::talk.yaml');
  });

  test('invalid settings do not hide scripts', async () => {
    await write('home/config-user.toml', 'model = [');
    await write('work/talk.yaml', 'replies: []');
    expect(await (await open()).listModels()).toEqual({
      defaultModel: null,
      scripted: ['scripted::talk.yaml'],
      used: [],
      priced: [],
    });
  });
});

describe('checkModels', () => {
  test('without a default, a node without a model has none', async () => {
    expect(await (await open()).checkModels([null])).toMatchObject([{ model: null, code: 'model.missing' }]);
  });

  test('nodes without a model use the default', async () => {
    await write('home/config-user.toml', '[options]\nmodel = "openai::gpt-5"');
    const found = await (await open()).checkModels([null]);
    expect(found).toMatchObject([
      { model: null, code: 'model.missing-key', provider: 'openai', variable: 'OPENAI_API_KEY' },
    ]);
  });

  test('reports which provider needs which key, by alias, by short name and by full name', async () => {
    const names = ['opus', 'gpt-5', 'groq::x', 'ollama::x', 'nobody::x', 'a::', 'x:2b'];
    const found = await (await open({ GROQ_API_KEY: 'k' })).checkModels(names);
    expect(found.map(({ model, code, variable }) => [model, code, variable])).toEqual([
      ['opus', 'model.missing-key', 'ANTHROPIC_API_KEY'],
      ['gpt-5', 'model.missing-key', 'OPENAI_API_KEY'],
      ['nobody::x', 'model.unknown-provider', undefined],
      ['a::', 'model.unknown-provider', undefined],
    ]);
  });

  test('requires an existing, valid script', async () => {
    await write('work/talk.yaml', 'replies: []');
    await write('work/broken.yaml', 'replies: 3');
    const names = ['talk', 'broken', 'gone', '../outside'].map((name) => `scripted::${name}.yaml`);
    const found = await (await open()).checkModels(names);
    expect(found.map(({ model, code }) => [model, code])).toEqual([
      ['scripted::broken.yaml', 'model.bad-script'],
      ['scripted::gone.yaml', 'files.not-found'],
      ['scripted::../outside.yaml', 'files.outside'],
    ]);
  });

  test('a key is not sent to a host that only the workspace configures, and invalid settings are reported', async () => {
    await write('work/.aipack/config.toml', '[providers.openai]\nbase_url = "http://127.0.0.1:9/v1"');
    const here = await open({ OPENAI_API_KEY: 'k' });
    await here.setTrust(true);
    expect(await here.checkModels(['openai::x'])).toMatchObject([
      { code: 'model.key-not-allowed', provider: 'openai', variable: 'OPENAI_API_KEY' },
    ]);
    await write('home/config-user.toml', 'model = [');
    expect(await here.checkModels(['openai::x'])).toMatchObject([{ code: 'model.bad-config' }]);
  });
});
