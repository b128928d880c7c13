/**
 * Parses a YAML text that is being edited into keys, items and values with their positions, even if the text is
 * invalid. Used for completion and navigation. The meaning of a flow is determined only by the engine.
 */
import { addEntry, type YamlEntry, type YamlToken } from './entry.ts';
import { FlowStyleReader } from './flow-style-reader.ts';

/** Parses a text. Never throws, and skips lines that make no sense. */
export function readOutline(text: string): YamlEntry {
  return new OutlineReader(text).read();
}

const dash = /-(?=[ \t]|$)[ \t]*/my;
const keyPattern =
  /(?:"((?:[^"\\\n]|\\.)*)"|'((?:[^'\n]|'')*)'|([^\s#"'[\]{},|>&*!%@`-][^\n#]*?|-[^\s#][^\n#]*?))[ \t]*:(?=[ \t\r]|$)[ \t]*/my;
const properties = /(?:[&!][^\s,[\]{}]*[ \t]+)+/y;
const blockText = /[|>][-+0-9]*[ \t]*(?:#[^\n]*)?$/my;
const plainScalar = /[^\n]*/y;

class OutlineReader {
  readonly #text: string;
  readonly #root: YamlEntry;
  readonly #values: FlowStyleReader;
  /** The path from the root to the last entry. */
  #open: YamlEntry[];
  #position = 0;

  constructor(text: string) {
    this.#text = text;
    this.#values = new FlowStyleReader(text);
    const root: YamlEntry = {
      parent: null,
      key: null,
      column: -1,
      isInline: false,
      kind: 'empty',
      value: null,
      inline: null,
      children: [],
      start: 0,
      end: text.length,
    };
    this.#root = root;
    this.#open = [root];
  }

  read(): YamlEntry {
    while (this.#position < this.#text.length) this.#readLine();
    return this.#root;
  }

  #readLine(): void {
    const lineStart = this.#position;
    const start = this.#skipBlanks(lineStart);
    const first = this.#text[start];
    const isPassedOver =
      first === undefined ||
      first === '\n' ||
      first === '#' ||
      /^(?:---|\.\.\.|%)/.test(this.#text.slice(start, start + 3));
    this.#position = start;
    if (!isPassedOver) this.#readEntries(lineStart);
    this.#position = this.#nextLine(this.#position);
  }

  /** Parses dashes, then a key, then a value. */
  #readEntries(lineStart: number): void {
    let owner: YamlEntry | undefined;
    for (;;) {
      const column = this.#position - lineStart;
      const start = this.#position;
      if (this.#take(dash) === null) break;
      owner = this.#openEntry({ key: null, column, start });
    }
    const column = this.#position - lineStart;
    const start = this.#position;
    const found = this.#take(keyPattern);
    if (found !== null) {
      const [whole, double, single, plain] = found;
      const quotes = plain === undefined ? 1 : 0;
      const text = double ?? single ?? plain ?? '';
      const key = { text, start, end: start + text.length + 2 * quotes };
      owner = this.#openEntry({ key, column, start });
      owner.end = start + whole.trimEnd().length;
    }
    const value = owner ?? this.#emptyAbove(column);
    if (value === undefined) return;
    this.#readValue(value);
    this.#reach(value.end);
  }

  /** Returns an entry above that has no value yet, because the value may be on the next line. */
  #emptyAbove(column: number): YamlEntry | undefined {
    const last = this.#open.at(-1);
    return last !== undefined && last.kind === 'empty' && last.column < column && last !== this.#root
      ? last
      : undefined;
  }

  #openEntry(part: { key: YamlToken | null; column: number; start: number }): YamlEntry {
    const isItem = part.key === null;
    // The dashes of a list may be in the same column as its key.
    while (!this.#isParent(this.#open.at(-1), part.column, isItem)) this.#open.pop();
    const parent = this.#open.at(-1) ?? this.#root;
    parent.kind = isItem ? 'list' : 'map';
    const entry = addEntry(parent, { ...part, isInline: false });
    this.#open.push(entry);
    this.#reach(isItem ? part.start + 1 : part.start);
    return entry;
  }

  #isParent(entry: YamlEntry | undefined, column: number, isItem: boolean): boolean {
    if (entry === undefined || entry.column < column) return true;
    return isItem && entry.column === column && entry.key !== null;
  }

  #readValue(owner: YamlEntry): void {
    this.#take(properties);
    const start = this.#position;
    const first = this.#text[start];
    if (first === undefined || first === '\n' || first === '#') return;
    if (this.#take(blockText) !== null) this.#readText(owner, start);
    else if (first === '{' || first === '[' || first === '"' || first === "'") {
      this.#position = this.#values.read(start, owner);
    } else this.#readPlain(owner, start);
  }

  #readPlain(owner: YamlEntry, start: number): void {
    const line = this.#take(plainScalar)?.[0] ?? '';
    const text = line.replace(/[ \t]#.*$/, '').trimEnd();
    owner.kind = 'scalar';
    owner.value = { text, start, end: start + text.length };
    owner.end = owner.value.end;
  }

  /** The lines of a block belong to it as long as they are indented more than its key. */
  #readText(owner: YamlEntry, start: number): void {
    const least = owner.column;
    let end = this.#position;
    let next = this.#nextLine(end);
    while (next < this.#text.length) {
      const first = this.#skipBlanks(next);
      const isBlank = this.#text[first] === '\n' || first === this.#text.length;
      if (!isBlank && first - next <= least) break;
      const lineEnd = this.#nextLine(next);
      if (!isBlank) end = this.#text[lineEnd - 1] === '\n' ? lineEnd - 1 : lineEnd;
      next = lineEnd;
    }
    owner.kind = 'text';
    owner.value = { text: '', start, end };
    owner.end = end;
    // Continue with the line after it.
    this.#position = end;
  }

  /** Extends all open entries to this offset. */
  #reach(end: number): void {
    for (const entry of this.#open) if (entry !== this.#root) entry.end = Math.max(entry.end, end);
  }

  #take(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#position;
    const found = pattern.exec(this.#text);
    if (found !== null) this.#position = pattern.lastIndex;
    return found;
  }

  #skipBlanks(position: number): number {
    let at = position;
    while (this.#text[at] === ' ' || this.#text[at] === '\t') at++;
    return at;
  }

  #nextLine(position: number): number {
    const end = this.#text.indexOf('\n', position);
    return end === -1 ? this.#text.length : end + 1;
  }
}
