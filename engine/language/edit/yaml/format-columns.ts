/**
 * Computes the column in which a line of YAML text should start.
 */
import type { FormatLeaf, FormatLevel } from './format-leaves.ts';
import { columnOf } from './source-lines.ts';

/** Indentation of content below a key or dash, in spaces. */
const step = 2;

/** A range of text; the end is exclusive. */
export interface ColumnSpan {
  readonly start: number;
  readonly end: number;
}

export function isInside({ start, end }: ColumnSpan, outer: ColumnSpan): boolean {
  return start >= outer.start && end <= outer.end;
}

/** Columns of lists and maps in block style. Those not entirely in the part that may change keep their column. */
export class LevelColumns {
  readonly #columns = new Map<FormatLevel, number>();
  readonly #part: ColumnSpan;

  /** @param part the only part of the text that may change */
  constructor(part: ColumnSpan) {
    this.#part = part;
  }

  of(level: FormatLevel): number {
    const known = this.#columns.get(level);
    if (known !== undefined) return known;
    const column = isInside(level, this.#part) ? this.below(level.parent) : level.column;
    this.#columns.set(level, column);
    return column;
  }

  /** Returns the column of content on separate lines below a level's key or dash. */
  below(level: FormatLevel | null): number {
    return level === null ? 0 : this.of(level) + step;
  }

  /** Returns the column of a level's keys, or of the content after its dashes. */
  content(level: FormatLevel | null): number {
    if (level === null) return 0;
    return level.isList ? this.of(level) + step : this.of(level);
  }

  /** Returns how far a level moves to the right. */
  shift(level: FormatLevel | null): number {
    return level === null ? 0 : this.of(level) - level.column;
  }

  /**
   * Returns the column for a comment on its own line between two leaves: the column of the leaf with which it is
   * aligned.
   */
  ofComment(source: string, comment: FormatLeaf, { before, after }: Neighbours): number {
    const column = columnOf(source, comment.start);
    const next = after === undefined ? -1 : columnOf(source, after.start);
    // If a value starts on the line below its key, parsers treat a less indented comment before it as the end of that
    // value.
    const isBeforeValue = after !== undefined && !after.isEntry && column > (after.level?.column ?? -1);
    if (after !== undefined && (column === next || isBeforeValue)) return this.ofLine(after);
    let level = (column < next ? after : before)?.level ?? null;
    while (level !== null && level.column > column) level = level.parent;
    return level === null ? 0 : this.of(level);
  }

  /** Returns the column of a leaf at the start of a line in block style. */
  ofLine({ level, isEntry }: FormatLeaf): number {
    return isEntry && level !== null ? this.of(level) : this.below(level);
  }
}

/** The leaves before and after a comment, ignoring comments. */
export interface Neighbours {
  readonly before: FormatLeaf | undefined;
  readonly after: FormatLeaf | undefined;
}

/** Columns of values in flow style on several lines. */
export class BracketColumns {
  /** For each open bracket, the column of its closing bracket at the start of a line. */
  readonly #open: number[] = [];
  /** Column of the line's first leaf. */
  #lineColumn = 0;

  get isInside(): boolean {
    return this.#open.length > 0;
  }

  /** Returns the column of a line that starts with a leaf in flow style. */
  ofLine({ kind }: FormatLeaf): number {
    const base = this.#open.at(-1) ?? 0;
    return isClosing(kind) ? base : base + step;
  }

  /** Starts a line. @param column column of its first leaf */
  startLine(column: number): void {
    this.#lineColumn = this.isInside ? column : 0;
  }

  /** @param base column for a bracket that is not nested */
  pass({ kind }: FormatLeaf, base: number): void {
    if (isClosing(kind)) this.#open.pop();
    if (kind !== 'flow-map-start' && kind !== 'flow-seq-start') return;
    const outer = this.#open.at(-1);
    // A closing inner bracket must be indented more than the key of the outer one.
    this.#open.push(outer === undefined ? base : Math.max(this.#lineColumn, outer + step));
  }
}

function isClosing(kind: FormatLeaf['kind']): boolean {
  return kind === 'flow-map-end' || kind === 'flow-seq-end';
}
