/**
 * TOML 1.0 and YAML 1.2 for scripts. Dates are text, and a YAML text is a list of documents.
 */
import { parse, stringify } from 'smol-toml';
import { parseAllDocuments, type ScalarTag, stringify as stringifyYaml } from 'yaml';
import { parserErrorText } from '../../../base/json-limits.ts';
import { unsafeNumberMessage } from '../../../language/json/exact-json.ts';
import { isLuaList, isLuaMap } from '../api-arguments.ts';
import type { LuaData, LuaMap } from '../api-module.ts';
import { isPlainInteger, LuaFloat, type LuaNumber, luaFloat, luaInteger } from '../lua-number.ts';
import { scriptError } from '../script-error.ts';

/**
 * Converts dates to text, bytes to base64, sets to lists and maps to objects. Both parsers return integers as bigints.
 * @throws RangeError for an integer that would be rounded
 */
function plainValue(value: unknown): LuaData {
  if (value === null || value === undefined) return null;
  if (typeof value === 'bigint') return wholeNumber(value);
  if (typeof value === 'number') return luaFloat(value);
  if (typeof value !== 'object') return value as LuaData;
  if (value instanceof Date) return value.toISOString();
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
  if (Array.isArray(value) || value instanceof Set) return [...value].map(plainValue);
  const entries = value instanceof Map ? [...value] : Object.entries(value);
  return Object.fromEntries(entries.map(([key, item]) => [String(key), plainValue(item)]));
}

function wholeNumber(value: bigint): LuaNumber {
  const integer = luaInteger(value);
  if (integer === undefined) throw new RangeError(unsafeNumberMessage('The text', String(value)));
  return integer;
}

/** Returns the first lines of a parser's message, which may quote a line of any length. */
function causeText(error: unknown): string {
  const message = parserErrorText(error);
  return message.length <= 500 ? message.trimEnd() : `${message.slice(0, 500)}…`;
}

/**
 * Parses TOML. @throws EngineError `lua.refused-argument` with the position of a syntax error; also for integers of
 * more than 64 bits
 */
export function parseToml(text: string): LuaMap {
  try {
    return plainValue(parse(text, { maxDepth: 400, integersAsBigInt: true })) as LuaMap;
  } catch (error) {
    throw scriptError(`Fail to parse toml.\nCause: ${causeText(error)}`);
  }
}

/**
 * Converts a value for the writer: integers become bigints. TOML has no null; a table omits the key, and a list is
 * rejected.
 */
function tomlValue(value: LuaData): unknown {
  if (isLuaList(value)) {
    if (value.includes(null)) throw new TypeError('a list contains null, which TOML does not support');
    return value.map(tomlValue);
  }
  if (value instanceof LuaFloat) return value.value;
  if (typeof value === 'number') return isPlainInteger(value) ? BigInt(value) : value;
  if (!isLuaMap(value)) return value;
  const entries = Object.entries(value).filter(([, item]) => item !== null);
  return Object.fromEntries(entries.map(([key, item]) => [key, tomlValue(item)]));
}

/** Returns a table as TOML. @throws EngineError `lua.refused-argument` for null in a list */
export function tomlText(table: LuaMap): string {
  try {
    return withTightLists(stringify(tomlValue(table), { numbersAsFloat: true }).trimStart());
  } catch (error) {
    throw scriptError(`Fail to stringify as toml.\nCause: ${causeText(error)}`);
  }
}

/** Changes `[ 1, 2 ]` to `[1, 2]`, the usual style. Strings are unchanged. */
function withTightLists(toml: string): string {
  return toml.replace(/"(?:\\.|[^"\\])*"|\[ | \]/g, (part) => (part.startsWith('"') ? part : part.trim()));
}

/** Maximum number of values that aliases may expand to, which prevents documents designed to exhaust memory. */
const aliasLimit = 100;

/**
 * Parses the documents of a text. An empty text has none, and an empty document is null. Keys become text.
 * @throws EngineError `lua.refused-argument` with the position of a syntax error; also for excessive alias expansion
 */
export function parseYaml(text: string): LuaData[] {
  try {
    return [...parseAllDocuments(text, { logLevel: 'error', intAsBigInt: true })].map((document) => {
      const [error] = document.errors;
      if (error !== undefined) throw error;
      return plainValue(document.toJS({ maxAliasCount: aliasLimit }));
    });
  } catch (error) {
    throw scriptError(`Fail to parse yaml.\nCause: ${causeText(error)}`);
  }
}

/** Writes floats without a fraction with one. Not used for parsing. */
const wholeFloat: ScalarTag = {
  tag: 'tag:yaml.org,2002:float',
  default: true,
  identify: (value) => value instanceof LuaFloat,
  resolve: (text) => text,
  stringify: ({ value }) => String(value),
};

/** Returns a value as one document that ends with a newline. */
export function yamlText(value: LuaData): string {
  const options = { lineWidth: 0, indentSeq: false, aliasDuplicateObjects: false } as const;
  return stringifyYaml(value, { ...options, customTags: (tags) => [wholeFloat, ...tags] });
}
