/**
 * Types for defining an `aip.*` module: one file per module in `api/`, with a list of documented functions. Functions
 * run synchronously in the script's worker; anything outside it is reached through `context.host`.
 */
import type { JsonMap, JsonValue } from '../../language/json/json-value.ts';
import type { HostCaller } from './host-calls.ts';
import type { LuaNumber } from './lua-number.ts';

/** A table with string keys. */
export type LuaMap = { readonly [key: string]: LuaData };

/** Data that JSON can represent, with Lua's number types. */
export type LuaData = null | boolean | string | LuaNumber | readonly LuaData[] | LuaMap;

/** An argument or result of a function: `undefined` is nil, `null` the `null` sentinel. An empty Lua table is `[]`. */
export type LuaValue = LuaData | undefined;

/** The result of a function that returns several values. */
export class LuaResults {
  readonly values: readonly LuaValue[];

  constructor(...values: readonly LuaValue[]) {
    this.values = values;
  }
}

/** The services that a function can access. */
export interface ApiContext {
  /** Calls the engine and waits for the result. A refusal is thrown and becomes a Lua error. */
  readonly host: HostCaller;
  /** `CTX` as passed to the script. */
  readonly scriptContext: JsonMap;
}

interface ApiFunctionInfo {
  /** Name as in Lua, for example `split_first`. */
  readonly name: string;
  /** Description for the reference in one to three sentences: the function's effect, result and errors. */
  readonly signature: string;
  /** Description for the reference in one to three sentences: what it does, returns and raises. */
  readonly summary: string;
  /** Whether it accesses anything outside the script. Not available to agents with the pure contract. */
  readonly reachesOut?: true;
}

/** A function written in TypeScript. A thrown error becomes a Lua error with the same message. */
export interface NativeFunction extends ApiFunctionInfo {
  readonly call: (args: readonly LuaValue[], context: ApiContext) => LuaValue | LuaResults;
}

/**
 * A function written in Lua, for functions that change their caller's tables or must preserve functions and metatables.
 * `lua` is an expression that returns the function, for example `function(a) return a end`.
 */
export interface LuaFunction extends ApiFunctionInfo {
  readonly lua: string;
}

/** A constant, for example a user agent string. */
interface ApiConstant extends ApiFunctionInfo {
  readonly value: JsonValue;
}

export type ApiMember = NativeFunction | LuaFunction | ApiConstant;

/** A module as scripts see it: `aip.<name>`. */
export interface ApiModule {
  readonly name: string;
  /** The module's purpose in one sentence. */
  readonly summary: string;
  readonly members: readonly ApiMember[];
  /** Whether all of it accesses things outside the script. Not available to agents with the pure contract. */
  readonly reachesOut?: true;
  /** The module is not a table but a single function with the module's name: `aip.<name>(…)`. */
  readonly isFunction?: true;
}

/** Returns the name of a member as scripts write it, for example `aip.file.load`. */
export function fullNameOf({ name, isFunction }: ApiModule, member: ApiMember): string {
  return isFunction === true ? `aip.${name}` : `aip.${name}.${member.name}`;
}
