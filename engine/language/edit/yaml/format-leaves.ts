/**
 * Splits YAML text into symbols and words, each with the block that contains it. Between them are only spaces and line
 * breaks.
 */
import type { CST } from 'yaml';
import { readTokens, type SourceProblem } from '../../yaml/yaml-source.ts';

/** A list or map in block style. */
export interface FormatLevel {
  readonly parent: FormatLevel | null;
  readonly isList: boolean;
  /** Column of the block's dashes or keys, starting from 0. */
  readonly column: number;
  /** Offset of the block's first character; the end is after its last one. */
  readonly start: number;
  end: number;
}

export type LeafKind = CST.SourceToken['type'] | CST.FlowScalar['type'] | 'block-text' | 'directive';

/** A symbol, a word or a comment. */
export interface FormatLeaf {
  readonly kind: LeafKind;
  readonly start: number;
  /** Comments end before trailing spaces; the lines of `|` or `>` text include their line breaks. */
  readonly end: number;
  /** The innermost block-style list or map that contains it. */
  readonly level: FormatLevel | null;
  /** Whether it is in its level's column or starts it: a dash, a key, or a property before a key. */
  readonly isEntry: boolean;
}

/** Returns all leaves of text that was parsed without errors, in order. */
export function leavesOf(source: string): readonly FormatLeaf[] | SourceProblem {
  const tokens = readTokens(source);
  if (!Array.isArray(tokens)) return tokens;
  const collector = new Collector(source);
  for (const token of tokens) collector.take(token, null, false);
  // Comments may be found out of order.
  return collector.leaves.sort((a, b) => a.start - b.start);
}

const blanks: ReadonlySet<string> = new Set(['space', 'newline', 'byte-order-mark', 'doc-mode', 'flow-error-end']);

class Collector {
  readonly leaves: FormatLeaf[] = [];
  readonly #source: string;

  constructor(source: string) {
    this.#source = source;
  }

  take(token: CST.Token | null | undefined, level: FormatLevel | null, isEntry: boolean): void {
    if (token === null || token === undefined) return;
    if (token.type === 'document') {
      this.#signs(token.start, level);
      this.take(token.value, level, false);
      this.#signs(token.end, level);
    } else if (token.type === 'block-map' || token.type === 'block-seq') this.#block(token, level);
    else if (token.type === 'flow-collection') this.#inline(token, level);
    else if (token.type === 'block-scalar') this.#text(token, level);
    else if ('source' in token) {
      this.#add({ type: token.type as LeafKind, offset: token.offset, source: token.source }, level, isEntry);
      if ('end' in token) this.#signs(token.end, level);
    }
  }

  #block(token: CST.BlockMap | CST.BlockSequence, parent: FormatLevel | null): void {
    const first = this.leaves.length;
    const level: FormatLevel = {
      parent,
      isList: token.type === 'block-seq',
      column: token.indent,
      start: firstOffset(token),
      end: 0,
    };
    for (const { start, key, sep, value } of token.items as readonly CST.CollectionItem[]) {
      const isExplicit = start.some(({ type }) => type === 'explicit-key-ind');
      for (const sign of start) this.#add(sign, level, !level.isList || sign.type === 'seq-item-ind');
      this.take(key, level, !isExplicit);
      for (const sign of sep ?? []) this.#add(sign, level, sign.type === 'map-value-ind');
      this.take(value, level, false);
    }
    level.end = this.leaves.slice(first).findLast(({ kind }) => kind !== 'comment')?.end ?? level.start;
  }

  #inline({ start, items, end }: CST.FlowCollection, level: FormatLevel | null): void {
    this.#add(start, level, false);
    for (const item of items) {
      this.#signs(item.start, level);
      this.take(item.key, level, false);
      this.#signs(item.sep, level);
      this.take(item.value, level, false);
    }
    this.#signs(end, level);
  }

  #text({ props, source }: CST.BlockScalar, level: FormatLevel | null): void {
    for (const prop of props) this.take(prop, level, false);
    const last = props.at(-1);
    if (source === '' || last === undefined || !('source' in last)) return;
    const start = last.offset + last.source.length;
    this.leaves.push({ kind: 'block-text', start, end: start + source.length, level, isEntry: false });
  }

  #signs(signs: readonly CST.SourceToken[] | undefined, level: FormatLevel | null): void {
    for (const sign of signs ?? []) this.#add(sign, level, false);
  }

  #add(
    { type, offset, source }: { readonly type: LeafKind; readonly offset: number; readonly source: string },
    level: FormatLevel | null,
    isEntry: boolean,
  ): void {
    if (blanks.has(type) || source === '') return;
    let end = offset + source.length;
    while (type === 'comment' && /[ \t]/.test(this.#source[end - 1] ?? '')) end--;
    this.leaves.push({ kind: type, start: offset, end, level, isEntry });
  }
}

/** Returns the offset of a block's first symbol that is not a comment. */
function firstOffset({ items, offset }: CST.BlockMap | CST.BlockSequence): number {
  const sign = items[0]?.start.find(({ type }) => !blanks.has(type) && type !== 'comment');
  return sign?.offset ?? items[0]?.key?.offset ?? offset;
}
