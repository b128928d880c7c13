/**
 * In which column a line of a YAML text is to begin.
 */
import type { Leaf, Level } from './format-leaves.ts';
import { columnOf } from './source-lines.ts';

/** Blanks by which what belongs to a key or dash stands deeper than it. */
const step = 2;

/** A stretch of a text, end exclusive. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

export function isInside({ start, end }: Span, outer: Span): boolean {
  return start >= outer.start && end <= outer.end;
}

/** Columns of lists and maps over lines. What is not as a whole in the part that may change stays where it is. */
export class LevelColumns {
  readonly #columns = new Map<Level, number>();
  readonly #part: Span;

  /** @param part the only part of the text that may change */
  constructor(part: Span) {
    this.#part = part;
  }

  of(level: Level): number {
    const known = this.#columns.get(level);
    if (known !== undefined) return known;
    const column = isInside(level, this.#part) ? this.below(level.parent) : level.column;
    this.#columns.set(level, column);
    return column;
  }

  /** Where something begins that belongs to a key or dash of a level and has lines of its own. */
  below(level: Level | null): number {
    return level === null ? 0 : this.of(level) + step;
  }

  /** Where the keys of a level stand, or what is behind its dashes. */
  content(level: Level | null): number {
    if (level === null) return 0;
    return level.isList ? this.of(level) + step : this.of(level);
  }

  /** How far a level moves to the right. */
  shift(level: Level | null): number {
    return level === null ? 0 : this.of(level) - level.column;
  }

  /** The column for a comment in a line of its own that stands between two leaves: that of what it is aligned with. */
  ofComment(source: string, comment: Leaf, { before, after }: Neighbours): number {
    const column = columnOf(source, comment.start);
    const next = after === undefined ? -1 : columnOf(source, after.start);
    // Before a value that begins in a line below its key, parsers take a comment for the end of it unless it is as deep.
    const isBeforeValue = after !== undefined && !after.isEntry && column > (after.level?.column ?? -1);
    if (after !== undefined && (column === next || isBeforeValue)) return this.ofLine(after);
    let level = (column < next ? after : before)?.level ?? null;
    while (level !== null && level.column > column) level = level.parent;
    return level === null ? 0 : this.of(level);
  }

  /** The column of a leaf that begins a line and does not stand between brackets. */
  ofLine({ level, isEntry }: Leaf): number {
    return isEntry && level !== null ? this.of(level) : this.below(level);
  }
}

/** What stands before and behind a comment, comments left out. */
export interface Neighbours {
  readonly before: Leaf | undefined;
  readonly after: Leaf | undefined;
}

/** Columns of what stands between brackets over several lines. */
export class BracketColumns {
  /** For each open bracket, where its closing sign goes when that begins a line. */
  readonly #open: number[] = [];
  /** Of the first leaf in the line. */
  #lineColumn = 0;

  get isInside(): boolean {
    return this.#open.length > 0;
  }

  /** Where a line goes that begins with a leaf between brackets. */
  ofLine({ kind }: Leaf): number {
    const base = this.#open.at(-1) ?? 0;
    return isClosing(kind) ? base : base + step;
  }

  /** A line begins. @param column of its first leaf */
  startLine(column: number): void {
    this.#lineColumn = this.isInside ? column : 0;
  }

  /** @param base for a bracket that stands in no other one */
  pass({ kind }: Leaf, base: number): void {
    if (isClosing(kind)) this.#open.pop();
    if (kind !== 'flow-map-start' && kind !== 'flow-seq-start') return;
    const outer = this.#open.at(-1);
    // A sign that closes an inner bracket must stand deeper than the key of the outer one.
    this.#open.push(outer === undefined ? base : Math.max(this.#lineColumn, outer + step));
  }
}

function isClosing(kind: Leaf['kind']): boolean {
  return kind === 'flow-map-end' || kind === 'flow-seq-end';
}
