/**
 * Loads the program of Lua workers. The program is large, so it is loaded when the first script starts.
 */
import type { WorkerProgram } from '../workers/worker-protocol.ts';

let loading: Promise<Required<WorkerProgram>> | undefined;

async function load(): Promise<Required<WorkerProgram>> {
  const { code, wasm } = await import('virtual:lua-worker');
  return { code, module: await WebAssembly.compile(Buffer.from(wasm, 'base64')) };
}

/** Returns the program, which all runtimes of a process share. */
export function loadWorkerProgram(): Promise<Required<WorkerProgram>> {
  loading ??= load();
  return loading;
}
