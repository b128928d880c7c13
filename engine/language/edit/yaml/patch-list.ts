/**
 * Edits a list item by item: changes, adds, removes and moves items. A moved item keeps its text, including comments in
 * it and directly above it. Text between the items, such as blank lines, stays in place.
 */
import { isMap, type ParsedNode, type YAMLSeq } from 'yaml';
import { applyEdits, type TextEdit } from '../../../base/text-edit.ts';
import { isJsonList, type JsonValue } from '../../json/json-value.ts';
import { alignLists, type ItemPair } from './align-lists.ts';
import { groupNewParts, type Patch, presentValue, type Slot } from './patch.ts';
import { blockSpans, changeBlock, emptyBlock, partsOfList } from './patch-block.ts';
import { changeInline, type InlineSpan, itemSpans } from './patch-inline.ts';
import { columnOf, lineEndingAt, lineStart } from './source-lines.ts';
import { itemLines, spreadJson, writeInline } from './write-value.ts';
import { introEnd, itemTokens, Unpatchable } from './yaml-text.ts';

interface ListSlot {
  readonly slot: Slot;
  readonly list: YAMLSeq;
}

/** @throws Unpatchable if the list must be rewritten */
export function patchList(patch: Patch, { slot, list }: ListSlot, after: readonly JsonValue[]): void {
  const { path } = slot;
  const before = presentValue(patch, path);
  if (!isJsonList(before)) throw new Unpatchable();
  if (movesItems(patch, { slot, list }, { before, after })) return;
  const origins = alignLists(before, after, (pair) => patch.hints.mayBecome(path, pair));
  const kept = new Set(origins);
  const removed = new Set([...before.keys()].filter((index) => !kept.has(index)));
  for (const [index, origin] of origins.entries()) {
    if (origin !== undefined) patch.visit(itemSlot(patch, { slot, list }, origin), after[index] ?? null);
  }
  if (removed.size === 0 && before.length === after.length) return;
  if (removed.size === before.length) {
    if (after.length > 0 || list.flow === true) throw new Unpatchable();
    emptyBlock(patch, slot, partsOfList(patch, list));
    return;
  }
  const originOf = (_: JsonValue, index: number): number | undefined => origins[index];
  if (list.flow === true) {
    const write = itemWriter(patch, list);
    const added = groupNewParts(after, originOf, write);
    changeInline(patch, { collection: list, removed, added });
    return;
  }
  const manner = { ...patch.manner, dashWidth: dashWidthOf(patch, list) };
  const added = groupNewParts(after, originOf, (value, index) => itemLines({ value, path: [...path, index] }, manner));
  changeBlock(patch, { parts: partsOfList(patch, list), removed, added, path, isList: true });
}

/** Writes new items of JSON text on several lines if the last item is written that way. */
function itemWriter({ text: { source }, manner }: Patch, list: YAMLSeq): (value: JsonValue) => string {
  const last = list.items.at(-1) as ParsedNode | undefined;
  const [start, end] = last?.range ?? [0, 0];
  const inner = /\n([ \t]*)\S/.exec(source.slice(start, end))?.[1];
  if (!manner.isJson || !isMap(last) || inner === undefined) return (value) => writeInline(value, manner);
  const line = lineStart(source, start);
  const margin = /^[ \t]*/.exec(source.slice(line, start))?.[0] ?? '';
  const step = inner.startsWith(margin) ? inner.slice(margin.length) : '  ';
  return (value) => spreadJson(value, step).join(lineEndingAt(source, line) + margin);
}

/** Moves items with their text. Returns false if the change is not a move, or the items cannot be moved. */
function movesItems(patch: Patch, { slot, list }: ListSlot, { before, after }: ListPair): boolean {
  if (!patch.hints.movesText) return false;
  const isSection = slot.path.length === 1;
  const order = newOrder({ before, after }, (pair) => isSection && patch.hints.mayBecome(slot.path, pair));
  const spans = order === undefined ? undefined : spansOf(patch, list);
  if (order === undefined || spans === undefined) return false;
  moveSpans(patch, { order, spans }, (origin, index) =>
    patch.visit(itemSlot(patch, { slot, list }, origin), after[index] ?? null),
  );
  return true;
}

function itemSlot(patch: Patch, { slot, list }: ListSlot, index: number): Slot {
  const node = list.items[index] as ParsedNode;
  const path = [...slot.path, index];
  const dash = list.flow === true ? undefined : introEnd(itemTokens(list)[index]?.start, false);
  if (dash === undefined) return { place: 'inline', node, path, intro: node.range[0], column: 0 };
  return { place: 'item', node, path, intro: dash, column: columnOf(patch.text.source, dash - 1) };
}

/** Returns the number of characters from a list's dashes to the content after them. */
function dashWidthOf({ text: { source }, manner }: Patch, list: YAMLSeq): number {
  const dash = introEnd(itemTokens(list).at(-1)?.start, false) ?? 0;
  const blanks = /^ +(?=[^\s#])/.exec(source.slice(dash, dash + 20))?.[0].length;
  return blanks === undefined ? manner.dashWidth : blanks + 1;
}

interface ListPair {
  readonly before: readonly JsonValue[];
  readonly after: readonly JsonValue[];
}

/**
 * Returns the index in `before` for each item of `after`; undefined if items were added or removed, or if all kept
 * their index.
 * @param mayBecome returns whether an item may have been changed into a different one
 */
function newOrder({ before, after }: ListPair, mayBecome: (pair: ItemPair) => boolean): readonly number[] | undefined {
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

/** Returns the text of each item; undefined if they cannot be separated from their surroundings. */
function spansOf(patch: Patch, list: YAMLSeq): readonly InlineSpan[] | undefined {
  if (list.flow === true) return itemSpans(patch, list);
  return blockSpans(patch, partsOfList(patch, list));
}

interface Move {
  /** For each index, the index of the span to move there. */
  readonly order: readonly number[];
  readonly spans: readonly InlineSpan[];
}

/**
 * Moves the text of parts.
 * @param visit changes a part in place, given its old and its new index
 */
export function moveSpans(patch: Patch, { order, spans }: Move, visit: (origin: number, index: number) => void): void {
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

function changedSpan({ text: { source } }: Patch, { start, end }: InlineSpan, edits: readonly TextEdit[]): string {
  const inOrder = edits
    .map((edit) => ({ ...edit, start: edit.start - start, end: edit.end - start }))
    .sort((a, b) => a.start - b.start || a.end - b.end);
  if (inOrder.some((edit, index) => edit.start < (inOrder[index - 1]?.end ?? 0))) throw new Unpatchable();
  return applyEdits(source.slice(start, end), inOrder);
}
