/**
 * Converts values between JavaScript and Lua. A table with the keys 1 to n is a list, any other table an object.
 * Objects list their keys in alphabetical order, because Lua does not preserve an order. Metatables are ignored.
 * Arguments of functions keep their Lua numbers. The result of a script uses JSON numbers: a float without a fraction
 * becomes an integer, and an integer that would be rounded is rejected. Inside of tables `null` is the `null` sentinel,
 * the light userdata with address 0.
 */
import { unsafeNumberCode, unsafeNumberMessage } from '../../../language/json/exact-json.ts';
import { isLuaList, passAsText } from '../api-arguments.ts';
import type { LuaData, LuaMap, LuaValue } from '../api-module.ts';
import { isPlainInteger, LuaFloat, type LuaNumber, luaInteger } from '../lua-number.ts';
import type { LuaText } from './lua-text.ts';
import { type LuaExports, type LuaState, luaType } from './wasm-exports.ts';

/**
 * Pushes a value. A whole number becomes an integer if its text is a 64-bit integer, otherwise a float; `undefined`
 * becomes nil.
 * @throws RangeError if the value is nested too deeply
 */
export type ValuePusher = (L: LuaState, value: LuaValue) => void;

/** Maximum nesting depth of values passed between JavaScript and Lua. */
const maxDepth = 500;

export function createValuePusher(api: LuaExports, text: LuaText): ValuePusher {
  const pushNumber = (L: LuaState, value: LuaNumber): void => {
    if (typeof value === 'bigint') api.lua_pushinteger(L, value);
    else if (value instanceof LuaFloat) api.lua_pushnumber(L, value.value);
    else if (isPlainInteger(value)) api.lua_pushinteger(L, BigInt(value));
    else api.lua_pushnumber(L, value);
  };

  const pushList = (L: LuaState, list: readonly LuaData[], depth: number): void => {
    api.lua_createtable(L, list.length, 0);
    for (let index = 0; index < list.length; index++) {
      pushAt(L, list[index] ?? null, depth);
      api.lua_rawseti(L, -2, BigInt(index + 1));
    }
  };

  const pushMap = (L: LuaState, map: Readonly<Record<string, LuaValue>>, depth: number): void => {
    const keys = Object.keys(map);
    api.lua_createtable(L, 0, keys.length);
    for (const key of keys) {
      const value = map[key];
      // A field that is undefined is omitted.
      if (value === undefined) continue;
      text.push(L, key);
      pushAt(L, value, depth);
      api.lua_rawset(L, -3);
    }
  };

  const pushTable = (L: LuaState, value: readonly LuaData[] | LuaMap, depth: number): void => {
    if (depth > maxDepth) throw new RangeError(`The value is nested deeper than ${maxDepth} levels`);
    if (api.lua_checkstack(L, 4) === 0) throw new RangeError('stack overflow');
    if (isLuaList(value)) pushList(L, value, depth);
    else pushMap(L, value, depth);
  };

  const pushAt = (L: LuaState, value: LuaValue, depth: number): void => {
    switch (typeof value) {
      case 'string':
        text.push(L, value);
        break;
      case 'number':
      case 'bigint':
        pushNumber(L, value);
        break;
      case 'boolean':
        api.lua_pushboolean(L, value ? 1 : 0);
        break;
      case 'undefined':
        api.lua_pushnil(L);
        break;
      default:
        pushObject(L, value, depth);
    }
  };

  const pushObject = (L: LuaState, value: null | LuaFloat | readonly LuaData[] | LuaMap, depth: number): void => {
    if (value === null) api.lua_pushlightuserdata(L, 0);
    else if (value instanceof LuaFloat) pushNumber(L, value);
    else pushTable(L, value, depth + 1);
  };

  return (L, value) => pushAt(L, value, 0);
}

type LuaPathKey = string | number;

/** A value that cannot be converted, and its position. */
export class LuaValueError extends Error {
  readonly code: string;
  readonly path: readonly LuaPathKey[];
  /** The part of the message after the position. */
  readonly problem: string;

