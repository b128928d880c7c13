/**
 * Calls a function of an `aip.*` module as a script would, without a Lua machine.
 */
import type { ApiModule, LuaValue } from '../lua/api-module.ts';
import { LuaResults } from '../lua/api-module.ts';
import type { HostCaller } from '../lua/host-calls.ts';

const noHost: HostCaller = (name) => {
  throw new Error(`This function called ${name} of the host, which the test does not offer.`);
};

/** Everything the function gives, in order. Throws what the function throws. */
export function callApiForAll(
  module: ApiModule,
  name: string,
  args: readonly LuaValue[],
  host: HostCaller = noHost,
): readonly LuaValue[] {
  const member = module.members.find((one) => one.name === name);
  if (member === undefined || !('call' in member)) throw new Error(`aip.${module.name}.${name} is no native function`);
  const given = member.call(args, { host, scriptContext: {} });
  return given instanceof LuaResults ? given.values : [given];
}

/** The first value that the function gives. */
export function callApi(module: ApiModule, name: string, args: readonly LuaValue[], host?: HostCaller): LuaValue {
  return callApiForAll(module, name, args, host)[0];
}
