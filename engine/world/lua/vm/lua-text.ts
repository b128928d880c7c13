/**
 * Converts text between JavaScript and Lua. Lua strings are bytes; those that contain UTF-8 are text. Unpaired
 * surrogates, which UTF-8 cannot represent, become U+FFFD when passed to Lua.
 */
import { EngineError } from '../../../base/engine-error.ts';
import type { LuaWasm } from './lua-wasm.ts';
import type { LuaState } from './wasm-exports.ts';

export interface LuaText {
  /** Pushes a string. */
  push(L: LuaState, text: string): void;
  /** Returns the string on the stack; undefined if its bytes are not valid UTF-8. */
  read(L: LuaState, index: number): string | undefined;
  /** Returns the string with a replacement character for invalid UTF-8, for messages. */
  readLossy(L: LuaState, index: number): string;
  /** Allocates a zero-terminated text for C. The caller must `free` it. */
  allocate(text: string): { readonly address: number; readonly bytes: number };
}

const scratchSize = 4096;
/** Up to this length, reading byte by byte is faster than the decoder. */
const shortLength = 24;

function notEnoughMemory(): EngineError {
  return new EngineError({ code: 'lua.memory', message: 'not enough memory' });
}

function readAscii(bytes: Uint8Array, from: number, length: number): string | undefined {
  let text = '';
  for (let at = from; at < from + length; at++) {
    const byte = bytes[at] ?? 0;
    if (byte > 127) return undefined;
    text += String.fromCharCode(byte);
  }
  return text;
}

export function createLuaText({ api, bytes, words }: LuaWasm): LuaText {
  const encoder = new TextEncoder();
  const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  const lossy = new TextDecoder('utf-8', { ignoreBOM: true });
  const scratch = api.malloc(scratchSize);
  const lengthAddress = api.malloc(4);

  const decode = (L: LuaState, index: number, decoder: InstanceType<typeof TextDecoder>): string => {
    const address = api.lua_tolstring(L, index, lengthAddress);
    const length = words()[lengthAddress >> 2] ?? 0;
    const short = length <= shortLength ? readAscii(bytes(), address, length) : undefined;
    return short ?? decoder.decode(bytes().subarray(address, address + length));
  };

  const pushLong = (L: LuaState, text: string): void => {
    const encoded = encoder.encode(text);
    const address = api.malloc(encoded.length + 1);
    if (address === 0) throw notEnoughMemory();
    try {
      bytes().set(encoded, address);
      api.lua_pushlstring(L, address, encoded.length);
    } finally {
      api.free(address);
    }
  };

  return {
    push: (L, text) => {
      // A UTF-16 code unit takes at most three bytes.
      if (text.length * 3 > scratchSize) return pushLong(L, text);
      const { written } = encoder.encodeInto(text, bytes().subarray(scratch, scratch + scratchSize));
      api.lua_pushlstring(L, scratch, written);
    },
    read: (L, index) => {
      try {
        return decode(L, index, strict);
      } catch (thrown) {
        if (thrown instanceof TypeError) return undefined;
        throw thrown;
      }
    },
    readLossy: (L, index) => decode(L, index, lossy),
    allocate: (text) => {
      const encoded = encoder.encode(text);
      const address = api.malloc(encoded.length + 1);
      if (address === 0) throw notEnoughMemory();
      bytes().set(encoded, address);
      bytes()[address + encoded.length] = 0;
      return { address, bytes: encoded.length };
    },
  };
}
