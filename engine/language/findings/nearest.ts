/**
 * Suggests the known word most similar to a mistyped one.
 */

/** Maximum number of known words. With more, the search for each typo would be too slow. */
const MAX_CANDIDATES = 1000;

/** Returns the most similar known word; undefined if none is similar enough. */
export function nearestWord(word: string, known: readonly string[]): string | undefined {
  if (known.length > MAX_CANDIDATES) return undefined;
  let best: string | undefined;
  let bestDistance = allowedDistance(word) + 1;
  for (const candidate of known) {
    if (Math.abs(candidate.length - word.length) >= bestDistance) continue;
    const distance = editDistance(word.toLowerCase(), candidate.toLowerCase());
    if (distance < bestDistance) [best, bestDistance] = [candidate, distance];
  }
  return best;
}

/** Returns ` Did you mean "x"?`, or an empty string if no known word is similar. */
export function didYouMean(word: string, known: readonly string[]): string {
  const nearest = nearestWord(word, known);
  return nearest === undefined ? '' : ` Did you mean "${nearest}"?`;
}

/** A short word has too many neighbors, so a single letter never counts as a typo. */
function allowedDistance(word: string): number {
  if (word.length < 2) return 0;
  return Math.min(3, Math.max(1, Math.floor(word.length / 3)));
}

/** Returns the number of letters to insert, delete, replace or swap with a neighbor to turn one word into the other. */
function editDistance(left: string, right: string): number {
  const rows: number[][] = [Array.from({ length: right.length + 1 }, (_, column) => column)];
  const cost = (row: number, column: number): number => rows[row]?.[column] ?? Number.POSITIVE_INFINITY;
  for (let row = 1; row <= left.length; row++) {
    const current = [row];
    rows.push(current);
    for (let column = 1; column <= right.length; column++) {
      const isSame = left[row - 1] === right[column - 1];
      const isSwap = left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1];
      const replaced = cost(row - 1, column - 1) + (isSame ? 0 : 1);
      const swapped = isSwap ? cost(row - 2, column - 2) + 1 : replaced;
      current.push(Math.min(replaced, swapped, cost(row - 1, column) + 1, cost(row, column - 1) + 1));
    }
  }
  return cost(left.length, right.length);
}
