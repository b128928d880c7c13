// The program of the workers is bundled when it is first imported; here that does not count as time of a test.
import 'virtual:lua-worker';
import { afterAll, describe, expect, test } from 'vitest';
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

describe('a script finds its context however it looks for it', () => {
  test.each([
    'return CTX.STAGE',
    'local own = CTX return own.STAGE',
    'return _G.CTX.STAGE',
    'return _G["C" .. "TX"].STAGE',
    'for name, value in pairs(_G) do if #name == 3 and name:sub(1, 2) == "CT" then return value.STAGE end end',
    'return _ENV["C".."TX"].STAGE',
    'return getmetatable(_ENV).__index["C".."TX"].STAGE',
    'return load("return C" .. "TX.STAGE")()',
    'return ("x"):sub(2)..load("return C" .. "TX.STAGE")()',
    'local make = load return make("return C" .. "TX.STAGE")()',
    'return require("own").context.STAGE',
    'return package.loaded["_" .. "G"]["C" .. "TX"].STAGE',
  ])('%s', async (code) => {
    expect((await run(code)).value).toBe('Data');
  });
});

test('the history holds that a script has begun before it calls the engine for the first time, and not again', async () => {
  const { done } = await run('aip.run.set_label("a") aip.run.set_label("b")');
  expect(done).toEqual(['flush', 'host', 'label', 'label']);
});

test('a script that only computes makes nothing wait for the history', async () => {
  expect(await run('return input + 1')).toEqual({ value: 2, done: [] });
});