  /**
   * @param root start of the path, for example `result`
   * @param problem the part of the message after the position, for example `is a function`; or an integer that would be
   * rounded
   */
  constructor(root: string, path: readonly LuaPathKey[], problem: string | bigint) {
    const place = root + path.map(stepText).join('');
    const isNumber = typeof problem === 'bigint';
    super(isNumber ? unsafeNumberMessage(place, String(problem), passAsText) : `${place} ${problem}`);
    this.name = 'LuaValueError';
    this.path = [...path];
    this.problem = isNumber ? `is ${problem}, which would be rounded` : problem;
    this.code = isNumber ? unsafeNumberCode : 'lua.bad-value';
  }
}

function stepText(step: LuaPathKey): string {
  if (typeof step === 'number') return `[${step}]`;
  return /^[A-Za-z_]\w*$/.test(step) ? `.${step}` : `[${JSON.stringify(step)}]`;
}

export interface LuaReadOptions {
  /** Name of the value in errors, for example `result`. */
  readonly root: string;
  /** How an empty table is read: as a list in arguments of `aip.*`, as an object in the result of a script. */
  readonly emptyTable: 'list' | 'object';
  /** Whether numbers are converted to JSON numbers or keep their Lua types. */
  readonly numbers: 'json' | 'lua';
}

/** Reads the value at a stack index. @throws LuaValueError */
export type ValueReader = (L: LuaState, index: number, options: LuaReadOptions) => LuaValue;

interface LuaTableEntries {
  readonly keys: LuaPathKey[];
  readonly values: LuaData[];
}

/** Returns a list if the keys are 1 to n in any order; otherwise undefined. */
function listOf({ keys, values }: LuaTableEntries): LuaData[] | undefined {
  if (keys.every((key, index) => key === index + 1)) return values;
  const list: LuaData[] = new Array(keys.length);
  for (const [at, key] of keys.entries()) {
    const isPlace = typeof key === 'number' && Number.isInteger(key) && key >= 1 && key <= keys.length;
    if (!isPlace) return undefined;
    list[key - 1] = values[at] ?? null;
  }
  return list;
}

function setField(map: Record<string, LuaData>, key: string, value: LuaData): void {
  if (key !== '__proto__') map[key] = value;
  else Object.defineProperty(map, key, { value, enumerable: true, configurable: true, writable: true });
}

function mapOf({ keys, values }: LuaTableEntries): LuaMap {
  const map: Record<string, LuaData> = {};
  const names = keys.map(String);
  const order = names.map((_, at) => at).sort((a, b) => ((names[a] ?? '') < (names[b] ?? '') ? -1 : 1));
  for (const at of order) setField(map, names[at] ?? '', values[at] ?? null);
  return map;
}

const kinds: Readonly<Record<number, string>> = {
  [luaType.function]: 'a function',
  [luaType.userdata]: 'an error value',
  [luaType.lightUserdata]: 'a userdata',
  [luaType.thread]: 'a coroutine',
};

const passable = 'only text, numbers, booleans, null and tables of these can be passed';

/** State while reading one value. */
class LuaValueReader {
  readonly #api: LuaExports;
  readonly #text: LuaText;
  readonly #L: LuaState;
  readonly #options: LuaReadOptions;
  readonly #path: LuaPathKey[] = [];
  /** Addresses of the enclosing tables. */
  readonly #around: number[] = [];
  /**
   * Keys by string address, because they repeat. Nothing is collected during reading, so an address identifies its
   * text.
   */
  readonly #keys = new Map<number, string>();

  constructor({ api, text, L }: LuaReadContext, options: LuaReadOptions) {
    this.#api = api;
    this.#text = text;
    this.#L = L;
    this.#options = options;
  }

  /** @param type the value's type, as returned by `lua_type` */
  value(index: number, type: number): LuaValue {
    if (type === luaType.string) return this.#string(index);
    if (type === luaType.number) return this.#number(index);
    if (type === luaType.table) return this.#table(index);
    if (type === luaType.boolean) return this.#api.lua_toboolean(this.#L, index) !== 0;
    if (type <= luaType.nil) return undefined;
    if (type === luaType.lightUserdata && this.#api.lua_topointer(this.#L, index) === 0) return null;
    return this.#fail(`is ${kinds[type]}; ${passable}`);
  }

  #fail(problem: string | bigint): never {
    throw new LuaValueError(this.#options.root, this.#path, problem);
  }

  #string(index: number): string {
    return this.#text.read(this.#L, index) ?? this.#fail('contains bytes that are not UTF-8 text');
  }

