/**
 * What the parts of the patcher share while they go through a tree, and where new entries and items go: behind which of those
 * that were there.
 */
import type { ParsedNode } from 'yaml';
import type { TextEdit } from '../../base/text-edit.ts';
import type { JsonValue } from '../json-value.ts';
import { type ValuePath, valueAt } from '../schema-problems.ts';
import type { ItemPair } from './align-lists.ts';
import { lineEndingAt, lineStart } from './source-lines.ts';
import type { Manner } from './write-value.ts';
import type { YamlText } from './yaml-text.ts';

/** A place of the text that holds a value. */
export interface Slot {
  readonly place: 'root' | 'entry' | 'item' | 'inline';
  readonly node: ParsedNode | null;
  readonly path: ValuePath;
  /** Offset behind the colon or dash; between brackets, for what has no colon, where the value begins. */
  readonly intro: number;
  /** Column of the key or dash. */
  readonly column: number;
}

/** What the caller knows of the change. */
export interface PatchHints {
  /** New name → old name of keys that were renamed. */
  readonly renamed: ReadonlyMap<string, string>;
  /** Whether an item of the list at a path may have become another, which does not equal it. */
  mayBecome(list: ValuePath, pair: ItemPair): boolean;
  /** The changes inside a text, by offsets in it, when they are known. */
  respell(before: string, after: string): readonly TextEdit[] | undefined;
  /** Whether what changes its place in a list takes its own text along, with the comments of it. */
  readonly movesText: boolean;
  /** Whether what stands at a path is written anew as a whole when anything in it changed. */
  isWhole(path: ValuePath): boolean;
}

export interface Patch {
  readonly text: YamlText;
  readonly manner: Manner;
  readonly hints: PatchHints;
  readonly edits: TextEdit[];
  /** What became of each value with an anchor that was met so far. */
  readonly anchored: Map<ParsedNode, JsonValue>;
  /** Makes what stands in a slot equal `after`. */
  visit(slot: Slot, after: JsonValue): void;
}

/** Lines to be put behind the end of the line of an offset. */
export function joinLines({ text: { source } }: Patch, lines: readonly string[], at: number): string {
  const ending = lineEndingAt(source, lineStart(source, at));
  return lines.map((line) => ending + line).join('');
}

/** The value at a path of the text as it is. */
export function presentValue({ text }: Patch, path: ValuePath): JsonValue {
  return valueAt(text.value, path) ?? null;
}

/** New parts, and the index of the old one that they stand behind; -1 for the beginning. */
export interface NewParts<Part> {
  readonly behind: number;
  readonly parts: readonly Part[];
}

/**
 * Groups what is new among the parts of a list or map.
 * @param originOf index of the old part that one is; undefined for a new one
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
