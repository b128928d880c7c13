/**
 * Edits a map entry by entry: changes, adds, removes, moves and renames entries. In node values, a moved entry keeps
 * its text, including comments in it and directly above it. Elsewhere, key order has no meaning.
 */
import { isScalar, type YAMLMap } from 'yaml';
import { isJsonMap, type JsonMap, type JsonValue, jsonEquals } from '../../json/json-value.ts';
import type { ValuePath } from '../../schema/schema-problems.ts';
import { groupNewParts, type Patch, presentValue, type Slot } from './patch.ts';
import { blockSpans, changeBlock, emptyBlock, partsOfMap } from './patch-block.ts';
import { changeInline, type InlineSpan, pairSpans } from './patch-inline.ts';
import { moveSpans } from './patch-list.ts';
import { columnOf } from './source-lines.ts';
import { entryLines, type Manner, writeInlineEntry, writeKey } from './write-value.ts';
import { introEnd, tokensOf, Unpatchable, type YamlPair } from './yaml-text.ts';

interface MapSlot {
  readonly slot: Slot;
  readonly map: YAMLMap;
}

/** @throws Unpatchable if the map must be rewritten */
export function patchMap(patch: Patch, { slot, map }: MapSlot, after: JsonMap): void {
  if (outgrowsBraces(patch, { slot, map }, after)) throw new Unpatchable();
  if (isInNodeValue(slot.path) && movesEntries(patch, { slot, map }, after)) return;
  const { places, removed } = patchKept(patch, { slot, map }, after);
  const entries = Object.entries(after);
  if (removed.size === 0 && places.size === entries.length) return;
  if (places.size === 0) {
    if (entries.length > 0 || map.flow === true) throw new Unpatchable();
    emptyBlock(patch, slot, partsOfMap(patch, map));
    return;
  }
  const { path } = slot;
  const placeOf = ([key]: readonly [string, JsonValue]): number | undefined => places.get(key);
  if (map.flow === true) {
    const manner = insideOf(patch, map);
    const added = groupNewParts(entries, placeOf, ([key, value]) => writeInlineEntry(key, value, manner));
    changeInline(patch, { collection: map, removed, added });
    return;
  }
  const write = ([key, value]: readonly [string, JsonValue]): readonly string[] =>
    entryLines(key, { value, path: [...path, key] }, patch.manner);
  const added = groupNewParts(entries, placeOf, write);
  changeBlock(patch, { parts: partsOfMap(patch, map), removed, added, path, isList: false });
}

/**
 * Multi-line text is hard to read in flow style, so a map on one line changes to block style, unless it contained such
 * text before.
 */
function outgrowsBraces(patch: Patch, { slot, map }: MapSlot, after: JsonMap): boolean {
  if (map.flow !== true || slot.place === 'inline' || slot.place === 'root' || map.range == null) return false;
  // A value on several lines may contain comments, and an anchor may be referenced elsewhere.
  if (/[\n&*]/.test(patch.text.source.slice(map.range[0], map.range[1]))) return false;
  const before = presentValue(patch, slot.path);
  const hasLines = (value: JsonValue): boolean => typeof value === 'string' && value.trim().includes('\n');
  return Object.values(after).some(hasLines) && isJsonMap(before) && !Object.values(before).some(hasLines);
}

/** Whether a path leads into a node's input, where a person may have chosen the key order. */
function isInNodeValue([section, , part]: ValuePath): boolean {
  return section === 'nodes' && (part === 'input' || part === 'config');
}

/** Moves entries. Returns false if the change is not a move. @throws Unpatchable if their text cannot be moved */
function movesEntries(patch: Patch, { slot, map }: MapSlot, after: JsonMap): boolean {
  const before = presentValue(patch, slot.path);
  if (!isJsonMap(before)) return false;
  const keys = Object.keys(before);
  const order = Object.keys(after).map((key) => keys.indexOf(key));
  const isMove = order.length === keys.length && !order.includes(-1) && order.some((origin, place) => origin !== place);
  if (!isMove) return false;
  // Keys that are not text or are duplicated are in the text but not in the value.
  if (!patch.hints.movesText || map.items.length !== keys.length) throw new Unpatchable();
  moveSpans(patch, { order, spans: spansOf(patch, map) }, (origin) => {
    const key = keys[origin] ?? '';
    patchEntry(patch, { slot, pair: map.items[origin] as YamlPair, key }, { name: key, value: after[key] ?? null });
  });
  return true;
}

