// The worker's program is bundled on first import. Importing it here keeps this out of the test time.
import 'virtual:lua-worker';
import { afterAll, expect, test } from 'vitest';
import type { ScriptScope } from '../../runtime/kernel/capabilities/capabilities.ts';
import type { ScriptHost } from '../lua/host-calls.ts';
import { createLuaRuntime } from '../lua/lua-runtime.ts';
import { createScripts } from './scripts.ts';

const lua = createLuaRuntime();
afterAll(() => lua.close());

/** Runs a script. `done` lists its calls to the engine. */
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
  // The parts of the scope that scripts in this test use.
  const scope = { place: { shownPath: 'a.aip' }, hub: { flush: () => done.push('flush') } } as unknown as ScriptScope;
  const request = { code, globals: { input: 1, CTX: { STAGE: 'Data' } }, timeoutMs: null };
  const value = await scripts.run(request, scope, new AbortController().signal);
  return { value, done };
}

test('the history records the start of a script before its first call to the engine, and only once', async () => {
  const { done } = await run('aip.run.set_label("a") aip.run.set_label("b")');
  expect(done).toEqual(['flush', 'host', 'label', 'label']);
});

test('a script without host calls waits for no history write', async () => {
  expect(await run('return input + 1')).toEqual({ value: 2, done: [] });
});
