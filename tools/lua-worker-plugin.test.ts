import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { checkLuaWasm, luaWasmFile } from './lua-worker-plugin.ts';

test('the Lua binary in the package is the one that the engine was written against', async () => {
  const bytes = await readFile(luaWasmFile());
  expect(() => checkLuaWasm(bytes)).not.toThrow();
});

test('another Lua binary is refused with a sentence that says what to do, so nothing is built with it', async () => {
  const bytes = await readFile(luaWasmFile());
  bytes[bytes.length >> 1] = ~(bytes[bytes.length >> 1] ?? 0);
  expect(() => checkLuaWasm(bytes)).toThrow(/^The Lua binary of the package "wasmoon" has changed: .*npm ci/);
});
