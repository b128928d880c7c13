/**
 * Computes the difference between two strings, word by word.
 */
import { diffComm } from 'node-diff3';

export interface DiffPart {
  readonly text: string;
  /** `same` is in both texts, `changed` in only one of them. */
  readonly kind: 'same' | 'changed';
}

/** Both texts in parts. The parts of each side, joined, are its text. */
export interface WordDiff {
  readonly before: readonly DiffPart[];
  readonly now: readonly DiffPart[];
}

/** Maximum number of pairs of units to compare. Repeated units make the search slower than quadratic. */
const mostPairs = 250_000;

const lines = /[^\n]*\n|[^\n]+/g;
const words = /\s+|[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]/gu;

/** Compares lines, and the words of those that differ. Parts that are too long to compare count as changed. */
export function wordDiff(before: string, now: string): WordDiff {
  const diff: Record<keyof WordDiff, DiffPart[]> = { before: [], now: [] };
  compare(before, now, [lines, words], (kind, texts) => {
    addPart(diff.before, kind, texts.before);
    addPart(diff.now, kind, texts.now);
  });
  return diff;
}

type Add = (kind: DiffPart['kind'], texts: { readonly before: string; readonly now: string }) => void;

function compare(before: string, now: string, [unit, ...finer]: readonly RegExp[], add: Add): void {
  if (unit === undefined) {
    add('changed', { before, now });
    return;
  }
  const [a, b] = [before.match(unit) ?? [], now.match(unit) ?? []];
  const [start, end] = commonEnds(a, b);
  const [innerA, innerB] = [a.slice(start, a.length - end), b.slice(start, b.length - end)];
  const addSame = (units: readonly string[]): void => add('same', { before: units.join(''), now: units.join('') });
  addSame(a.slice(0, start));
  if (innerA.length * innerB.length > mostPairs) add('changed', { before: innerA.join(''), now: innerB.join('') });
  else {
    for (const { common, buffer1 = [], buffer2 = [] } of diffComm(innerA, innerB)) {
      if (common === undefined) compare(buffer1.join(''), buffer2.join(''), finer, add);
      else addSame(common);
    }
  }
  addSame(a.slice(a.length - end));
}

/** A part of two texts: in both, or only in the first or the second. */
export interface MergedPart {
  readonly text: string;
  readonly kind: 'same' | 'removed' | 'added';
}

/**
 * Merges both sides of a comparison into one sequence. Changes that only white space separates are joined, so that a
 * changed phrase is one change.
 */
export function mergedDiff(diff: WordDiff): readonly MergedPart[] {
  const merged: MergedPart[] = [];
  const change = { removed: '', added: '' };
  let gap = '';
  const endChange = (): void => {
    for (const kind of ['removed', 'added'] as const) {
      if (change[kind] !== '') merged.push({ text: change[kind], kind });
      change[kind] = '';
    }
    if (gap !== '') merged.push({ text: gap, kind: 'same' });
    gap = '';
  };
  for (const { text, kind } of alignedParts(diff)) {
    if (kind !== 'same') {
      change.removed += gap;
      change.added += gap;
      gap = '';
      change[kind] += text;
    } else if (/^[^\S\n]+$/.test(text) && change.removed !== '' && change.added !== '') gap = text;
    else {
      endChange();
      merged.push({ text, kind });
    }
  }
  endChange();
  return merged;
}

/** Returns the parts of both sides in order. */
function alignedParts({ before, now }: WordDiff): readonly MergedPart[] {
  const parts: MergedPart[] = [];
  const [left, right] = [[...before], [...now]];
  for (let [a, b] = [left.shift(), right.shift()]; a !== undefined || b !== undefined; ) {
    if (a?.kind === 'changed') {
      parts.push({ text: a.text, kind: 'removed' });
      a = left.shift();
    } else if (b?.kind === 'changed') {
      parts.push({ text: b.text, kind: 'added' });
      b = right.shift();
    } else {
      // Both are the same text, which may be in more parts on one side.
      const length = Math.min(a?.text.length ?? 0, b?.text.length ?? 0);
      if (length === 0) break;
      parts.push({ text: a?.text.slice(0, length) ?? '', kind: 'same' });
      a = restOf(a, length) ?? left.shift();
      b = restOf(b, length) ?? right.shift();
    }
  }
  return parts;
}

function restOf(part: DiffPart | undefined, from: number): DiffPart | undefined {
  return part === undefined || part.text.length <= from ? undefined : { ...part, text: part.text.slice(from) };
}

/** Compares texts line by line. Texts that are too long to compare count as changed. */
export function lineDiff(before: string, now: string): readonly MergedPart[] {
  const diff: Record<keyof WordDiff, DiffPart[]> = { before: [], now: [] };
  compare(before, now, [lines], (kind, texts) => {
    addPart(diff.before, kind, texts.before);
    addPart(diff.now, kind, texts.now);
  });
  return mergedDiff(diff);
}

/** Returns the number of equal items at the start, and of the remaining ones at the end. */
function commonEnds(a: readonly string[], b: readonly string[]): [number, number] {
  const most = Math.min(a.length, b.length);
  let start = 0;
  while (start < most && a[start] === b[start]) start += 1;
  let end = 0;
  while (end < most - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end += 1;
  return [start, end];
}

function addPart(parts: DiffPart[], kind: DiffPart['kind'], text: string): void {
  const last = parts.at(-1);
  if (text === '') return;
  if (last?.kind === kind) parts[parts.length - 1] = { kind, text: last.text + text };
  else parts.push({ text, kind });
}
