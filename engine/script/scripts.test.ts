// The program of the workers is bundled when it is first imported; here that does not count as time of a test.
import 'virtual:lua-worker';
import { afterAll, expect, test } from 'vitest';
import type { ScriptScope } from '../kernel/capabilities.ts';
import type { ScriptHost } from '../lua/host-calls.ts';
import { createLuaRuntime } from '../lua/lua-runtime.ts';
import { createScripts } from './scripts.ts';

const lua = createLuaRuntime();
afterAll(() => lua.close());

/** Runs a script. `done` lists what it made the engine do. */
async function run(code: string) {
  const done: string[] = [];
  const host: Partial<ScriptHost> = {
    label: async () => {
      done.push('label');
      return null;
    },
    'script.require': async () => ({ source: 'return { context = CTX }', file: 'lua/own.lua' }),
  };
  const scripts = createScripts(lua, () => {
    done.push('host');
    return host as ScriptHost;
  });
  // The parts that a script in this test can reach.
  const scope = { place: { shownPath: 'a.aip' }, hub: { flush: () => done.push('flush') } } as unknown as ScriptScope;
  const request = { code, globals: { input: 1, CTX: { STAGE: 'Data' } }, timeoutMs: null };
  const value = await scripts.run(request, scope, new AbortController().signal);
  return { value, done };
}

test('the history holds that a script has begun before it calls the engine for the first time, and not again', async () => {
  const { done } = await run('aip.run.set_label("a") aip.run.set_label("b")');
  expect(done).toEqual(['flush', 'host', 'label', 'label']);
});

test('a script that only computes makes nothing wait for the history', async () => {
  expect(await run('return input + 1')).toEqual({ value: 2, done: [] });
});
