/**
 * Where the keys of a TOML text stand; its parser gives places for syntax errors only. This reads what people write in
 * settings, a key a line, and misses what stands in inline tables: then the table's own key is the place.
 */
import type { TextRange } from '../flowspec/diagnostic.ts';

/** A line that is longer than this holds no key that anybody would look for. */
const longestLine = 1000;

/** Keys inside each other that are told apart; settings have no more levels that mean something. */
const levels = 2;

/** Lines and columns of keys, by path. */
export class TomlPlaces {
  readonly #places = new Map<string, TextRange>();
  #table: readonly string[] = [];

  constructor(text: string) {
    let quotes: string | null = null;
    for (const [index, line] of text.split('\n').entries()) {
      const isInside = quotes !== null;
      if (!isInside && line.trimStart().startsWith('#')) continue;
      quotes = openQuotes(line, quotes);
      if (!isInside && line.length <= longestLine) this.#readLine(line, index + 1);
    }
  }

  /** Where the key of `path` stands, or the nearest table around it; undefined = nothing of it was found. */
  of(path: readonly string[]): TextRange | undefined {
    for (let length = Math.min(path.length, levels); length > 0; length--) {
      const place = this.#places.get(JSON.stringify(path.slice(0, length)));
      if (place !== undefined) return place;
    }
    return undefined;
  }

  #readLine(line: string, number: number): void {
    const start = line.search(/\S/);
    const header = /^\s*\[\[?([^[\]]*)\]/.exec(line);
    if (header !== null) {
      this.#table = keysOf(header[1] ?? '');
      this.#add(this.#table, { line: number, column: start + 1, endLine: number, endColumn: header[0].length + 1 });
      return;
    }
    const equals = line.indexOf('=');
    if (equals === -1) return;
    const key = line.slice(0, equals).trimEnd();
    const range = { line: number, column: start + 1, endLine: number, endColumn: key.length + 1 };
    this.#add([...this.#table, ...keysOf(key)], range);
  }

  /** A dotted key is a place for each table that it names, where no other line is. */
  #add(path: readonly string[], range: TextRange): void {
    for (let length = 1; length <= Math.min(path.length, levels); length++) {
      const key = JSON.stringify(path.slice(0, length));
      if (!this.#places.has(key)) this.#places.set(key, range);
    }
  }
}

function keysOf(text: string): string[] {
  const keys = text.matchAll(/"([^"]*)"|'([^']*)'|([^\s."'=]+)/g);
  return Array.from(keys, ([, double, single, bare]) => double ?? single ?? bare ?? '');
}

/** Which quotes of a text over several lines are open after a line. */
function openQuotes(line: string, before: string | null): string | null {
  let open = before;
  let at = 0;
  for (;;) {
    const next = open === null ? line.slice(at).search(/"""|'''/) : line.indexOf(open, at) - at;
    if (next < 0) return open;
    open = open === null ? line.slice(at + next, at + next + 3) : null;
    at += next + 3;
  }
}
