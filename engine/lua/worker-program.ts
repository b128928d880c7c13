/**
 * The program that workers run. It is large, so it is loaded when the first script starts.
 */

export interface WorkerProgram {
  /** CommonJS, for `new Worker(code, { eval: true })`. */
  readonly code: string;
  readonly module: WebAssembly.Module;
}

let loading: Promise<WorkerProgram> | undefined;

async function load(): Promise<WorkerProgram> {
  const { code, wasm } = await import('virtual:lua-worker');
  return { code, module: await WebAssembly.compile(Buffer.from(wasm, 'base64')) };
}

/** The program; the same for all runtimes of a process. */
export function loadWorkerProgram(): Promise<WorkerProgram> {
  loading ??= load();
  return loading;
}
