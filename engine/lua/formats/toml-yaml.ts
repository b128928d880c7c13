/**
 * TOML 1.0 and YAML 1.2 as scripts have them: dates are text, and a text of YAML is a list of documents.
 */
import { parse, stringify } from 'smol-toml';
import { parseAllDocuments, stringify as stringifyYaml } from 'yaml';
import { isJsonList, isJsonMap, type JsonMap, type JsonValue } from '../../flowspec/json-value.ts';
import { scriptError } from '../script-error.ts';

/** Dates become text, bytes base64, sets lists; maps become objects. @throws TypeError for what has no such form */
function plainValue(value: unknown): JsonValue {
  if (value === null || value === undefined) return null;
  if (typeof value === 'bigint') return Number(value);
  if (typeof value !== 'object') return value as JsonValue;
  if (value instanceof Date) return value.toISOString();
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
  if (Array.isArray(value) || value instanceof Set) return [...value].map(plainValue);
  const entries = value instanceof Map ? [...value] : Object.entries(value);
  return Object.fromEntries(entries.map(([key, item]) => [String(key), plainValue(item)]));
}

/** The first lines of what a reader says: it may quote a line of any length. */
function causeText(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.length <= 500 ? message.trimEnd() : `${message.slice(0, 500)}…`;
}

/** @throws EngineError `lua.refused-argument` with the place of what is no TOML; also for integers beyond 2^53 */
export function parseToml(text: string): JsonMap {
  try {
    return plainValue(parse(text, { maxDepth: 400 })) as JsonMap;
  } catch (error) {
    throw scriptError(`Fail to parse toml.\nCause: ${causeText(error)}`);
  }
}

/** TOML has no null: in a table the key is left out, in a list it is refused. */
function withoutNulls(value: JsonValue): JsonValue {
  if (isJsonList(value)) {
    if (value.includes(null)) throw new TypeError('a list holds null, which TOML does not have');
    return value.map(withoutNulls);
  }
  if (!isJsonMap(value)) return value;
  const entries = Object.entries(value).filter(([, item]) => item !== null);
  return Object.fromEntries(entries.map(([key, item]) => [key, withoutNulls(item)]));
}

/** @throws EngineError `lua.refused-argument` for null in a list */
export function tomlText(table: JsonMap): string {
  try {
    return withTightLists(stringify(withoutNulls(table)).trimStart());
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
export function parseYaml(text: string): JsonValue[] {
  try {
    return [...parseAllDocuments(text, { logLevel: 'error' })].map((document) => {
      const [error] = document.errors;
      if (error !== undefined) throw error;
      return plainValue(document.toJS({ maxAliasCount: aliasLimit }));
    });
  } catch (error) {
    throw scriptError(`Fail to parse yaml.\nCause: ${causeText(error)}`);
  }
}

/** A value as one document, ended by a newline. */
export function yamlText(value: JsonValue): string {
  return stringifyYaml(value, { lineWidth: 0, indentSeq: false, aliasDuplicateObjects: false });
}
