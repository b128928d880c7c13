/**
 * Measures JavaScript in flows: an empty script in the worker pool, and one that computes. The baseline is the same
 * code in a ready QuickJS context without threads, limits or checks.
 */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import quickJs from '@jitl/quickjs-wasmfile-release-sync';
import { newQuickJSWASMModuleFromVariant, newVariant } from 'quickjs-emscripten-core';
import { createJsRuntime } from '../engine/world/js/js-runtime.ts';
import { cpuMs, median, report } from './statistics.ts';

const samples = 60;
const warmUps = 20;

const scripts = {
  'an empty script': '',
  'a script that computes for some milliseconds':
    'let sum = 0; for (let n = 0; n < 100000; n++) sum += (n * 7) % 11; return { sum };',
  'a script that maps 1,000 objects': `const items = Array.from({ length: 1000 }, (_, n) => ({ n, name: 'item ' + n }));
    return items.filter(({ n }) => n % 2 === 0).map(({ n, name }) => ({ id: n, name: name.toUpperCase() }));`,
};

/** Returns the median milliseconds of `work`. */
async function time(work: () => unknown): Promise<number> {
  const times: number[] = [];
  for (let sample = 0; sample < samples + warmUps; sample++) {
    const start = cpuMs();
    await work();
    if (sample >= warmUps) times.push(cpuMs() - start);
  }
  return median(times);
}

const wasm = createRequire(import.meta.url).resolve('@jitl/quickjs-wasmfile-release-sync/wasm');
const wasmModule = await WebAssembly.compile(await readFile(wasm));
const bare = await newQuickJSWASMModuleFromVariant(newVariant(quickJs, { wasmModule }));
const runtime = createJsRuntime();
const host = { log: () => Promise.resolve(null) };
const limits = { signal: new AbortController().signal, timeoutMs: null };

/** Runs the code in a new context and converts its result to JSON and back. */
function runBare(code: string): unknown {
  const context = bare.newContext();
  const result = context.evalCode(`JSON.stringify((function (input) {${code}\n})({})) ?? 'null'`);
  if (result.error !== undefined) throw new Error(JSON.stringify(context.dump(result.error)));
  const value: unknown = JSON.parse(context.getString(result.value));
  result.value.dispose();
  context.dispose();
  return value;
}

console.log(`JavaScript, Node ${process.versions.node}, median of ${samples}`);
for (const [what, code] of Object.entries(scripts)) {
  const ours = await time(() => runtime.run({ code, inputText: '{}', maxResultBytes: 2 ** 26 }, host, limits));
  report({ what, ours, yardstick: { name: 'bare QuickJS', value: await time(() => runBare(code)) }, unit: 'ms' });
}
await runtime.close();
