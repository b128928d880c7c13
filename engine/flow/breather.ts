/**
 * Fast nodes settle without ever leaving the microtask queue; a long chain of them would keep cancel requests, timers
 * and windows waiting. The breather gives the event loop a turn now and then.
 */
import type { Clock } from '../base/clock.ts';

const longestBusyMs = 25;

export class Breather {
  readonly #clock: Clock;
  #busySince: number;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#busySince = clock.now();
  }

  isDue(): boolean {
    return this.#clock.now() - this.#busySince >= longestBusyMs;
  }

  /** Resolves after one turn of the event loop. */
  rest(): Promise<void> {
    return new Promise((resolve) => {
      this.#clock.setTimer(() => {
        this.#busySince = this.#clock.now();
        resolve();
      }, 0);
    });
  }
}
