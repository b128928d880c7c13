/**
 * Determines the pause between a failure and the next start.
 */
import { type Clock, elapsedSince, sleep } from '../../base/clock.ts';
import type { EngineError } from '../../base/engine-error.ts';

/** Pauses after consecutive failures, in milliseconds. After the last one, the server does not restart automatically. */
const pausesMs = [500, 1_000, 2_000, 4_000, 8_000];
/** Time without a failure, in milliseconds, after which earlier failures are forgotten. */
const forgivenMs = 10 * 60_000;

export class RestartPauses {
  /** Number of consecutive failures. */
  count = 0;
  #failedAt = 0;
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Records a failure. */
  note(): void {
    this.count++;
    this.#failedAt = this.#clock.now();
  }

  forget(): void {
    this.count = 0;
  }

  /**
   * Waits for the end of the pause. @throws the error returned by `givenUp` after too many failures; the signal's
   * reason
   */
  async wait(signal: AbortSignal, givenUp: () => EngineError): Promise<void> {
    const elapsed = elapsedSince(this.#failedAt, this.#clock);
    if (elapsed >= forgivenMs) this.count = 0;
    if (this.count === 0) return;
    const pause = pausesMs[this.count - 1];
    if (pause === undefined) throw givenUp();
    if (pause > elapsed) await sleep(this.#clock, pause - elapsed, signal);
  }
}
