/**
 * TOML 1.0 as scripts have it: dates are text.
 */
import { parse, stringify } from 'smol-toml';
import { isJsonList, isJsonMap, type JsonMap, type JsonValue } from '../../flowspec/json-value.ts';
import { scriptError } from '../script-error.ts';
import { causeText, plainValue } from './plain-value.ts';

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
    return stringify(withoutNulls(table)).trimStart();
  } catch (error) {
    throw scriptError(`Fail to stringify as toml.\nCause: ${causeText(error)}`);
  }
}