  #number(index: number): LuaNumber {
    const value = this.#api.lua_tonumberx(this.#L, index, 0);
    if (Number.isInteger(value)) return this.#whole(index, value);
    if (Number.isFinite(value)) return value;
    return this.#fail(`is ${Number.isNaN(value) ? 'NaN' : 'infinite'}, which JSON cannot represent`);
  }

  #whole(index: number, value: number): LuaNumber {
    const isJson = this.#options.numbers === 'json';
    const isSafe = Number.isSafeInteger(value);
    if (isSafe && isJson) return value;
    if (this.#api.lua_isinteger(this.#L, index) === 0) return isJson ? value : new LuaFloat(value);
    if (isSafe) return value;
    const integer = luaInteger(this.#api.lua_tointegerx(this.#L, index, 0)) ?? value;
    return isJson && typeof integer === 'bigint' ? this.#fail(integer) : integer;
  }

  #table(index: number): LuaData {
    const address = this.#api.lua_topointer(this.#L, index);
    if (this.#around.includes(address)) return this.#fail('contains itself');
    if (this.#around.length >= maxDepth) return this.#fail(`is nested deeper than ${maxDepth} levels`);
    if (this.#api.lua_checkstack(this.#L, 4) === 0) return this.#fail('is nested too deeply');
    this.#around.push(address);
    const entries = this.#entries(index);
    this.#around.pop();
    if (entries.keys.length === 0) return this.#options.emptyTable === 'list' ? [] : {};
    return listOf(entries) ?? mapOf(entries);
  }

  #entries(index: number): LuaTableEntries {
    const [api, L] = [this.#api, this.#L];
    const entries: LuaTableEntries = { keys: [], values: [] };
    api.lua_pushnil(L);
    while (api.lua_next(L, index) !== 0) {
      const key = this.#key(-2);
      this.#path.push(key);
      entries.keys.push(key);
      entries.values.push(this.value(api.lua_gettop(L), api.lua_type(L, -1)) ?? null);
      this.#path.pop();
      api.lua_settop(L, -2);
    }
    return entries;
  }

  #key(index: number): LuaPathKey {
    const type = this.#api.lua_type(this.#L, index);
    if (type === luaType.number) return this.#numberKey(index);
    if (type !== luaType.string) {
      return this.#fail(`has a key that is ${kinds[type] ?? 'a boolean or a table'}; keys must be text or numbers`);
    }
    const address = this.#api.lua_topointer(this.#L, index);
    const known = this.#keys.get(address);
    if (known !== undefined) return known;
    const key = this.#string(index);
    this.#keys.set(address, key);
    return key;
  }

  /** Integers that a number cannot represent become text here; as map keys they would become text anyway. */
  #numberKey(index: number): LuaPathKey {
    const value = this.#api.lua_tonumberx(this.#L, index, 0);
    if (!Number.isFinite(value)) return this.#fail('has a key that is infinite; keys must be text or numbers');
    const isLong = !Number.isSafeInteger(value) && this.#api.lua_isinteger(this.#L, index) !== 0;
    return isLong ? String(this.#api.lua_tointegerx(this.#L, index, 0)) : value;
  }
}

interface LuaReadContext {
  readonly api: LuaExports;
  readonly text: LuaText;
  readonly L: LuaState;
}

/** Creates a thread's reader. */
export function createValueReader(api: LuaExports, text: LuaText): ValueReader {
  return (L, index, options) => {
    const type = api.lua_type(L, index);
    // Most arguments are short strings and booleans, which need no table handling.
    if (type === luaType.boolean) return api.lua_toboolean(L, index) !== 0;
    const plain = type === luaType.string ? text.read(L, index) : undefined;
    if (plain !== undefined) return plain;
    const top = api.lua_gettop(L);
    try {
      return new LuaValueReader({ api, text, L }, options).value(api.lua_absindex(L, index), type);
    } finally {
      api.lua_settop(L, top);
    }
  };
}
