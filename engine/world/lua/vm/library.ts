/**
 * The globals of a new interpreter: Lua's standard library, the prelude that restricts it, and `aip`.
 */
import { type ApiMember, type ApiModule, fullNameOf, type NativeFunction } from '../api-module.ts';
import type { ErrorValues } from './error-values.ts';
import type { LuaCore } from './lua-core.ts';
import type { Native, Natives } from './natives.ts';
import { prelude } from './prelude.ts';
import { type LuaState, luaStatus, registryIndex } from './wasm-exports.ts';

// Built-in Lua code that every interpreter runs, compiled once per thread.

/** Pushes the function of the chunk. Raises a Lua error if there is not enough memory. */
type CompiledChunk = (L: LuaState) => void;

/** Stores the output of `string.dump` for the chunk at an address that is never freed. */
function compile({ api, text, wasm, load }: LuaCore, code: string, name: string) {
  const L = api.luaL_newstate();
  api.luaopen_string(L);
  text.push(L, 'dump');
  api.lua_rawget(L, -2);
  if (load(L, code, name) !== luaStatus.ok)
    throw new Error(`The built-in Lua code is invalid: ${text.readLossy(L, -1)}`);
  api.lua_callk(L, 1, 1, 0, 0);
  const bytes = Number(api.lua_rawlen(L, -1));
  const address = api.malloc(bytes);
  const source = api.lua_tolstring(L, -1, 0);
  wasm.bytes().copyWithin(address, source, source + bytes);
  api.lua_close(L);
  return { address, bytes };
}

/**
 * Compiles a chunk ahead of time, because compiling takes several times as long as loading the result.
 * @param name chunk name shown in errors, beginning with `=`
 */
function compileChunk(core: LuaCore, code: string, name: string): CompiledChunk {
  const { api, text } = core;
  const { address, bytes } = compile(core, code, name);
  const nameAddress = text.allocate(name).address;
  const mode = text.allocate('b').address;
  return (L) => {
    if (api.luaL_loadbufferx(L, address, bytes, nameAddress, mode) !== luaStatus.ok) api.lua_error(L);
  };
}

/** Registry key of the function that describes raised errors. */
export const describeKey = 2;
/** Registry key of `math.randomseed`, which scripts may remove. */
const seedKey = 3;
/** Registry index of the table of global variables (`LUA_RIDX_GLOBALS`). */
const globalsIndex = 2n;

export interface Library {
  /** Initializes a new interpreter. Raises Lua errors, so call it inside a protected call. */
  open(L: LuaState): void;
  /** Seeds the random numbers differently for every script. Also needs a protected call. */
  seed(L: LuaState): void;
  /**
   * Removes functions that access anything outside the script from `aip`. Applies to one script, because the next
   * one starts with all of them. Also needs a protected call.
   */
  withhold(L: LuaState): void;
  /** Pushes the table of global variables. */
  pushGlobals(L: LuaState): void;
}

interface LibraryParts {
  readonly core: LuaCore;
  readonly natives: Natives;
  readonly errors: ErrorValues;
  readonly modules: readonly ApiModule[];
  /** Functions by name that only the prelude calls. */
  readonly internals: Readonly<Record<string, Native>>;
}

/** Returns Lua source that evaluates to a list of all functions written in Lua, in order. */
function luaSource(members: readonly ApiMember[]): string {
  const functions = members.flatMap((member) => ('lua' in member ? [`(${member.lua})`] : []));
  return `return {\n${functions.join(',\n')}\n}`;
}

/** Returns the table that old packs call `aipack`: the directives of `aip.flow` and all members of `aip`. */
const aipackSource = `local aip = ...
local aipack = {}
for name, directive in pairs(aip.flow) do aipack[name] = directive end
return setmetatable(aipack, { __index = aip })`;

function nativeOf(module: ApiModule, member: NativeFunction): Native {
  return { name: fullNameOf(module, member), call: member.call };
}

class StandardLibrary implements Library {
  readonly #parts: LibraryParts;
  readonly #prelude: CompiledChunk;
  readonly #aipack: CompiledChunk;
  /** Returns all functions written in Lua as a list. */
  readonly #luaMembers: CompiledChunk;
  readonly #nativeMembers: ReadonlyMap<ApiMember, Native>;

