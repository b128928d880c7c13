/**
 * Starts the WebAssembly module that contains Lua. We provide the imports instead of using the JavaScript of the
 * `wasmoon` package. A module that cannot access files, processes or JavaScript objects needs no further sandbox, and
 * it starts in a fraction of the time.
 */
import type { LuaExports, LuaState } from './wasm-exports.ts';
import { timeImports } from './wasm-time.ts';

/** A C function: reads its arguments from the stack of `L` and returns the number of results it pushed. */
type LuaCFunction = (L: LuaState) => number;

export interface LuaWasm {
  readonly api: LuaExports;
  /** Returns the memory as bytes. Call this again after anything that may allocate. */
  bytes(): Uint8Array;
  /** Returns the memory as 32-bit integers. Call this again after anything that may allocate. */
  words(): Int32Array;
  /** Returns a function's address for `lua_pushcclosure`. */
  addFunction(fn: LuaCFunction): number;
  /** Sets the maximum memory size in bytes. Memory that is already allocated is kept. */
  limitMemory(bytes: number): void;
  /** Returns Lua's memory usage in bytes. It never shrinks. */
  memorySize(): number;
}

const pageSize = 65_536;
/** C's ENOSYS: the function is not implemented. */
const notThere = 52;

/** Thrown by `longjmp`. It is not an error; Lua raises its own errors this way through our stack frames. */
const jump = Number.POSITIVE_INFINITY;

/**
 * A module that imports `e.f` as `(i32) -> i32` and exports it, because a function table accepts only functions of a
 * WebAssembly module.
 */
const trampoline = new Uint8Array([
  0, 97, 115, 109, 1, 0, 0, 0, 1, 6, 1, 96, 1, 127, 1, 127, 2, 7, 1, 1, 101, 1, 102, 0, 0, 7, 5, 1, 1, 102, 0, 0,
]);

/** Adds a stub for every required import that is missing. The stub fails like a system without that function. */
function withRefusals(module: WebAssembly.Module, offered: Record<string, WebAssembly.ImportValue>) {
  const imports: Record<string, Record<string, WebAssembly.ImportValue>> = {};
  for (const { module: group, name } of WebAssembly.Module.imports(module)) {
    const refusal = group === 'env' ? () => -notThere : () => notThere;
    imports[group] ??= {};
    imports[group][name] = offered[name] ?? refusal;
  }
  return imports;
}

/**
 * @param module the compiled `glue.wasm` of wasmoon; `tools/lua-worker-plugin.ts` contains the hash of the matching
 * version
 */
export function startLuaWasm(module: WebAssembly.Module): LuaWasm {
  let limit = Number.POSITIVE_INFINITY;
  let u8 = new Uint8Array();
  let i32 = new Int32Array();
  const look = (): void => {
    u8 = new Uint8Array(api.memory.buffer);
    i32 = new Int32Array(api.memory.buffer);
  };
  const grow = (wanted: number): number => {
    const have = api.memory.buffer.byteLength;
    // Growing by more than requested avoids many small steps.
    for (const size of [Math.min(wanted + have * 0.2, wanted + 64 * 2 ** 20), wanted]) {
      if (size > limit) continue;
      try {
        api.memory.grow(Math.ceil((size - have) / pageSize));
        look();
        return 1;
      } catch {
        // There is not enough memory; the smaller step may still fit.
      }
    }
    return 0;
  };
  const offered = {
    ...timeImports(() => ({ i32, u8 })),
    invoke_vii: (index: number, first: number, second: number) => {
      const stack = api.stackSave();
      try {
        api.__indirect_function_table.get(index)(first, second);
      } catch (thrown) {
        api.stackRestore(stack);
        if (thrown !== jump) throw thrown;
        api.setThrew(1, 0);
      }
    },
    _emscripten_throw_longjmp: () => {
      throw jump;
    },
    emscripten_resize_heap: (wanted: number) => grow(wanted >>> 0),
    abort: () => {
      throw new Error('The Lua interpreter aborted');
    },
  };
  const api = new WebAssembly.Instance(module, withRefusals(module, offered)).exports as unknown as LuaExports;
  look();
  api.emscripten_stack_init();
  api.__wasm_call_ctors();
  return {
    api,
    bytes: () => u8,
    words: () => i32,
    addFunction: (fn) => {
      const wrapped = new WebAssembly.Instance(new WebAssembly.Module(trampoline), { e: { f: fn } }).exports['f'];
      const index = api.__indirect_function_table.grow(1);
      api.__indirect_function_table.set(index, wrapped);
      return index;
    },
    limitMemory: (bytes) => {
      limit = bytes;
    },
    memorySize: () => api.memory.buffer.byteLength,
  };
}

// A snapshot of Lua's memory. Restoring it creates a new interpreter at a fraction of the cost of initializing one, and
// removes every trace of the previous script.

export interface LuaMemoryImage {
  /** Restores the memory. Everything allocated since is lost, and addresses into it become invalid. */
  restore(): void;
}

/** The block size in which C's allocator requests memory. */
const blockSize = 65_536;
const zeroes = new Uint8Array(blockSize);

/** Returns the end of the written memory from `start` on; everything after it is zero. */
function endOfUse(memory: Uint8Array, start: number): number {
  let end = start;
  while (end < memory.length && Buffer.compare(memory.subarray(end, end + blockSize), zeroes) !== 0) end += blockSize;
  return Math.min(end, memory.length);
}

/**
 * Takes a snapshot. Call it outside all calls into Lua, because C's stack contents are not saved. The memory contains
 * the module's own data, then the stack, then all allocations.
 */
export function takeMemoryImage({ api, bytes }: LuaWasm): LuaMemoryImage {
  const stack = api.stackSave();
  const heapStart = api.emscripten_stack_get_base();
  const data = bytes().slice(0, api.emscripten_stack_get_end());
  const heap = bytes().slice(heapStart, endOfUse(bytes(), heapStart));
  return {
    restore() {
      const memory = bytes();
      memory.set(data);
      memory.set(heap, heapStart);
      api.stackRestore(stack);
    },
  };
}
