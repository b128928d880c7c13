/**
 * Writes values as JSON text. Unlike `JSON.stringify`, it has no limit on nesting and can stop after a number of
 * characters.
 */

interface OpenLevel {
  readonly value: Readonly<Record<string | number, unknown>>;
  /** The keys of a map. Null for a list. */
  readonly keys: readonly string[] | null;
  readonly count: number;
  next: number;
}

interface JsonTextOptions {
  /** Spaces per level. 0 writes one line. */
  readonly indent?: number;
  /** Stops after about this many characters. */
  readonly limit?: number;
}

/** Deeper levels are not indented further, so that the text of a deeply nested value stays short. */
const mostIndents = 50;

function levelOf(value: object): OpenLevel {
  const keys = Array.isArray(value) ? null : Object.keys(value);
  const count = Array.isArray(value) ? value.length : (keys?.length ?? 0);
  return { value: value as OpenLevel['value'], keys, count, next: 0 };
}

class JsonWriter {
  readonly #parts: string[] = [];
  readonly #levels: OpenLevel[] = [];
  readonly #indent: number;
  #left: number;

  constructor({ indent = 0, limit = Number.POSITIVE_INFINITY }: JsonTextOptions) {
    this.#indent = indent;
    this.#left = limit;
  }

  write(value: unknown): string {
    this.#begin(value);
    for (let level = this.#levels.at(-1); level !== undefined && this.#left > 0; level = this.#levels.at(-1)) {
      if (level.next < level.count) this.#entry(level);
      else this.#end(level);
    }
    return this.#parts.join('');
  }

  #add(text: string): void {
    this.#parts.push(text);
    this.#left -= text.length;
  }

  #line(): void {
    if (this.#indent > 0) this.#add(`\n${' '.repeat(this.#indent * Math.min(this.#levels.length, mostIndents))}`);
  }

  #begin(value: unknown): void {
    if (typeof value === 'string') {
      this.#add(JSON.stringify(this.#left < value.length ? value.slice(0, this.#left) : value));
    } else if (typeof value !== 'object' || value === null) {
      this.#add(JSON.stringify(value) ?? 'null');
    } else {
      const level = levelOf(value);
      this.#add(level.keys === null ? '[' : '{');
      this.#levels.push(level);
    }
  }

  #entry(level: OpenLevel): void {
    const index = level.next++;
    if (index > 0) this.#add(',');
    this.#line();
    const key = level.keys === null ? index : (level.keys[index] ?? '');
    if (typeof key === 'string') this.#add(`${JSON.stringify(key)}:${this.#indent > 0 ? ' ' : ''}`);
    this.#begin(level.value[key]);
  }

  #end(level: OpenLevel): void {
    this.#levels.pop();
    if (level.count > 0) this.#line();
    this.#add(level.keys === null ? ']' : '}');
  }
}

/** Returns JSON text: the same as `JSON.stringify`, except for the indentation of deeply nested values. */
export function jsonText(value: unknown, options: JsonTextOptions = {}): string {
  return new JsonWriter(options).write(value);
}

/** Returns the text to copy for a value: text as it is, anything else as JSON. */
export function valueText(value: unknown): string {
  return typeof value === 'string' ? value : jsonText(value, { indent: 2 });
}

/** Returns the start of a value in one line: text without line breaks, anything else as JSON. */
export function shortText(value: unknown, limit: number): string {
  const text = typeof value === 'string' ? value : jsonText(value, { limit: limit + 1 });
  const line = text.slice(0, limit).replaceAll(/\s+/g, ' ');
  return text.length > limit ? `${line}…` : line;
}

/** Returns the start of a text with its white space. */
export function startOf(text: string, limit: number): string {
  return text.length > limit ? `${text.slice(0, limit)}…` : text;
}
