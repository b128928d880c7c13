/**
 * TOML 1.0 and YAML 1.2 as scripts have them: dates are text, and a text of YAML is a list of documents.
 */
import { parse, stringify } from 'smol-toml';
import { parseAllDocuments, type ScalarTag, stringify as stringifyYaml } from 'yaml';
import { parserWords } from '../../base/json-limits.ts';
import { unsafeNumberMessage } from '../../flowspec/exact-json.ts';
import { isLuaList, isLuaMap } from '../api-arguments.ts';
import type { LuaData, LuaMap } from '../api-module.ts';
import { isPlainInteger, LuaFloat, type LuaNumber, luaFloat, luaInteger } from '../lua-number.ts';
import { scriptError } from '../script-error.ts';

/**
 * Dates become text, bytes base64, sets lists; maps become objects. Both readers give integers as bigints.
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

/** The first lines of what a reader says: it may quote a line of any length. */
function causeText(error: unknown): string {
  const message = parserWords(error);
  return message.length <= 500 ? message.trimEnd() : `${message.slice(0, 500)}…`;
}

/** @throws EngineError `lua.refused-argument` with the place of what is no TOML; also for integers of more than 64 bits */
export function parseToml(text: string): LuaMap {
  try {
    return plainValue(parse(text, { maxDepth: 400, integersAsBigInt: true })) as LuaMap;
  } catch (error) {
    throw scriptError(`Fail to parse toml.\nCause: ${causeText(error)}`);
  }
}

/** As the writer wants it: integers as bigints. TOML has no null: in a table the key is left out, in a list it is refused. */
function tomlValue(value: LuaData): unknown {
  if (isLuaList(value)) {
    if (value.includes(null)) throw new TypeError('a list holds null, which TOML does not have');
    return value.map(tomlValue);
  }
  if (value instanceof LuaFloat) return value.value;
  if (typeof value === 'number') return isPlainInteger(value) ? BigInt(value) : value;
  if (!isLuaMap(value)) return value;
  const entries = Object.entries(value).filter(([, item]) => item !== null);
  return Object.fromEntries(entries.map(([key, item]) => [key, tomlValue(item)]));
}

/** @throws EngineError `lua.refused-argument` for null in a list */
export function tomlText(table: LuaMap): string {
  try {
    return withTightLists(stringify(tomlValue(table), { numbersAsFloat: true }).trimStart());
  } catch (error) {
    throw scriptError(`Fail to stringify as toml.\nCause: ${causeText(error)}`);
  }
}

/** `[ 1, 2 ]` → `[1, 2]`, as people write lists; texts stay as they are. */
function withTightLists(toml: string): string {
  return toml.replace(/"(?:\\.|[^"\\])*"|\[ | \]/g, (part) => (part.startsWith('"') ? part : part.trim()));
}

/** One alias may stand for so many values in all; more is meant to fill the memory. */
const aliasLimit = 100;

/**
 * The documents of a text; an empty text has none, an empty document is null. Keys become text.
 * @throws EngineError `lua.refused-argument` with the place of what is no YAML; also for aliases of aliases without end
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

/** Writes floats without a fraction with one; nothing is read by it. */
const wholeFloat: ScalarTag = {
  tag: 'tag:yaml.org,2002:float',
  default: true,
  identify: (value) => value instanceof LuaFloat,
  resolve: (text) => text,
  stringify: ({ value }) => String(value),
};

/** A value as one document, ended by a newline. */
export function yamlText(value: LuaData): string {
  const options = { lineWidth: 0, indentSeq: false, aliasDuplicateObjects: false } as const;
  return stringifyYaml(value, { ...options, customTags: (tags) => [wholeFloat, ...tags] });
}
