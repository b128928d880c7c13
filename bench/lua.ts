/**
 * Measures scripts: a new Lua interpreter with all of `aip`, a script in the worker pool, passing 1,000 objects in and
 * out, and calls from a script to Lua functions and host functions. The baseline for each is the same work without Lua.
 */
import vm from 'node:vm';
import { Worker } from 'node:worker_threads';
import { apiModules } from '../engine/world/lua/api/api-modules.ts';
import type { HostCaller, ScriptHost } from '../engine/world/lua/host-calls.ts';
import { createLuaRuntime } from '../engine/world/lua/lua-runtime.ts';
import { createMachine, type MachineScript } from '../engine/world/lua/vm/machine.ts';
import { loadWorkerProgram } from '../engine/world/lua/worker-program.ts';
import { cpuMs, median, report } from './statistics.ts';

const samples = 30;
const warmUps = 5;

/** Returns the median milliseconds of `work`. */
async function time(work: () => unknown): Promise<number> {
  const times: number[] = [];
  const outcome = await work();
  if (typeof outcome === 'object' && outcome !== null && 'isOk' in outcome && !outcome.isOk) {
    throw new Error(`A script failed: ${JSON.stringify(outcome)}`);
  }
  for (let sample = 0; sample < samples + warmUps; sample++) {
    const start = cpuMs();
    await work();
    if (sample >= warmUps) times.push(cpuMs() - start);
  }
  return median(times);
}

const noHost: HostCaller = (name) => {
  throw new Error(`${name} was called`);
};
const script: MachineScript = {
  code: 'return 1',
  chunkName: 'bench.aip',
  globals: {},
  scriptContext: {},
  memoryBytes: 2 ** 28,
};
const { module } = await loadWorkerProgram();

async function benchMachine(): Promise<void> {
  const machine = createMachine(module, apiModules);
  const ours = await time(() => machine.run(script, noHost));
  const value = await time(() => vm.runInNewContext('1'));
  report({
    what: 'a new interpreter and an empty script',
    ours,
    yardstick: { name: 'node:vm context', value },
    unit: 'ms',
  });

  const items = Array.from({ length: 1000 }, (_, id) => ({ id, name: `n${id}`, tags: ['a', 'b'], meta: { x: id } }));
  const withItems = { ...script, code: 'return items', globals: { items } };
  const both = await time(() => machine.run(withItems, noHost));
  const clone = await time(() => structuredClone(items));
  report({
    what: '1,000 objects in and out',
    ours: both - ours,
    yardstick: { name: 'structuredClone', value: clone },
    unit: 'ms',
  });
}

async function benchCalls(): Promise<void> {
  const machine = createMachine(module, apiModules);
  const calls = 1_000_000;
  const loop = (call: string): MachineScript => ({
    ...script,
    code: `local f, v = ${call} for i = 1, ${calls} do f(v) end`,
  });
  const perCall = async (call: string): Promise<number> =>
    ((await time(() => machine.run(loop(call), noHost))) / calls) * 1e6;
  const plain = await perCall('function(n) return n end, 1');
  report({
    what: 'a call of a Lua function',
    ours: plain,
    yardstick: { name: 'of math.abs', value: await perCall('math.abs, 1') },
    unit: 'ns',
  });
  report({
    what: 'a call of a host function',
    ours: await perCall('aip.text.trim, "x"'),
    yardstick: { name: 'of a Lua function', value: plain },
    unit: 'ns',
  });
}

async function benchPool(): Promise<void> {
  const runtime = createLuaRuntime();
  const host: Partial<ScriptHost> = { label: () => Promise.resolve(null) };
  const limits = { signal: new AbortController().signal, timeoutMs: null };
  const run = (code: string): Promise<unknown> => runtime.run({ ...script, code }, host as ScriptHost, limits);
  const echo = new Worker(
    'const { parentPort: p } = require("node:worker_threads"); p.on("message", (m) => p.postMessage(m))',
    {
      eval: true,
    },
  );
  const roundTrip = (): Promise<unknown> =>
    new Promise((resolve) => {
      echo.once('message', resolve);
      echo.postMessage(script);
    });
  const empty = await time(() => run('return 1'));
  const trip = { name: 'message to a worker and back', value: (await time(roundTrip)) * 1000 };
  report({ what: 'a script in the pool', ours: empty * 1000, yardstick: trip, unit: 'µs' });
  const calls = 200;
  const withCalls = await time(() => run(`for i = 1, ${calls} do aip.run.set_label("x") end`));
  report({ what: 'a call of the host', ours: ((withCalls - empty) / calls) * 1000, yardstick: trip, unit: 'µs' });
  await runtime.close();
  await echo.terminate();
}

console.log(`Lua, Node ${process.versions.node}, median of ${samples}`);
await benchMachine();
await benchCalls();
await benchPool();
