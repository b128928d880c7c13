/**
 * Turns of the event loop for everybody else, in the middle of long work.
 */
import type { Clock } from './clock.ts';

/** With the work until somebody looks at the clock, under 10 ms. */
const longestBusyMs = 8;

/** Looking at the clock costs more than a step of most work. */
const stepsPerLook = 4;

/**
 * Work that never waits, such as a long chain of fast nodes, stays in the queue of microtasks; requests to cancel it, timers
 * and windows would wait for all of it. The breather gives the event loop a turn before 10 ms have passed.
 *
 *     if (breather.isDue()) await breather.rest();
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

  /** To be asked before each short step of the work. Never right after a rest: whatever the clock says, work gets on. */
  isDue(): boolean {
    // Thousands may share it: until the turn has come, nobody else goes on either.
    if (this.#isOverdue) return true;
    if (++this.#steps % stepsPerLook !== 0) return false;
    if (this.#hasJustRested) {
      this.#hasJustRested = false;
      return false;
    }
    const busyMs = this.#clock.now() - this.#busySince;
    // A clock that was put back proves nothing.
    this.#isOverdue = busyMs >= longestBusyMs || busyMs < 0;
    return this.#isOverdue;
  }

  /** Resolves after a turn of the event loop. Those who rest at the same time go on one after the other. */
  rest(): Promise<void> {
    return new Promise((resolve) => {
      this.#resting.push(resolve);
      if (this.#resting.length === 1) this.#awaitTurn();
    });
  }

  #awaitTurn(): void {
    if (this.#clock.setTurn !== undefined) this.#clock.setTurn(() => this.#wake(1));
    // A timer takes long, so that all go on after one.
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
