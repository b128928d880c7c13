/**
 * JSON as people and models write it: with comments, trailing or missing commas, single quotes, keys without quotes, hex
 * numbers and leading plus signs. One pass, linear time.
 */
import type { JsonValue } from '../../flowspec/json-value.ts';
import { scriptError } from '../script-error.ts';
import { RelaxedJsonScanner } from './relaxed-json-scanner.ts';

/** As deep as values may be when they enter Lua, and far from the end of the stack. */
const depthLimit = 500;

class RelaxedJsonParser {
  readonly #scanner: RelaxedJsonScanner;
  #depth = 0;

  constructor(text: string) {
    this.#scanner = new RelaxedJsonScanner(text);
  }

  document(): JsonValue | undefined {
    const scanner = this.#scanner;
    scanner.skipBlank();
    if (scanner.isAtEnd) return undefined;
    const value = this.#value();
    scanner.skipBlank();
    if (!scanner.isAtEnd) throw scanner.failure('Text cannot contain more than one JSON value');
    return value;
  }

  #value(): JsonValue {
    const scanner = this.#scanner;
    const sign = scanner.peek();
    if (sign === '{') return this.#nested(() => this.#object());
    if (sign === '[') return this.#nested(() => this.#list());
    if (sign === '"' || sign === "'") return scanner.string();
    return scanner.literal();
  }

  #nested<Value>(read: () => Value): Value {
    if (++this.#depth > depthLimit) throw this.#scanner.failure(`Values are nested deeper than ${depthLimit}`);
    const value = read();
    this.#depth--;
    return value;
  }

  #list(): JsonValue {
    const items: JsonValue[] = [];
    this.#each(']', () => items.push(this.#value()));
    return items;
  }

  /** Not by assignment: a key such as `__proto__` is data. */
  #object(): JsonValue {
    const scanner = this.#scanner;
    const entries: [string, JsonValue][] = [];
    this.#each('}', () => {
      const key = scanner.key();
      scanner.skipBlank();
      if (!scanner.take(':')) throw scanner.failure('Expected a colon after the key of a property');
      scanner.skipBlank();
      entries.push([key, this.#value()]);
    });
    return Object.fromEntries(entries);
  }

  /** Reads up to the closing sign; between two items a comma may be missing, behind the last one may be a comma. */
  #each(close: string, readItem: () => void): void {
    const scanner = this.#scanner;
    const opened = scanner.position;
    scanner.advance();
    for (;;) {
      scanner.skipBlank();
      if (scanner.take(close)) return;
      if (scanner.isAtEnd) throw scanner.failure(`'${close}' is missing for what opens here`, opened);
      readItem();
      scanner.skipBlank();
      scanner.take(',');
    }
  }
}

/**
 * Reads relaxed JSON. Of two equal keys the last one counts.
 * @returns undefined when there is nothing but white space and comments
 * @throws EngineError `lua.refused-argument`: the cause with its place, and the first 300 characters of the text
 */
export function parseRelaxedJson(text: string): JsonValue | undefined {
  try {
    return new RelaxedJsonParser(text).document();
  } catch (error) {
    const cause = error instanceof Error ? error.message : String(error);
    const shown = Array.from(text.slice(0, 600)).slice(0, 300).join('');
    throw scriptError(`Fail to parse json.\nCause: ${cause}\nJson Content:\n${shown}`);
  }
}

/**
 * Reads one strict JSON value a line; blank lines are passed over.
 * @throws EngineError `lua.refused-argument` with the line that cannot be read
 */
export function parseNdjson(text: string): JsonValue[] {
  return text.split('\n').flatMap((line, at) => (line.trim() === '' ? [] : [strictJson(line, at + 1)]));
}

function strictJson(line: string, number: number): JsonValue {
  try {
    return JSON.parse(line) as JsonValue;
  } catch (error) {
    throw scriptError(`Line ${number} is not valid JSON: ${error instanceof Error ? error.message : error}`);
  }
}
