/**
 * Fast nodes settle without ever leaving the microtask queue; a long chain of them would keep cancel requests, timers
 * and windows waiting. The breather gives the event loop a turn now and then.
 */
import type { Clock } from '../base/clock.ts';

const longestBusyMs = 25;

export class Breather {
  readonly #clock: Clock;
  #busySince: number;
  #hasJustRested = false;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#busySince = clock.now();
  }

  /** Never right after a rest: whatever the clock says, work gets on. */
  isDue(): boolean {
    if (this.#hasJustRested) {
      this.#hasJustRested = false;
      return false;
    }
    const busyMs = this.#clock.now() - this.#busySince;
    // A clock that was put back tells nothing.
    return busyMs >= longestBusyMs || busyMs < 0;
  }

  /** Resolves after one turn of the event loop. */
  rest(): Promise<void> {
    return new Promise((resolve) => {
      this.#clock.setTimer(() => {
        this.#busySince = this.#clock.now();
        this.#hasJustRested = true;
        resolve();
      }, 0);
    });
  }
}
