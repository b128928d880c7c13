/**
 * Computes the difference between two texts, word by word.
 */

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

/** Maximum number of pairs of words to compare, which takes a moment and a table of this size. */
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
    const [keptA, keptB] = longestCommon(innerA, innerB);
    const isKept = (kept: ReadonlySet<number>, inner: number) => (index: number) =>
      index < start || index >= start + inner || kept.has(index - start);
    return {
      before: partsOf(a, isKept(keptA, innerA.length)),
      now: partsOf(b, isKept(keptB, innerB.length)),
    };
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

/** Returns the indexes of a longest common subsequence. */
function longestCommon(a: readonly string[], b: readonly string[]): [ReadonlySet<number>, ReadonlySet<number>] {
  const width = b.length + 1;
  const lengths = new Uint32Array((a.length + 1) * width);
  const at = (i: number, j: number): number => lengths[i * width + j] ?? 0;
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      lengths[i * width + j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const [inA, inB] = [new Set<number>(), new Set<number>()];
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    if (a[i] === b[j]) {
      inA.add(i++);
      inB.add(j++);
    } else if (at(i + 1, j) >= at(i, j + 1)) i += 1;
    else j += 1;
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
