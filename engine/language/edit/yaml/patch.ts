/**
 * Shared state of the patcher while it walks a tree, and the positions of new entries and items relative to old ones.
 */
import type { ParsedNode } from 'yaml';
import type { TextEdit } from '../../../base/text-edit.ts';
import type { JsonValue } from '../../json/json-value.ts';
import { type ValuePath, valueAt } from '../../schema/schema-problems.ts';
import type { ItemPair } from './align-lists.ts';
import { lineEndingAt, lineStart } from './source-lines.ts';
import type { Manner } from './write-value.ts';
import type { YamlText } from './yaml-text.ts';

/** A position in the text that contains a value. */
export interface Slot {
  readonly place: 'root' | 'entry' | 'item' | 'inline';
  readonly node: ParsedNode | null;
  readonly path: ValuePath;
  /** Offset after the colon or dash; in flow style without a colon, the start of the value. */
  readonly intro: number;
  /** Column of the key or dash. */
  readonly column: number;
}

/** The caller's hints about the change. */
export interface PatchHints {
  /** Maps the new names of renamed keys to the old names. */
  readonly renamed: ReadonlyMap<string, string>;
  /** Whether an item of the list at a path may have been changed into a different one. */
  mayBecome(list: ValuePath, pair: ItemPair): boolean;
  /** Returns the edits inside a string, with offsets in it, if they are known. */
  respell(before: string, after: string): readonly TextEdit[] | undefined;
  /** Whether moved items keep their own text, including its comments. */
  readonly movesText: boolean;
  /** Whether the value at a path is entirely rewritten when anything in it changes. */
  isWhole(path: ValuePath): boolean;
}

export interface Patch {
  readonly text: YamlText;
  readonly manner: Manner;
  readonly hints: PatchHints;
  readonly edits: TextEdit[];
  /** The new value of each anchored node visited so far. */
  readonly anchored: Map<ParsedNode, JsonValue>;
  /** Edits a slot's text so that its value equals `after`. */
  visit(slot: Slot, after: JsonValue): void;
}

/** Formats lines for insertion after the line of an offset. */
export function joinLines({ text: { source } }: Patch, lines: readonly string[], at: number): string {
  const ending = lineEndingAt(source, lineStart(source, at));
  return lines.map((line) => ending + line).join('');
}

/** Returns the value at a path in the current text. */
export function presentValue({ text }: Patch, path: ValuePath): JsonValue {
  return valueAt(text.value, path) ?? null;
}

/** New parts, and the index of the old part before them; -1 for the start. */
export interface NewParts<Part> {
  readonly behind: number;
  readonly parts: readonly Part[];
}

/**
 * Groups the new parts of a list or map.
 * @param originOf returns the index of the matching old part; undefined for a new one
 */
export function groupNewParts<Item, Part>(
  after: readonly Item[],
  originOf: (item: Item, index: number) => number | undefined,
  write: (item: Item, index: number) => Part,
): readonly NewParts<Part>[] {
  const groups = new Map<number, Part[]>();
  let behind = -1;
  for (const [index, item] of after.entries()) {
    const origin = originOf(item, index);
    if (origin !== undefined) {
      behind = origin;
      continue;
    }
    const group = groups.get(behind);
    if (group === undefined) groups.set(behind, [write(item, index)]);
    else group.push(write(item, index));
  }
  return Array.from(groups, ([place, parts]) => ({ behind: place, parts }));
}
