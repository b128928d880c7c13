/**
 * Calls functions of an `aip.*` module like a script, without a Lua interpreter.
 */
import { type ApiModule, LuaResults, type LuaValue } from '../world/lua/api-module.ts';
import type { HostCaller } from '../world/lua/host-calls.ts';

const noHost: HostCaller = (name) => {
  throw new Error(`This function called ${name} of the host, which the test does not offer.`);
};

interface ApiCaller {
  /** Returns the first value of the function; its errors are rethrown. */
  (name: string, ...args: readonly LuaValue[]): LuaValue;
  /** Returns all values of the function in order. */
  all(name: string, ...args: readonly LuaValue[]): readonly LuaValue[];
}

/** Creates a caller, for example `const call = apiCaller(textApi); call('trim', ' a ')`. */
export function apiCaller(module: ApiModule, host: HostCaller = noHost): ApiCaller {
  const all = (name: string, ...args: readonly LuaValue[]): readonly LuaValue[] => {
    const member = module.members.find((one) => one.name === name);
    if (member === undefined || !('call' in member))
      throw new Error(`aip.${module.name}.${name} is no native function`);
    const given = member.call(args, { host, scriptContext: {} });
    return given instanceof LuaResults ? given.values : [given];
  };
  return Object.assign((name: string, ...args: readonly LuaValue[]) => all(name, ...args)[0], { all });
}
