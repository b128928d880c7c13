/**
 * How a module of `aip.*` is written: one file each in `api/`, a list of functions with their documentation. They run in
 * the script's worker, synchronously; what needs the world goes through `context.host`.
 */
import type { JsonMap, JsonValue } from '../flowspec/json-value.ts';
import type { HostCaller } from './host-calls.ts';
import type { LuaNumber } from './lua-number.ts';

/** A table with names. */
export type LuaMap = { readonly [key: string]: LuaData };

/** What JSON can hold, with the numbers of Lua. */
export type LuaData = null | boolean | string | LuaNumber | readonly LuaData[] | LuaMap;

/** A value as functions get and give it: `undefined` is nil, `null` the `null` sentinel. An empty Lua table is `[]`. */
export type LuaValue = LuaData | undefined;

/** What a function gives when it gives several values. */
export class LuaResults {
  readonly values: readonly LuaValue[];

  constructor(...values: readonly LuaValue[]) {
    this.values = values;
  }
}

/** What a function may reach for. */
export interface ApiContext {
  /** Calls the engine and waits for the answer; what it refuses is thrown and becomes a Lua error. */
  readonly host: HostCaller;
  /** `CTX` as the script was given it. */
  readonly scriptContext: JsonMap;
}

interface ApiFunctionInfo {
  /** As in Lua, for example `split_first`. */
  readonly name: string;
  /** With names and types, for example `split_first(text: string | nil, separator: string) -> string, string | nil`. */
  readonly signature: string;
  /** What it does, for the reference: one to three sentences, what it gives and when it raises. */
  readonly summary: string;
  /** It reaches out of the script: agents of the contract pure do not have it. */
  readonly reachesOut?: true;
}

/** A function written in TypeScript. What it throws becomes a Lua error with the same message. */
export interface NativeFunction extends ApiFunctionInfo {
  readonly call: (args: readonly LuaValue[], context: ApiContext) => LuaValue | LuaResults;
}

/**
 * A function written in Lua, for what must change its caller's tables or keep functions and metatables.
 * `lua` is an expression that gives the function, for example `function(a) return a end`.
 */
export interface LuaFunction extends ApiFunctionInfo {
  readonly lua: string;
}

/** A constant, for example a user agent's name. */
interface ApiConstant extends ApiFunctionInfo {
  readonly value: JsonValue;
}

export type ApiMember = NativeFunction | LuaFunction | ApiConstant;

/** A module as scripts see it: `aip.<name>`. */
export interface ApiModule {
  readonly name: string;
  /** What it is for, one sentence. */
  readonly summary: string;
  readonly members: readonly ApiMember[];
  /** All of it reaches out of the script: agents of the contract pure do not have it. */
  readonly reachesOut?: true;
  /** It is no table but its one member, which has its name: `aip.<name>(…)`. */
  readonly isFunction?: true;
}

/** How a script writes a member, for example `aip.file.load`. */
export function fullNameOf({ name, isFunction }: ApiModule, member: ApiMember): string {
  return isFunction === true ? `aip.${name}` : `aip.${name}.${member.name}`;
}
