/**
 * Where a script stands, read from Lua's records of its calls.
 */
import type { LuaCore } from './lua-core.ts';
import type { LuaState } from './wasm-exports.ts';

export interface StackFrame {
  /** The chunk's name with its `@`. */
  readonly source: string;
  readonly line: number;
}

/** Byte offsets in `lua_Debug` of Lua 5.4 on 32 bits. */
const offsets = { source: 16, sourceLength: 20, currentLine: 24 } as const;
const recordSize = 128;
/** Deeper stacks are recursions, of which one round is enough. */
const maxFrames = 200;

/** Frames of Lua code, the innermost first. */
export type FrameReader = (L: LuaState) => StackFrame[];

export function createFrameReader({ api, wasm, text }: LuaCore): FrameReader {
  const record = api.malloc(recordSize);
  const what = text.allocate('Sl').address;
  return (L) => {
    const frames: StackFrame[] = [];
    for (let level = 0; level < maxFrames && api.lua_getstack(L, level, record) !== 0; level++) {
      api.lua_getinfo(L, what, record);
      const words = wasm.words();
      const at = (offset: number): number => words[(record + offset) >> 2] ?? 0;
      const line = at(offsets.currentLine);
      if (line <= 0) continue;
      const address = at(offsets.source);
      const bytes = wasm.bytes().subarray(address, address + at(offsets.sourceLength));
      frames.push({ source: new TextDecoder().decode(bytes), line });
    }
    return frames;
  };
}
