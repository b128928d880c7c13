import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { checkLuaWasm, luaWasmFile } from './lua-worker-plugin.ts';

test('the Lua binary in the package is the one that the engine supports', async () => {
  const bytes = await readFile(luaWasmFile());
  expect(() => checkLuaWasm(bytes)).not.toThrow();
});

test('another Lua binary fails the build with instructions', async () => {
  const bytes = await readFile(luaWasmFile());
  bytes[bytes.length >> 1] = ~(bytes[bytes.length >> 1] ?? 0);
  expect(() => checkLuaWasm(bytes)).toThrow(/^The Lua binary of the package "wasmoon" has changed: .*npm ci/);
});