  constructor(parts: LibraryParts) {
    this.#parts = parts;
    this.#prelude = compileChunk(parts.core, prelude, '=prelude');
    this.#aipack = compileChunk(parts.core, aipackSource, '=aipack');
    const members = parts.modules.flatMap((module) => module.members);
    this.#luaMembers = compileChunk(parts.core, luaSource(members), '=aip');
    this.#nativeMembers = new Map(
      parts.modules.flatMap((module) =>
        module.members.flatMap((member) => ('call' in member ? [[member, nativeOf(module, member)] as const] : [])),
      ),
    );
  }

  open(L: LuaState): void {
    const { api } = this.#parts.core;
    this.#openStandard(L);
    this.#runPrelude(L);
    this.#pushApi(L);
    this.#aipack(L);
    api.lua_pushvalue(L, 1);
    this.#call(L, 1, 1);
    this.pushGlobals(L);
    for (const [name, place] of [
      ['aip', 1],
      ['utils', 1],
      ['aipack', 2],
    ] as const) {
      api.lua_pushvalue(L, place);
      this.#setField(L, name);
    }
    api.lua_settop(L, 0);
  }

  seed(L: LuaState): void {
    const { core } = this.#parts;
    core.api.lua_rawgetp(L, registryIndex, seedKey);
    for (const seed of crypto.getRandomValues(new Uint32Array(2))) core.push(L, seed);
    this.#call(L, 2, 0);
  }

  withhold(L: LuaState): void {
    const { core, modules } = this.#parts;
    const { api } = core;
    this.pushGlobals(L);
    this.#pushField(L, 'aip');
    for (const module of modules) {
      if (module.reachesOut === true) {
        api.lua_pushnil(L);
        this.#setField(L, module.name);
        continue;
      }
      const members = module.members.filter(({ reachesOut }) => reachesOut === true);
      if (members.length === 0) continue;
      this.#pushField(L, module.name);
      for (const { name } of members) {
        api.lua_pushnil(L);
        this.#setField(L, name);
      }
      api.lua_settop(L, -2);
    }
    api.lua_settop(L, -3);
  }

  pushGlobals(L: LuaState): void {
    this.#parts.core.api.lua_rawgeti(L, registryIndex, globalsIndex);
  }

  /** Sets a field of the table below the top of the stack to the top value, and pops that value. */
  #setField(L: LuaState, name: string): void {
    const { api, text } = this.#parts.core;
    text.push(L, name);
    api.lua_rotate(L, -2, 1);
    api.lua_rawset(L, -3);
  }

  /** Pushes a field of the table on top of the stack. */
  #pushField(L: LuaState, name: string): void {
    const { api, text } = this.#parts.core;
    text.push(L, name);
    api.lua_rawget(L, -2);
  }

  #call(L: LuaState, args: number, results: number): void {
    this.#parts.core.api.lua_callk(L, args, results, 0, 0);
  }

  #openStandard(L: LuaState): void {
    const { api } = this.#parts.core;
    const standard = [
      ['_G', api.luaopen_base],
      ['coroutine', api.luaopen_coroutine],
      ['debug', api.luaopen_debug],
      ['math', api.luaopen_math],
      ['os', api.luaopen_os],
      ['string', api.luaopen_string],
      ['table', api.luaopen_table],
      ['utf8', api.luaopen_utf8],
    ] as const;
    this.pushGlobals(L);
    for (const [name, open] of standard) {
      open(L);
      this.#setField(L, name);
    }
    api.lua_settop(L, -2);
  }

  #runPrelude(L: LuaState): void {
    const { core, natives, errors, internals } = this.#parts;
    const { api } = core;
    this.#prelude(L);
    api.lua_createtable(L, 0, 4);
    for (const [name, native] of Object.entries(internals)) {
      natives.push(L, native);
      this.#setField(L, name);
    }
    core.push(L, null);
    this.#call(L, 2, 4);
    api.lua_rawsetp(L, registryIndex, seedKey);
    api.lua_rawsetp(L, registryIndex, describeKey);
    core.push(L, null);
    api.lua_rotate(L, -2, 1);
    api.lua_setmetatable(L, -2);
    api.lua_settop(L, -2);
    errors.setMetatable(L);
  }

  /** Leaves `aip` as the only value on the stack, which must be empty. */
  #pushApi(L: LuaState): void {
    const { core, modules } = this.#parts;
    const { api } = core;
    this.#luaMembers(L);
    this.#call(L, 0, 1);
    api.lua_createtable(L, 0, modules.length);
    let luaFunctions = 0n;
    for (const module of modules) {
      if (module.isFunction !== true) api.lua_createtable(L, 0, module.members.length);
      for (const member of module.members) {
        if ('lua' in member) luaFunctions++;
        this.#pushMember(L, member, luaFunctions);
        this.#setField(L, member.name);
      }
      if (module.isFunction !== true) this.#setField(L, module.name);
    }
    api.lua_rotate(L, 1, -1);
    api.lua_settop(L, -2);
  }

  /** @param place index in the list of functions written in Lua, which is at the bottom of the stack */
  #pushMember(L: LuaState, member: ApiMember, place: bigint): void {
    const { core, natives } = this.#parts;
    const native = this.#nativeMembers.get(member);
    if (native !== undefined) natives.push(L, native);
    else if ('value' in member) core.push(L, member.value);
    else core.api.lua_rawgeti(L, 1, place);
  }
}

/** Creates the library for the interpreters of a thread. */
export function createLibrary(parts: LibraryParts): Library {
  return new StandardLibrary(parts);
}
