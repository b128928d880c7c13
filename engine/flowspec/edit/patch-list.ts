/**
 * Changes of a list: its items one by one, and those that come and go.
 */
import type { ParsedNode, YAMLSeq } from 'yaml';
import { isJsonList, type JsonValue } from '../json-value.ts';
import { alignLists } from './align-lists.ts';
import { type Lists, moveItems, newOrder, spansOf } from './move-items.ts';
import { groupNewParts } from './new-parts.ts';
import { type Patch, presentValue, type Slot } from './patch.ts';
import { changeBlock, emptyBlock, partsOfList } from './patch-block.ts';
import { changeInline } from './patch-inline.ts';
import { columnOf } from './source-lines.ts';
import { itemLines, writeInline } from './write-value.ts';
import { introEnd, itemTokens, Unpatchable } from './yaml-text.ts';

interface ListSlot {
  readonly slot: Slot;
  readonly list: YAMLSeq;
}

/** @throws Unpatchable when the list has to be written anew */
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
    const added = groupNewParts(after, originOf, (value) => writeInline(value, patch.manner));
    changeInline(patch, { collection: list, removed, added });
    return;
  }
  const manner = { ...patch.manner, dashWidth: dashWidthOf(patch, list) };
  const added = groupNewParts(after, originOf, (value, index) => itemLines({ value, path: [...path, index] }, manner));
  changeBlock(patch, { parts: partsOfList(patch, list), removed, added, path, isList: true });
}

/** Lets items change places with their text. False: it is no such change, or they cannot. */
function movesItems(patch: Patch, { slot, list }: ListSlot, { before, after }: Lists): boolean {
  if (!patch.hints.movesText) return false;
  const isSection = slot.path.length === 1;
  const order = newOrder({ before, after }, (pair) => isSection && patch.hints.mayBecome(slot.path, pair));
  const spans = order === undefined ? undefined : spansOf(patch, list);
  if (order === undefined || spans === undefined) return false;
  moveItems(patch, { order, spans }, (origin, index) =>
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

/** Signs from the dashes of a list to what follows them. */
function dashWidthOf({ text: { source }, manner }: Patch, list: YAMLSeq): number {
  const dash = introEnd(itemTokens(list).at(-1)?.start, false) ?? 0;
  const blanks = /^ +(?=[^\s#])/.exec(source.slice(dash, dash + 20))?.[0].length;
  return blanks === undefined ? manner.dashWidth : blanks + 1;
}
