/**
 * The search by names of other tools.
 */
import { type OtherNames, otherNames } from './other-names.ts';

/** A name without what may be written in one way or another: case, blanks, dots, lines and slashes. */
export function plainName(text: string): string {
  return text.toLowerCase().replace(/[\s._/-]+/g, '');
}

/** Shorter beginnings of names would say too little. */
const shortestBeginning = 2;

/** How an entry fits what is looked for: 2 = it has that very name, 1 = one that begins so, 0 = none. */
function fitOf({ names }: OtherNames, wanted: string): 0 | 1 | 2 {
  if (names.some((name) => plainName(name) === wanted)) return 2;
  return wanted.length >= shortestBeginning && names.some((name) => plainName(name).startsWith(wanted)) ? 1 : 0;
}

/** The entries that are meant by what is looked for, those of that very name first; none for nothing. */
export function findOtherNames(query: string): readonly OtherNames[] {
  const wanted = plainName(query);
  if (wanted === '') return [];
  const found = otherNames.map((entry) => ({ entry, fit: fitOf(entry, wanted) })).filter(({ fit }) => fit > 0);
  return found.toSorted((left, right) => right.fit - left.fit).map(({ entry }) => entry);
}
