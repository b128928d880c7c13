/**
 * Native functions that Lua calls. A single C function dispatches to all of them; its upvalue identifies the native.
 */
import { type ApiContext, LuaResults, type LuaValue } from '../api-module.ts';
import type { ErrorValues } from './error-values.ts';
import type { LuaCore } from './lua-core.ts';
import { type LuaState, upvalueIndex } from './wasm-exports.ts';

/** How a native receives its arguments and returns its results. */
export type Native = ValueNative | StackNative;

interface ValueNative {
  /** Name for errors, for example `aip.json.parse`. */
  readonly name: string;
  readonly call: (args: readonly LuaValue[], context: ApiContext) => LuaValue | LuaResults;
}

/** Works on the stack directly, for values that JSON cannot represent. Returns the number of results it pushed. */
interface StackNative {
  readonly name: string;
  readonly onStack: (L: LuaState) => number;
}

export interface Natives {
  /** Pushes the function. */
  push(L: LuaState, native: Native): void;
  /** Sets the context that natives use from now on. */
  setContext(context: ApiContext): void;
}

/** Whether the value is part of Lua's own error handling and must be rethrown. */
function isJump(thrown: unknown): boolean {
  return typeof thrown === 'number';
}

function readArgs({ api, read }: LuaCore, L: LuaState, name: string): LuaValue[] {
  const args: LuaValue[] = [];
  const count = api.lua_gettop(L);
  for (let index = 1; index <= count; index++) {
    args.push(read(L, index, { root: `${name} - argument ${index}`, emptyTable: 'list', numbers: 'lua' }));
  }
  return args;
}

/** Creates the functions of a thread. Each native keeps its number across interpreters. */
export function createNatives(core: LuaCore, errors: ErrorValues): Natives {
  const { api, wasm, push } = core;
  const known: Native[] = [];
  const numbers = new Map<Native, number>();
  let context: ApiContext | undefined;

  const pushResults = (L: LuaState, given: LuaValue | LuaResults): number => {
    const values = given instanceof LuaResults ? given.values : [given];
    if (api.lua_checkstack(L, values.length + 4) === 0) throw new RangeError('stack overflow');
    for (const value of values) push(L, value);
    return values.length;
  };

  const callNative = (L: LuaState): number => {
    const native = known[api.lua_tonumberx(L, upvalueIndex(1), 0)];
    if (native === undefined || context === undefined) throw new Error('The called function does not exist');
    if ('onStack' in native) return native.onStack(L);
    return pushResults(L, native.call(readArgs(core, L, native.name), context));
  };

  const dispatch = wasm.addFunction((L) => {
    let failure: unknown;
    try {
      return callNative(L);
    } catch (thrown) {
      if (isJump(thrown)) throw thrown;
      failure = thrown;
    }
    errors.push(L, failure);
    return api.lua_error(L);
  });

  return {
    push: (L, native) => {
      const number = numbers.get(native) ?? known.push(native) - 1;
      numbers.set(native, number);
      api.lua_pushnumber(L, number);
      api.lua_pushcclosure(L, dispatch, 1);
    },
    setContext: (next) => {
      context = next;
    },
  };
}
