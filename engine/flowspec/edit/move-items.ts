/**
 * Items of a list that change places: each takes its text along, with the comments in it and right above it. What stands
 * between the items, such as empty lines, stays.
 */
import type { YAMLSeq } from 'yaml';
import { applyEdits, type TextEdit } from '../../base/text-edit.ts';
import type { JsonValue } from '../json-value.ts';
import type { ItemPair } from './align-lists.ts';
import type { Patch } from './patch.ts';
import { partsOfList } from './patch-block.ts';
import { itemSpans, type Span } from './patch-inline.ts';
import { isFirstInLine } from './source-lines.ts';
import { blockStart, Unpatchable } from './yaml-text.ts';

export interface Lists {
  readonly before: readonly JsonValue[];
  readonly after: readonly JsonValue[];
}

/**
 * Of each item of `after`: its index in `before`; undefined when items came or went, or all kept their places.
 * @param mayBecome whether an item may have become one that does not equal it
 */
export function newOrder(
  { before, after }: Lists,
  mayBecome: (pair: ItemPair) => boolean,
): readonly number[] | undefined {
  if (before.length !== after.length) return undefined;
  const left = new Set(before.keys());
  const take = (index: number | undefined): number | undefined => {
    if (index !== undefined) left.delete(index);
    return index;
  };
  const places = placesOf(before);
  const same = after.map((item) => take(places.get(item)?.shift()));
  const order = same.map((origin, index) => {
    if (origin !== undefined) return origin;
    const item = after[index] ?? null;
    return take([...left].find((at) => mayBecome({ before: before[at] ?? null, after: item, isAlone: false })));
  });
  return order.every((origin) => origin !== undefined) && order.some((origin, index) => origin !== index)
    ? (order as readonly number[])
    : undefined;
}

function placesOf(list: readonly JsonValue[]): ReadonlyMap<JsonValue, number[]> {
  const places = new Map<JsonValue, number[]>();
  for (const [index, item] of list.entries()) {
    const known = places.get(item);
    if (known === undefined) places.set(item, [index]);
    else known.push(index);
  }
  return places;
}

/** The text of each item; undefined when they do not stand apart from what is around them. */
export function spansOf(patch: Patch, list: YAMLSeq): readonly Span[] | undefined {
  if (list.flow === true) return itemSpans(patch, list);
  const parts = partsOfList(patch, list);
  if (parts.some(({ start }) => !isFirstInLine(patch.text.source, start))) return undefined;
  return parts.map(({ start, end }) => ({ start: blockStart(patch.text, start), end }));
}

interface Move {
  readonly order: readonly number[];
  readonly spans: readonly Span[];
}

/** @param visit changes an item, by its old and its new index, where it stands */
export function moveItems(patch: Patch, { order, spans }: Move, visit: (origin: number, index: number) => void): void {
  const mark = patch.edits.length;
  for (const [index, origin] of order.entries()) visit(origin, index);
  const inside = patch.edits.splice(mark);
  for (const [index, origin] of order.entries()) {
    const [from, to] = [spans[origin], spans[index]];
    if (from === undefined || to === undefined) continue;
    const own = inside.filter(({ start, end }) => start >= from.start && end <= from.end);
    if (from === to) patch.edits.push(...own);
    else patch.edits.push({ ...to, text: changedSpan(patch, from, own) });
  }
}

function changedSpan({ text: { source } }: Patch, { start, end }: Span, edits: readonly TextEdit[]): string {
  const inOrder = edits
    .map((edit) => ({ ...edit, start: edit.start - start, end: edit.end - start }))
    .sort((a, b) => a.start - b.start || a.end - b.end);
  if (inOrder.some((edit, index) => edit.start < (inOrder[index - 1]?.end ?? 0))) throw new Unpatchable();
  return applyEdits(source.slice(start, end), inOrder);
}
