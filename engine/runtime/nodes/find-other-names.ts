/**
 * Finds node types by the names used in other tools.
 */
import { type OtherNames, otherNames } from './other-names.ts';

/** Returns a name without spelling differences: case, spaces, dots, dashes, underscores and slashes. */
export function plainName(text: string): string {
  return text.toLowerCase().replace(/[\s._/-]+/g, '');
}

/** Shorter prefixes would match too much. */
const shortestBeginning = 2;

/** Returns how well an entry matches: 2 for an equal name, 1 for a name with this prefix, 0 for no match. */
function fitOf({ names }: OtherNames, wanted: string): 0 | 1 | 2 {
  if (names.some((name) => plainName(name) === wanted)) return 2;
  return wanted.length >= shortestBeginning && names.some((name) => plainName(name).startsWith(wanted)) ? 1 : 0;
}

/** Returns the entries that match a query, exact matches first; none for an empty query. */
export function findOtherNames(query: string): readonly OtherNames[] {
  const wanted = plainName(query);
  if (wanted === '') return [];
  const found = otherNames.map((entry) => ({ entry, fit: fitOf(entry, wanted) })).filter(({ fit }) => fit > 0);
  return found.toSorted((left, right) => right.fit - left.fit).map(({ entry }) => entry);
}
