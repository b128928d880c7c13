/**
 * "Did you mean": the known word that a mistyped one is closest to.
 */

/** Beyond this many words a search per typing mistake would cost too much. */
const MAX_CANDIDATES = 1000;

/** The closest known word, or undefined when none is close enough to be meant. */
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

/** ` Did you mean "x"?`, or nothing when no known word is close. */
export function didYouMean(word: string, known: readonly string[]): string {
  const nearest = nearestWord(word, known);
  return nearest === undefined ? '' : ` Did you mean "${nearest}"?`;
}

/** A short word has too many neighbours: one letter is never a slip for another. */
function allowedDistance(word: string): number {
  if (word.length < 2) return 0;
  return Math.min(3, Math.max(1, Math.floor(word.length / 3)));
}

/** Letters to insert, remove or replace to get from one word to the other. */
function editDistance(left: string, right: string): number {
  let previous = Array.from({ length: right.length + 1 }, (_, column) => column);
  for (const [row, letter] of [...left].entries()) {
    const current = [row + 1];
    for (let column = 1; column <= right.length; column++) {
      const replaced = (previous[column - 1] ?? 0) + (letter === right[column - 1] ? 0 : 1);
      current.push(Math.min(replaced, (previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1));
    }
    previous = current;
  }
  return previous[right.length] ?? 0;
}
