/**
 * Yields to the event loop in the middle of long work.
 */
import type { Clock } from './clock.ts';

/** Maximum busy time in milliseconds. Including the work until the next check, it stays under 10 ms. */
const longestBusyMs = 8;

/** Number of steps between clock checks. A check costs more than most steps. */
const stepsPerLook = 4;

/**
 * Work that never waits, such as a long chain of fast nodes, stays in the microtask queue and would delay cancel
 * requests, timers and windows until it ends. The breather yields to the event loop before 10 ms have passed.
 *
 * if (breather.isDue()) await breather.rest();
 */
export class Breather {
  readonly #clock: Clock;
  readonly #resting: (() => void)[] = [];
  #busySince: number;
  #steps = 0;
  #isOverdue = false;
  #hasJustRested = false;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#busySince = clock.now();
  }

  /**
   * Returns whether the work has to rest; call this before each short step. Never returns true right after a rest, so
   * that work progresses whatever the clock shows.
   */
  isDue(): boolean {
    // Thousands of callers may share a breather. All of them rest until the event loop has had its turn.
    if (this.#isOverdue) return true;
    if (++this.#steps % stepsPerLook !== 0) return false;
    if (this.#hasJustRested) {
      this.#hasJustRested = false;
      return false;
    }
    const busyMs = this.#clock.now() - this.#busySince;
    // A negative difference means that the clock was set back.
    this.#isOverdue = busyMs >= longestBusyMs || busyMs < 0;
    return this.#isOverdue;
  }

  /** Resolves after a turn of the event loop. Concurrent callers resume one after the other. */
  rest(): Promise<void> {
    return new Promise((resolve) => {
      this.#resting.push(resolve);
      if (this.#resting.length === 1) this.#awaitTurn();
    });
  }

  #awaitTurn(): void {
    if (this.#clock.setTurn !== undefined) this.#clock.setTurn(() => this.#wake(1));
    // A timer takes a long time, so all callers share a single one.
    else this.#clock.setTimer(() => this.#wake(this.#resting.length), 0);
  }

  #wake(count: number): void {
    this.#busySince = this.#clock.now();
    this.#isOverdue = false;
    this.#hasJustRested = true;
    for (const resolve of this.#resting.splice(0, count)) resolve();
    if (this.#resting.length > 0) this.#awaitTurn();
  }
}
