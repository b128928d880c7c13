/**
 * The memory of Lua as it was at one moment, to go back to: a new machine that way costs a fraction of one that is built
 * from nothing, and nothing of the machine before is left in it.
 */
import type { LuaWasm } from './lua-wasm.ts';

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
