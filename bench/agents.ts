/**
 * Measures the cost per input of an agent with the sections Data and Output, with and without a prompt that a scripted
 * model answers, in a complete engine that records runs. The baselines are the same two calls as plain Lua functions in
 * one interpreter, and as scripts that each get their own interpreter, which is the minimum for two sections. Also
 * measures runs started by an agent, and whether memory usage grows with the number of inputs.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { createEngine, type Engine } from '../engine/index.ts';
import { apiModules } from '../engine/world/lua/api/api-modules.ts';
import type { HostCaller, ScriptHost } from '../engine/world/lua/host-calls.ts';
import { createLuaRuntime } from '../engine/world/lua/lua-runtime.ts';
import { createMachine, type MachineScript } from '../engine/world/lua/vm/machine.ts';
import { loadWorkerProgram } from '../engine/world/lua/worker-program.ts';
import { cpuMs, median, report } from './statistics.ts';

const inputCount = 1_000;
const rounds = 7;
const warmUpRounds = 2;
const childCount = 50;

const data = 'return { text = "input " .. input }';
const output = 'return data.text .. "!"';
const sections = `# Data\n\n\`\`\`lua\n${data}\n\`\`\`\n\n# Output\n\n\`\`\`lua\n${output}\n\`\`\`\n`;
const files: Readonly<Record<string, string>> = {
  'plain.aip': sections,
  'prompt.aip': `# Options\n\n\`\`\`toml\nmodel = "scripted::model.yaml"\n\`\`\`\n\n# User\n\nSay {{data.text}}.\n\n${sections}`,
  'model.yaml': 'chunkChars: 1000\nreplies:\n  - { match: "Say", reply: "said" }\n',
  'child.aip': `# Output\n\n\`\`\`lua\nreturn input\n\`\`\`\n`,
  'parent.aip': `# Output\n\n\`\`\`lua\nreturn aip.agent.run("child.aip", { inputs = { input } })\n\`\`\`\n`,
};

const folder = await mkdtemp(path.join(tmpdir(), 'millrace-agents-'));
for (const [name, text] of Object.entries(files)) await writeFile(path.join(folder, name), text);
const engine = await createEngine({ workspace: folder, homeFolder: path.join(folder, 'home') });

/** Returns the duration of one run in microseconds per input. */
async function timeRun(on: Engine, agent: string, count: number): Promise<number> {
  const inputs = Array.from({ length: count }, (_, index) => index);
  const startedAt = cpuMs();
  const accepted = await on.startAgent({ agent, inputs });
  if (!('runId' in accepted)) throw new Error('The run needs approval');
  const run = await on.whenEnded(accepted.runId);
  if (run?.status !== 'completed') throw new Error(`${agent}: ${run?.status}`);
  return ((cpuMs() - startedAt) / count) * 1000;
}

const { module } = await loadWorkerProgram();
const machine = createMachine(module, apiModules);
const noHost: HostCaller = (name) => {
  throw new Error(`${name} was called`);
};
const script: MachineScript = {
  code: '',
  chunkName: 'bench.aip',
  globals: {},
  scriptContext: {},
  memoryBytes: 2 ** 28,
};

/** Calls both sections as functions of one script in a loop. Returns the microseconds per input. */
function timeLoop(): number {
  const code = `
    local function data_of(input) ${data} end
    local function output_of(input, data) ${output} end
    local out = {}
    for i = 1, ${inputCount} do out[i] = output_of(i, data_of(i)) end
    return #out`;
  const startedAt = cpuMs();
  const outcome = machine.run({ ...script, code }, noHost);
  if (!outcome.isOk || outcome.value !== inputCount) throw new Error('The loop failed');
  return ((cpuMs() - startedAt) / inputCount) * 1000;
}

const runtime = createLuaRuntime();
const limits = { signal: new AbortController().signal, timeoutMs: null };
const noScriptHost = {} as ScriptHost;

/** Runs both sections as separate scripts. Returns the microseconds per input. */
async function timeScripts(count: number): Promise<number> {
  const startedAt = cpuMs();
  for (let input = 0; input < count; input++) {
    const made = await runtime.run({ ...script, code: data, globals: { input } }, noScriptHost, limits);
    await runtime.run({ ...script, code: output, globals: { input, data: made } }, noScriptHost, limits);
  }
  return ((cpuMs() - startedAt) / count) * 1000;
}

/** Returns the resident memory in MiB. */
function memory(): number {
  return process.memoryUsage().rss / 2 ** 20;
}

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** Returns the heap size of the engine thread after garbage collection, in MiB. */
function memoryThatStays(): number {
  collect();
  return process.memoryUsage().heapUsed / 2 ** 20;
}

async function benchMemory(): Promise<void> {
  await timeRun(engine, 'prompt.aip', 300);
  const first = { process: memory(), heap: memoryThatStays() };
  await timeRun(engine, 'prompt.aip', 3_000);
  const what = '3,000 inputs with a prompt, first runs';
  const name = 'after 300';
  const yardstick = { name, value: first.process };
  report({ what: `memory of the process after ${what}`, ours: memory(), yardstick, unit: 'MiB' });
  const stays = { name, value: first.heap };
  report({ what: `heap after ${what}`, ours: memoryThatStays(), yardstick: stays, unit: 'MiB' });
}

const works = {
  plain: () => timeRun(engine, 'plain.aip', inputCount),
  prompt: () => timeRun(engine, 'prompt.aip', inputCount),
  loop: () => timeLoop(),
  scripts: () => timeScripts(inputCount),
  children: () => timeRun(engine, 'parent.aip', childCount),
};

async function benchInputs(): Promise<void> {
  const names = Object.keys(works) as (keyof typeof works)[];
  const samples = new Map(names.map((name): [string, number[]] => [name, []]));
  for (let round = 0; round < rounds + warmUpRounds; round++) {
    for (const name of names) {
      const micros = await works[name]();
      if (round >= warmUpRounds) samples.get(name)?.push(micros);
    }
  }
  const of = (name: keyof typeof works): number => median(samples.get(name) ?? []);
  const floor = { name: '2 scripts in the pool', value: of('scripts') };
  const loop = { name: '2 calls in one Lua interpreter', value: of('loop') };
  const unit = 'µs per input';
  report({ what: 'Data and Output', ours: of('plain'), yardstick: loop, unit });
  report({ what: 'Data and Output', ours: of('plain'), yardstick: floor, unit });
  report({ what: 'Data, a prompt and Output', ours: of('prompt'), yardstick: floor, unit });
  report({ what: 'Output that runs another agent', ours: of('children'), yardstick: floor, unit });
}

console.log(`agents with ${inputCount} inputs, Node ${process.versions.node}, recorded in SQLite, median of ${rounds}`);
await benchMemory();
await benchInputs();
console.log(`memory after all runs: ${memory().toFixed(0)} MiB`);
await runtime.close();
await engine.close();
await rm(folder, { recursive: true });
