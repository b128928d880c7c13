/**
 * Starts the WebAssembly module that holds Lua. We offer the imports ourselves, instead of by the JavaScript of the
 * `wasmoon` package: a module that can reach no file, no process and no object of JavaScript needs no further walls, and it
 * starts in a fraction of the time.
 */
import type { LuaExports, LuaState } from './wasm-exports.ts';
import { timeImports } from './wasm-time.ts';

/** A C function: gets its arguments on the stack of `L`, gives how many results it has pushed. */
type LuaCFunction = (L: LuaState) => number;

export interface LuaWasm {
  readonly api: LuaExports;
  /** The memory as bytes. Ask anew after anything that may allocate. */
  bytes(): Uint8Array;
  /** The memory as 32 bit integers, with the same caution. */
  words(): Int32Array;
  /** Address of a function of ours, for `lua_pushcclosure`. */
  addFunction(fn: LuaCFunction): number;
  /** Most bytes that the memory may have from now on. What it has, it keeps. */
  limitMemory(bytes: number): void;
  /** Bytes that the memory has. It never shrinks. */
  memorySize(): number;
}

const pageSize = 65_536;
/** C's ENOSYS: there is no such function. */
const notThere = 52;

/** What `setjmp` and `longjmp` throw: not an error, but the way of Lua's own errors through our frames. */
const jump = Number.POSITIVE_INFINITY;

/** A module that imports `e.f` as `(i32) -> i32` and exports it: only functions of a module fit into its table. */
const trampoline = new Uint8Array([
  0, 97, 115, 109, 1, 0, 0, 0, 1, 6, 1, 96, 1, 127, 1, 127, 2, 7, 1, 1, 101, 1, 102, 0, 0, 7, 5, 1, 1, 102, 0, 0,
]);

/** Gives every import that is asked for and not offered: it fails as a system without that function would. */
function withRefusals(module: WebAssembly.Module, offered: Record<string, WebAssembly.ImportValue>) {
  const imports: Record<string, Record<string, WebAssembly.ImportValue>> = {};
  for (const { module: group, name } of WebAssembly.Module.imports(module)) {
    const refusal = group === 'env' ? () => -notThere : () => notThere;
    imports[group] ??= {};
    imports[group][name] = offered[name] ?? refusal;
  }
  return imports;
}

/** @param module the compiled `glue.wasm` of wasmoon; `tools/lua-worker-plugin.ts` holds the hash of the one that this fits */
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
    // Growing a little more than asked for spares many small steps.
    for (const size of [Math.min(wanted + have * 0.2, wanted + 64 * 2 ** 20), wanted]) {
      if (size > limit) continue;
      try {
        api.memory.grow(Math.ceil((size - have) / pageSize));
        look();
        return 1;
      } catch {
        // The machine has no more; the smaller step may still fit.
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
      throw new Error('The Lua machine stopped itself');
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

// A snapshot of the memory of Lua, to go back to: a new machine that way costs a fraction of one that is built
// from nothing, and nothing of the machine before is left in it.

export interface MemoryImage {
  /** Makes the memory what it was. What has been allocated since is gone, whoever holds addresses into it. */
  restore(): void;
}

/** The size in which C's allocator asks for memory. */
const blockSize = 65_536;
const zeroes = new Uint8Array(blockSize);

/** The end of what was ever written from `start` on: from there, memory is all zeroes. */
function endOfUse(memory: Uint8Array, start: number): number {
  let end = start;
  while (end < memory.length && Buffer.compare(memory.subarray(end, end + blockSize), zeroes) !== 0) end += blockSize;
  return Math.min(end, memory.length);
}

/**
 * Takes an image, outside of all calls into Lua: what lies on C's stack does not count.
 * The module's own data comes first in its memory, then the stack, then all that is allocated.
 */
export function takeMemoryImage({ api, bytes }: LuaWasm): MemoryImage {
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
