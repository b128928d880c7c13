import { expect, test } from 'vitest';
import { apiModules } from '../api/api-modules.ts';
import type { HostCaller } from '../host-calls.ts';
import { loadWorkerProgram } from '../worker-program.ts';
import { createMachine, type Machine, type ScriptOutcome } from './machine.ts';

const noHost: HostCaller = (name) => {
  throw new Error(`${name} was called`);
};

async function makeMachine(): Promise<Machine> {
  return createMachine((await loadWorkerProgram()).module, apiModules);
}

function run(machine: Machine, code: string, memoryBytes = 2 ** 28): ScriptOutcome {
  return machine.run({ code, chunkName: 'test.aip', globals: { n: [1, 2] }, scriptContext: {}, memoryBytes }, noHost);
}

test('3,000 scripts leave nothing behind', async () => {
  const machine = await makeMachine();
  const code = 'local t = {} for i = 1, 200 do t[i] = { i } end pcall(aip.agent.run) coroutine.wrap(print) return #t';
  run(machine, code);
  const before = machine.memorySize();
  for (let round = 0; round < 3000; round++) expect(run(machine, code)).toEqual({ isOk: true, value: 200 });
  expect(machine.memorySize()).toBe(before);
}, 60_000);

test('after scripts that failed in every way the next one runs', async () => {
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

test('a script that asks for too much memory fails alone', async () => {
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

test('a result too large for memory to hold twice still arrives', async () => {
  const machine = await makeMachine();
  const outcome = run(machine, 'return string.rep("x", 20 * 1024 * 1024)', 32 * 2 ** 20);
  expect(outcome.isOk && String(outcome.value).length).toBe(20 * 1024 * 1024);
});
