/**
 * Matches a list's items with those of a changed list.
 */
import { type ILCSResult, LCS } from 'node-diff3';
import { type JsonValue, jsonEquals } from '../../json/json-value.ts';

type List = readonly JsonValue[];

/** Maximum number of comparisons. In longer lists, equal items are matched only at both ends and by identity. */
const mostComparisons = 40_000;

/** A removed item, and an item that was added at the same index. */
export interface ItemPair {
  readonly before: JsonValue;
  readonly after: JsonValue;
  /** Whether no other item was removed or added there. */
  readonly isAlone: boolean;
}

/**
 * Returns for each item of `after` the index of the matching item in `before`; undefined for a new item. Indexes are
 * ascending.
 * @param mayBecome returns whether an item may have been changed into a different one
 */
export function alignLists(
  before: List,
  after: List,
  mayBecome: (pair: ItemPair) => boolean,
): readonly (number | undefined)[] {
  const origins: (number | undefined)[] = after.map(() => undefined);
  let oldStart = 0;
  let nowStart = 0;
  for (const [old, now] of [...commonItems(before, after), [before.length, after.length] as const]) {
    const isAlone = old - oldStart === 1 && now - nowStart === 1;
    for (let place = nowStart; place < now && oldStart < old; place++) {
      const item = after[place] ?? null;
      const rest = before.slice(oldStart, old);
      const found = rest.findIndex((candidate) => mayBecome({ before: candidate, after: item, isAlone }));
      if (found === -1) continue;
      origins[place] = oldStart + found;
      oldStart += found + 1;
    }
    if (now < after.length) origins[now] = old;
    oldStart = old + 1;
    nowStart = now + 1;
  }
  return origins;
}

function commonItems(before: List, after: List): readonly [old: number, now: number][] {
  const pairs: [number, number][] = [];
  let start = 0;
  while (start < before.length && start < after.length && isEqualAt(before, start, after, start)) {
    pairs.push([start, start]);
    start++;
  }
  let oldEnd = before.length;
  let nowEnd = after.length;
  const tail: [number, number][] = [];
  while (oldEnd > start && nowEnd > start && isEqualAt(before, oldEnd - 1, after, nowEnd - 1)) {
    tail.push([--oldEnd, --nowEnd]);
  }
  const middle = (oldEnd - start) * (nowEnd - start) <= mostComparisons ? longestCommon : commonByIdentity;
  const inner = middle(before.slice(start, oldEnd), after.slice(start, nowEnd));
  return [...pairs, ...inner.map(([old, now]): [number, number] => [old + start, now + start]), ...tail.reverse()];
}

function isEqualAt(before: List, old: number, after: List, now: number): boolean {
  return jsonEquals(before[old] ?? null, after[now] ?? null);
}

function longestCommon(before: List, after: List): readonly [number, number][] {
  // The search needs keys. An item's key is the index of the first equal item in the shorter list, so that there are at
  // most twice as many comparisons as pairs; items that are not in that list match nothing.
  const shorter = before.length <= after.length ? before : after;
  const keysOf = (list: List, missing: string): (number | string)[] =>
    list.map((item) => {
      const key = shorter.findIndex((candidate) => jsonEquals(candidate, item));
      return key === -1 ? missing : key;
    });
  const pairs: [number, number][] = [];
  let match: ILCSResult | null = LCS(keysOf(before, 'removed'), keysOf(after, 'added'));
  // The last element of the chain is the start of both lists, not a match.
  for (; match?.chain; match = match.chain) pairs.push([match.buffer1index, match.buffer2index]);
  return pairs.reverse();
}

function commonByIdentity(before: List, after: List): readonly [number, number][] {
  const places = new Map(before.map((item, index) => [item, index]));
  const pairs: [number, number][] = [];
  let last = -1;
  for (const [now, item] of after.entries()) {
    const old = places.get(item);
    if (old === undefined || old <= last) continue;
    pairs.push([old, now]);
    last = old;
  }
  return pairs;
}
