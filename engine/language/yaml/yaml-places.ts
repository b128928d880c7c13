/**
 * Positions in a flow file: converts value paths to text ranges, and offsets to lines and columns.
 */
import {
  type Alias,
  isAlias,
  isCollection,
  isMap,
  isScalar,
  isSeq,
  type Pair,
  type ParsedNode,
  type YAMLMap,
} from 'yaml';
import type { TextRange } from '../findings/diagnostic.ts';
import type { ValuePath } from '../schema/schema-problems.ts';
import type { SourceProblem } from './yaml-source.ts';

/** Lines and columns start at 1; columns count UTF-16 units. */
export class TextPlaces {
  readonly #lineStarts: number[] = [0];
  readonly #length: number;

  constructor(text: string) {
    this.#length = text.length;
    for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', end + 1)) this.#lineStarts.push(end + 1);
  }

  /** Returns the range between two offsets. Offsets outside the text are clamped. */
  range(start: number, end: number): TextRange {
    const from = this.#place(start);
    const to = this.#place(Math.max(start, end));
    return { line: from.line, column: from.column, endLine: to.line, endColumn: to.column };
  }

  #place(offset: number): { line: number; column: number } {
    const inside = Math.min(Math.max(offset, 0), this.#length);
    let low = 0;
    let high = this.#lineStarts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#lineStarts[middle] ?? 0) <= inside) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: inside - (this.#lineStarts[low] ?? 0) + 1 };
  }
}

interface YamlFile {
  readonly text: string;
  /** Null if the text could not be parsed. Every path then has the start as its position. */
  readonly root: ParsedNode | null;
  readonly aliasTargets: ReadonlyMap<Alias, ParsedNode>;
}

interface YamlKeyValue {
  readonly key: ParsedNode | null;
  readonly value: ParsedNode | null;
}

export class YamlPlaces {
  readonly #file: YamlFile;
  readonly #places: TextPlaces;
  /** Pairs by key, for maps that were accessed, so that lookups in large maps are fast. */
  readonly #pairs = new WeakMap<YAMLMap, ReadonlyMap<unknown, YamlKeyValue>>();

  constructor(file: YamlFile) {
    this.#file = file;
    this.#places = new TextPlaces(file.text);
  }

  /**
   * Returns the range of the entire value at a path. If it is missing, returns the range of the innermost value around
   * it.
   */
  valueRange(path: ValuePath): TextRange {
    const { key, value } = this.#deepest(path);
    const node = value ?? key;
    return node === null ? this.start() : this.#places.range(node.range[0], this.#endOf(node));
  }

  /** Returns the range in which to show a problem with the value: only the first line of a multi-line list or map. */
  problemRange(path: ValuePath): TextRange {
    const { key, value } = this.#deepest(path);
    const node = value ?? key;
    if (node === null) return this.start();
    const [start, end] = node.range;
    const lineEnd = this.#file.text.indexOf('\n', start);
    const isLong = isCollection(node) && lineEnd !== -1 && lineEnd < end;
    return this.#places.range(start, isLong ? lineEnd : this.#endOf(node));
  }

  /** Returns the range of the key at the end of a path. */
  keyRange(path: ValuePath): TextRange {
    const { key } = this.#deepest(path);
    return key === null ? this.problemRange(path) : this.#places.range(key.range[0], key.range[1]);
  }

  /** Returns the range of the first occurrence of `part` in the value, otherwise of the entire value. */
  partRange(path: ValuePath, part: string): TextRange {
    const [start, end] = this.#deepest(path).value?.range ?? [0, 0];
    const found = this.#file.text.slice(start, end).indexOf(part);
    return found === -1 ? this.problemRange(path) : this.#places.range(start + found, start + found + part.length);
  }

  sourceRange({ start, end }: SourceProblem): TextRange {
    return this.#places.range(start, end);
  }

  /** Returns 1:1, the position of something missing from the entire file. */
  start(): TextRange {
    return this.#places.range(0, 0);
  }

  /** The parser includes blank lines after a list or map. */
  #endOf(node: ParsedNode): number {
    const [start, end] = node.range;
    return isCollection(node) ? start + this.#file.text.slice(start, end).trimEnd().length : end;
  }

  #deepest(path: ValuePath): YamlKeyValue {
    let found: YamlKeyValue = { key: null, value: this.#file.root };
    for (const segment of path) {
      const next = this.#stepInto(found.value, segment);
      if (next === undefined) return found;
      found = next;
    }
    return found;
  }

  #stepInto(value: ParsedNode | null, segment: string | number): YamlKeyValue | undefined {
    const node = isAlias(value) ? (this.#file.aliasTargets.get(value) ?? null) : value;
    if (isSeq(node)) {
      const item = node.items[Number(segment)] as ParsedNode | undefined;
      return item === undefined ? undefined : { key: null, value: item };
    }
    return isMap(node) ? this.#pairsOf(node).get(segment) : undefined;
  }

  #pairsOf(map: YAMLMap): ReadonlyMap<unknown, YamlKeyValue> {
    const known = this.#pairs.get(map);
    if (known !== undefined) return known;
    const pairs = new Map<unknown, YamlKeyValue>();
    for (const pair of map.items as Pair<ParsedNode, ParsedNode | null>[]) {
      // The first of several equal keys counts, as in the value.
      if (isScalar(pair.key) && !pairs.has(pair.key.value)) pairs.set(pair.key.value, pair);
    }
    this.#pairs.set(map, pairs);
    return pairs;
  }
}
