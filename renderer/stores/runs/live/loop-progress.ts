/**
 * How far a loop is, in numbers that cards show.
 */
import type { LoopTally } from '../../../../engine/isomorphic.ts';

/**
 * Returns the number of items for which every node that can still run has ended. `bodySize` is the number of direct
 * members of the body.
 */
export function countDone({ items }: LoopTally, bodySize: number): number {
  let done = 0;
  for (const { open, ended, failed } of items.values()) {
    if (open === 0 && (ended >= bodySize || failed > 0)) done += 1;
  }
  return done;
}

/** Returns the number of items in progress. */
export function countAtWork({ items }: LoopTally): number {
  let atWork = 0;
  for (const { open } of items.values()) if (open > 0) atWork += 1;
  return atWork;
}
