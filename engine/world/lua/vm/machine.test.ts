import { expect, test } from 'vitest';
import type { ScriptOutcome } from '../../workers/worker-protocol.ts';
import { apiModules } from '../api/api-modules.ts';
import type { HostCaller } from '../host-calls.ts';
import { loadWorkerProgram } from '../worker-program.ts';
import { createMachine, type LuaInterpreter } from './machine.ts';

const noHost: HostCaller = (name) => {
  throw new Error(`${name} was called`);
};

async function makeMachine(): Promise<LuaInterpreter> {
  return createMachine((await loadWorkerProgram()).module, apiModules);
}

function run(machine: LuaInterpreter, code: string, memoryBytes = 2 ** 28): ScriptOutcome {
  return machine.run({ code, chunkName: 'test.aip', globals: { n: [1, 2] }, scriptContext: {}, memoryBytes }, noHost);
}

test('3,000 scripts leak nothing', async () => {
  const machine = await makeMachine();
  const code = 'local t = {} for i = 1, 200 do t[i] = { i } end pcall(aip.agent.run) coroutine.wrap(print) return #t';
  run(machine, code);
  const before = machine.memorySize();
  for (let round = 0; round < 3000; round++) expect(run(machine, code)).toEqual({ isOk: true, value: 200 });
  expect(machine.memorySize()).toBe(before);
}, 60_000);

test('runs a script after others that failed in every way', async () => {
  const machine = await makeMachine();
  const bad = [
    'return (',
    'error({})',
    'local function f() return 1 + f() end f()',
    'return string.rep("x", 2 ^ 30)',
    'return print',
    'coroutine.wrap(function() error("x") end)()',
    'local x <close> = setmetatable({}, { __close = function() error("closing") end }) return 1',
    'setmetatable({}, { __gc = function() error("collecting") end }) return 1',
    'print("this calls the host, which refuses")',
  ];
  for (let round = 0; round < 3; round++) {
    for (const code of bad) run(machine, code);
    expect(run(machine, 'return n[2]')).toEqual({ isOk: true, value: 2 });
  }
});

test('a script that exceeds the memory limit does not affect others', async () => {
  const machine = await makeMachine();
  const hungry = [
    'return string.rep("x", 1 << 30)',
    'local s = "x" while true do s = s .. s end',
    'local t = {} while true do t[#t + 1] = { #t } end',
    'local t = {} for i = 1, 1e9 do t[i] = i end',
    'return table.concat({ string.rep("x", 1 << 24), string.rep("y", 1 << 24) }):rep(1000)',
  ];
  for (const code of hungry) {
    const outcome = run(machine, code, 32 * 2 ** 20);
    expect(outcome).toMatchObject({ isOk: false, error: { code: 'lua.memory' } });
  }
  expect(machine.memorySize()).toBeLessThanOrEqual(48 * 2 ** 20);
  const caught = 'local ok, err = pcall(string.rep, "x", 1 << 30) return { ok, err }';
  expect(run(machine, caught, 32 * 2 ** 20)).toEqual({ isOk: true, value: [false, 'not enough memory'] });
});

test('returns a result that is too large to be in memory twice', async () => {
  const machine = await makeMachine();
  const outcome = run(machine, 'return string.rep("x", 20 * 1024 * 1024)', 32 * 2 ** 20);
  expect(outcome.isOk && String(outcome.value).length).toBe(20 * 1024 * 1024);
});

test('changes by a script are not visible to the next one, however it ended', async () => {
  const machine = await makeMachine();
  const change = `
    getmetatable("").__index.upper = nil
    string.lower, table.insert, aip.text.trim, aip.json, print, left = nil, nil, nil, nil, nil, "left"
    package.loaded.x, package.preload.y = 1, 2`;
  const look = `
    return { ("a"):upper(), string.lower("A"), aip.text.trim(" b "), aip.json.parse("[1]"), left == nil,
      package.loaded.x == nil, package.preload.y == nil, type(print), type(table.insert) }`;
  for (const end of [
    'return 1',
    'error("x")',
    'return string.rep("x", 1 << 30)',
    'local function f() return f() + 1 end f()',
  ]) {
    run(machine, `${change}\n${end}`, 32 * 2 ** 20);
    const value = ['A', 'a', 'b', [1], true, true, true, 'function', 'function'];
    expect(run(machine, look), end).toEqual({ isOk: true, value });
  }
});

test('random numbers differ between scripts', async () => {
  const machine = await makeMachine();
  const numbers = Array.from({ length: 20 }, () => {
    const outcome = run(machine, 'return math.random(0)');
    return outcome.isOk ? outcome.value : outcome.error;
  });
  expect(new Set(numbers).size).toBe(20);
});

test('a script may fill the memory, and all of it is available to the next one', async () => {
  const machine = await makeMachine();
  const fill = 'local t = {} for i = 1, 1000000 do t[i] = i end return #t';
  run(machine, fill, 64 * 2 ** 20);
  const size = machine.memorySize();
  for (let round = 0; round < 20; round++) {
    expect(run(machine, fill, 64 * 2 ** 20)).toEqual({ isOk: true, value: 1000000 });
  }
  expect(machine.memorySize()).toBe(size);
});

test.each([
  'setmetatable({}, { __gc = function() print("end") end }) return 1',
  'local mark = { __gc = function() print("end") end } for i = 1, 1 do setmetatable({ i }, mark) end return 1',
  'kept = setmetatable({}, { ["__gc"] = function() print("end") end }) return 1',
  'load("kept = setmetatable({}, { __gc = function() print(\\"end\\") end })")() return 1',
  'require("words") return 1',
])('a finalizer runs before its script ends: %s', async (code) => {
  const machine = await makeMachine();
  const source = 'kept = setmetatable({}, { __gc = function() print("end") end })';
  const lines: string[] = [];
  const host = ((name: string, { text }: { readonly text: string }) => {
    if (name === 'script.require') return { file: 'lua/words.lua', source };
    lines.push(text);
    return null;
  }) as unknown as HostCaller;
  const script = { code, chunkName: 'test.aip', globals: {}, scriptContext: {}, memoryBytes: 2 ** 28 };
  for (let round = 0; round < 3; round++) {
    expect(machine.run(script, host)).toEqual({ isOk: true, value: 1 });
    expect(lines.splice(0)).toEqual(['end']);
    // Code after this point runs in the same interpreter and has nothing to finalize.
    expect(machine.run({ ...script, code: 'return kept' }, host)).toEqual({ isOk: true, value: null });
    expect(lines).toEqual([]);
  }
});
