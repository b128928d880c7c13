/**
 * The entries of a cassette file while calls are recorded.
 */
import { cassetteText } from './cassette-file.ts';

// Existing calls keep their positions, and a new call follows the one made before it. As a result, a changed prompt
// appears as a change in place, and the order of parallel calls makes no difference.

interface CallPlaces {
  /**
   * Returns the position of the next call with that key, as a sort key. Calls with equal positions keep their order.
   */
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
      // A call is never placed before an equal one, because the order of equal calls determines their responses.
      last = placesOf.get(key)?.shift() ?? Math.max(last, lastOf.get(key) ?? -1);
      lastOf.set(key, last);
      return last;
    },
  };
}

/** An entry of the file. Equal requests have the same key. */
export interface CassetteLine {
  readonly key: string;
  /** Index among equal requests, starting at 0. */
  readonly occurrence: number;
  /** Position in the file. */
  readonly place: number;
  /** Index among all calls that were made, starting at 0; -1 for an entry of the opened file. */
  readonly order: number;
  readonly text: string;
}

/** A line that is not in the file yet. */
interface HeldLine extends CassetteLine {
  /** Describes the call. */
  readonly title: string;
}

export class RecordedLines {
  #lines: readonly CassetteLine[];
  #held: readonly HeldLine[] = [];

  /** @param lines entries of the opened file, in order */
  constructor(lines: readonly CassetteLine[]) {
    this.#lines = lines;
  }

  /** Adds a recorded call. It replaces an earlier response to the same request. */
  put(line: CassetteLine): void {
    const others = this.#lines.filter(({ key, occurrence }) => key !== line.key || occurrence !== line.occurrence);
    this.#lines = [...others, line].sort((a, b) => a.place - b.place || a.order - b.order);
  }

  hold(line: HeldLine): void {
    this.#held = [...this.#held, line];
  }

  /** Returns the lines that were held, and adds them if `areKept`. */
  takeHeld(areKept: boolean): readonly HeldLine[] {
    const held = this.#held;
    this.#held = [];
    if (areKept) for (const line of held) this.put(line);
    return held;
  }

  /** Removes the entries of the opened file that were not recorded again. Returns whether there were any. */
  removeOld(): boolean {
    const kept = this.#lines.filter(({ order }) => order !== -1);
    const hadOld = kept.length < this.#lines.length;
    this.#lines = kept;
    return hadOld;
  }

  /** Returns the text of the file. */
  text(): string {
    return cassetteText(this.#lines.map(({ text }) => text));
  }
}
