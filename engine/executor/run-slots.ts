/**
 * How many runs go on at once: the others wait in line.
 */

export interface WaitingRun {
  /** Starts at once without a place, for a run that has to end rather than to work. Harmless when it has started. */
  skipLine(): void;
}

export interface RunSlots {
  /** Calls `start` once, now or when a place is free, in order. Its place is free again when the promise resolves. */
  enter(start: () => Promise<void>): WaitingRun;
}

/** Makes `count` places. */
export function createRunSlots(count: number): RunSlots {
  let free = count;
  const line: (() => void)[] = [];

  function leave(): void {
    const next = line.shift();
    if (next === undefined) free++;
    else next();
  }

  return {
    enter(start) {
      const takePlace = (): void => void start().then(leave);
      if (free > 0) {
        free--;
        takePlace();
        return { skipLine() {} };
      }
      line.push(takePlace);
      return {
        skipLine() {
          const position = line.indexOf(takePlace);
          if (position === -1) return;
          line.splice(position, 1);
          void start();
        },
      };
    },
  };
}