function spansOf(patch: Patch, map: YAMLMap): readonly InlineSpan[] {
  if (map.flow === true) return pairSpans(patch, map);
  const spans = blockSpans(patch, partsOfMap(patch, map));
  if (spans === undefined) throw new Unpatchable();
  return spans;
}

/**
 * Maps old keys to new ones: those that the caller knows and, in node values, keys that were replaced by another key
 * with the same index and value.
 */
function newNamesIn(patch: Patch, { path }: Slot, after: JsonMap): ReadonlyMap<string, string> {
  const known = new Map(Array.from(patch.hints.renamed, ([name, old]) => [old, name]));
  const before = presentValue(patch, path);
  if (!(isInNodeValue(path) && isJsonMap(before))) return known;
  const [keys, names] = [Object.keys(before), Object.keys(after)];
  const changed = keys.flatMap((key, index) => (names[index] === key ? [] : [index]));
  const [place] = changed;
  if (keys.length !== names.length || changed.length !== 1 || place === undefined) return known;
  const [key = '', name = ''] = [keys[place], names[place]];
  return jsonEquals(before[key] ?? null, after[name] ?? null) ? known.set(key, name) : known;
}

interface RetainedEntries {
  /** Index of each of the new map's entries among the old ones. */
  readonly places: ReadonlyMap<string, number>;
  readonly removed: ReadonlySet<number>;
}

function patchKept(patch: Patch, { slot, map }: MapSlot, after: JsonMap): RetainedEntries {
  const newNames = newNamesIn(patch, slot, after);
  const places = new Map<string, number>();
  const removed = new Set<number>();
  const seen = new Set<string>();
  for (const [index, pair] of (map.items as YamlPair[]).entries()) {
    const key = isScalar(pair.key) ? pair.key.value : undefined;
    // The first of several equal keys counts, as in the value. Keys that are not text are ignored.
    if (typeof key !== 'string' || seen.has(key)) continue;
    seen.add(key);
    const name = Object.hasOwn(after, key) ? key : (newNames.get(key) ?? key);
    if (Object.hasOwn(after, name)) {
      places.set(name, index);
      patchEntry(patch, { slot, pair, key }, { name, value: after[name] ?? null });
    } else removed.add(index);
  }
  return { places, removed };
}

interface OldEntry {
  readonly slot: Slot;
  readonly pair: YamlPair;
  readonly key: string;
}

interface NewMapEntry {
  readonly name: string;
  readonly value: JsonValue;
}

function patchEntry(patch: Patch, { slot, pair, key }: OldEntry, { name, value }: NewMapEntry): void {
  const isInline = (slot.node as YAMLMap).flow === true;
  const [start, end] = pair.key.range;
  if (name !== key) patch.edits.push({ start, end, text: writeKey(name, isInline) });
  const { sep, start: before } = tokensOf(pair);
  const path = [...slot.path, key];
  const intro = introEnd(sep, false);
  if (intro === undefined || before.some(({ type }) => type === 'explicit-key-ind')) {
    if (jsonEquals(presentValue(patch, path), value)) return;
    throw new Unpatchable();
  }
  const column = columnOf(patch.text.source, start);
  patch.visit({ place: isInline ? 'inline' : 'entry', node: pair.value, path, intro, column }, value);
}

/** New maps in a flow-style map have the same padding. */
function insideOf({ text: { source }, manner }: Patch, { range }: YAMLMap): Manner {
  const sign = range == null ? '' : source[range[0] + 1];
  return sign === '\n' || sign === '\r' ? manner : { ...manner, isMapPadded: sign === ' ' };
}
