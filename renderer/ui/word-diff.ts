/**
 * Computes the difference between two texts, word by word.
 */
import { diffIndices } from 'node-diff3';

export interface DiffPart {
  readonly text: string;
  /** `same` is in both texts, `changed` in only one of them. */
  readonly kind: 'same' | 'changed';
}

/** Both texts in parts. The parts of a side joined are its text. */
export interface WordDiff {
  readonly before: readonly DiffPart[];
  readonly now: readonly DiffPart[];
}

/** Maximum number of pairs of words to compare: repeated words make the search quadratic. */
const mostPairs = 2_000_000;

const words = /\s+|[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]/gu;
const lines = /[^\n]*\n|[^\n]+/g;

/**
 * Compares words. Compares longer texts by lines, and if there are too many lines, only finds the common start and end.
 */
export function wordDiff(before: string, now: string): WordDiff {
  for (const unit of [words, lines]) {
    const [a, b] = [before.match(unit) ?? [], now.match(unit) ?? []];
    const [start, end] = commonEnds(a, b);
    const [innerA, innerB] = [a.slice(start, a.length - end), b.slice(start, b.length - end)];
    if (innerA.length * innerB.length > mostPairs) continue;
    const [keptA, keptB] = commonUnits(innerA, innerB);
    const isKept = (kept: readonly boolean[]) => (index: number) => kept[index - start] ?? true;
    return { before: partsOf(a, isKept(keptA)), now: partsOf(b, isKept(keptB)) };
  }
  return { before: [{ text: before, kind: 'changed' }], now: [{ text: now, kind: 'changed' }] };
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

/** Returns for each side which of its units are in a longest common subsequence. */
function commonUnits(a: readonly string[], b: readonly string[]): [boolean[], boolean[]] {
  const [inA, inB] = [a.map(() => true), b.map(() => true)];
  for (const { buffer1, buffer2 } of diffIndices([...a], [...b])) {
    inA.fill(false, buffer1[0], buffer1[0] + buffer1[1]);
    inB.fill(false, buffer2[0], buffer2[0] + buffer2[1]);
  }
  return [inA, inB];
}

function partsOf(units: readonly string[], isSame: (index: number) => boolean): DiffPart[] {
  const parts: { text: string; kind: DiffPart['kind'] }[] = [];
  units.forEach((text, index) => {
    const kind = isSame(index) ? 'same' : 'changed';
    const last = parts.at(-1);
    if (last?.kind === kind) last.text += text;
    else parts.push({ text, kind });
  });
  return parts;
}
