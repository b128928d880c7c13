/**
 * How long whoever has failed is left alone before the next try.
 */
import { type Clock, elapsedSince, sleep } from '../base/clock.ts';
import type { EngineError } from '../base/engine-error.ts';

/** After the first failure, the second and so on, in milliseconds; behind the last one, nothing is tried by itself. */
const pausesMs = [500, 1_000, 2_000, 4_000, 8_000];
/** After so long without a failure, all is forgotten. */
const forgivenMs = 10 * 60_000;

export class RestartPauses {
  /** Failures in a row. */
  count = 0;
  #failedAt = 0;
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Something has failed. */
  note(): void {
    this.count++;
    this.#failedAt = this.#clock.now();
  }

  forget(): void {
    this.count = 0;
  }

  /** Waits for the end of the pause. @throws what `givenUp` makes when there were too many failures; the signal's reason */
  async wait(signal: AbortSignal, givenUp: () => EngineError): Promise<void> {
    const elapsed = elapsedSince(this.#failedAt, this.#clock);
    if (elapsed >= forgivenMs) this.count = 0;
    if (this.count === 0) return;
    const pause = pausesMs[this.count - 1];
    if (pause === undefined) throw givenUp();
    if (pause > elapsed) await sleep(this.#clock, pause - elapsed, signal);
  }
}
