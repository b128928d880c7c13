import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Clock } from '../../base/clock.ts';
import { toErrorRecord } from '../../base/engine-error.ts';
import type { ModelCapability } from '../../runtime/kernel/models/model-capability.ts';
import { createManualClock, type ManualClock } from '../../testing/manual-clock.ts';
import { type ModelServer, startModelServer } from '../../testing/model-server.ts';
import { createWorkspaceFiles } from '../files/workspace-files.ts';
import { createModelRouter } from './model-router.ts';

let folder: string;
let server: ModelServer;
let clock: ManualClock;
let isTrusted: boolean;
let router: ModelCapability;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'millrace-routed-'));
  server = await startModelServer('openai-compatible');
  clock = createManualClock();
  isTrusted = false;
  const workspace = join(folder, 'work');
  mkdirSync(workspace);
  router = createModelRouter({
    baseFolder: join(folder, 'base'),
    workspace,
    isTrusted: () => isTrusted,
    keyOf: (variable) => (variable === 'A_KEY' ? 'a key' : undefined),
    files: createWorkspaceFiles(workspace),
    clock: clock satisfies Clock,
    random: () => 0,
  });
});
afterEach(async () => {
  await server.close();
  rmSync(folder, { recursive: true });
});

function write(path: string, text: string): void {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

const provider = () =>
  `[providers.p]\nkind = "openai-compatible"\nbase_url = "${server.baseUrl}"\napi_key_env = "A_KEY"\n`;
const options = { signal: new AbortController().signal, onText: () => {} };
const messages = [{ role: 'user', content: 'Hello?' }] as const;

test.each([
  ['gpt-5-mini-low', { provider: 'openai', model: 'gpt-5-mini-low', adapterKind: 'OpenAI' }],
  ['claude-opus-4-5', { provider: 'anthropic', model: 'claude-opus-4-5', adapterKind: 'Anthropic' }],
  ['gemini-2.5-pro', { provider: 'gemini', model: 'gemini-2.5-pro', adapterKind: 'Gemini' }],
  ['plain-name', { provider: 'ollama', model: 'plain-name', adapterKind: 'Ollama' }],
  ['groq::openai/gpt-oss-20b', { provider: 'groq', model: 'openai/gpt-oss-20b', adapterKind: 'OpenAICompatible' }],
  ['mine', { provider: 'groq', model: 'x', adapterKind: 'OpenAICompatible' }],
  ['mine-high', { provider: 'groq', model: 'x-high', adapterKind: 'OpenAICompatible' }],
  ['told', { provider: 'scripted', model: 'talk.yaml', adapterKind: 'Scripted' }],
])('routes %s to the right provider', (model, target) => {
  write('base/config-user.toml', '[options.model_aliases]\nmine = "groq::x"\ntold = "scripted::talk.yaml"');
  expect(router.resolve(model)).toEqual(target);
});

test('the default model may be an alias, and its suffix sets the reasoning effort', async () => {
  write(
    'base/config-user.toml',
    `${provider()}[options]\nmodel = "best-high"\n[options.model_aliases]\nbest = "p::tiny"`,
  );
  const reply = await router.ask({ model: undefined, messages }, options);
  expect(reply.text).toBe('Hello');
  expect(server.received[0]?.body).toMatchObject({ model: 'tiny', reasoning_effort: 'high' });
});

test('retries a network failure after a pause on the given clock', async () => {
  write('base/config-user.toml', provider());
  server.plan({ status: 503 }, { status: 429, headers: { 'retry-after': '7' } }, {});
  const asked = router.ask({ model: 'p::tiny', messages }, options);
  await server.whenReceived(1);
  await expect.poll(() => clock.delays).toContain(500);
  await clock.advance(500);
  await server.whenReceived(2);
  await expect.poll(() => clock.delays).toContain(7000);
  await clock.advance(7000);
  expect((await asked).text).toBe('Hello');
  expect(server.received).toHaveLength(3);
});

test('cancellation ends the pause between two attempts and sends nothing more', async () => {
  write('base/config-user.toml', provider());
  server.plan({ status: 503 });
  const controller = new AbortController();
  const asked = router.ask({ model: 'p::tiny', messages }, { ...options, signal: controller.signal });
  const outcome = asked.catch((reason: unknown) => reason);
  await expect.poll(() => clock.delays).toContain(500);
  controller.abort('stop');
  expect(await outcome).toBe('stop');
  expect(clock.openTimers).toBe(0);
  expect(server.received).toHaveLength(1);
});

test('a provider of the workspace becomes available once the workspace is trusted', async () => {
  write('work/.aipack/config.toml', `${provider()}[options]\nmodel = "p::tiny"`);
  const error = await router.ask({ model: undefined, messages }, options).catch(toErrorRecord);
  expect(error).toMatchObject({
    code: 'model.unknown-provider',
    message: expect.stringContaining('trust the workspace'),
  });
  isTrusted = true;
  expect((await router.ask({ model: undefined, messages }, options)).text).toBe('Hello');
});

test('reports a missing key together with the required setting', async () => {
  const error = await router.ask({ model: 'groq::x', messages }, options).catch(toErrorRecord);
  expect(error).toMatchObject({ code: 'model.missing-key', details: { provider: 'groq', variable: 'GROQ_API_KEY' } });
});

test('a model on a self-hosted server has no price', async () => {
  write('base/config-user.toml', provider());
  expect(await router.ask({ model: 'p::gpt-5', messages }, options)).not.toHaveProperty('costUsd');
});

test('reads the script of a pack from the pack or the workspace and from nowhere else', async () => {
  const script = (text: string): string => `replies: [{ match: "", reply: "${text}" }]`;
  const scriptedBase = join(folder, 'pack');
  write('pack/talk.yaml', script('of the pack'));
  write('work/talk.yaml', script('of the workspace'));
  write('work/other.yaml', script('other of the workspace'));
  write('secret.yaml', script('secret'));
  const ask = (path: string, base?: string) =>
    router.ask(
      { model: `scripted::${path}`, messages, ...(base === undefined ? {} : { scriptedBase: base }) },
      options,
    );
  expect((await ask('talk.yaml', scriptedBase)).text).toBe('of the pack');
  expect((await ask('talk.yaml')).text).toBe('of the workspace');
  expect((await ask('other.yaml', scriptedBase)).text).toBe('other of the workspace');
  expect(await ask('../secret.yaml', scriptedBase).catch(toErrorRecord)).toMatchObject({ code: 'files.outside' });
});
