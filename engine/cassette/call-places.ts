/**
 * Where calls stand in a cassette that is recorded again: where they stood, and new ones behind the call that was asked
 * before them. So a changed prompt shows as a change in place, and parallel calls that swap leave no difference.
 */

export interface CallPlaces {
  /** The place of the next call with that key, a number to sort by; equal ones keep the order of asking. */
  next(key: string): number;
}

/** @param known keys of the recorded calls, in order */
export function createCallPlaces(known: readonly string[]): CallPlaces {
  const placesOf = new Map<string, number[]>();
  for (const [place, key] of known.entries()) placesOf.set(key, [...(placesOf.get(key) ?? []), place]);
  const lastOf = new Map<string, number>();
  let last = -1;
  return {
    next(key) {
      // Never before an equal call: their order says which answer is whose.
      last = placesOf.get(key)?.shift() ?? Math.max(last, lastOf.get(key) ?? -1);
      lastOf.set(key, last);
      return last;
    },
  };
}
