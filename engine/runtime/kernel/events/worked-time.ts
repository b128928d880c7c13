/**
 * Measures a run's working time. Time between two processes does not count, nor does time in which a run is suspended.
 */
export class WorkedTime {
  #before = 0;
  #sessionStart: number | undefined;
  #lastAt = 0;
  #isSuspended = false;

  /** Processes an event. @param at epoch milliseconds */
  take(type: string, at: number): void {
    // An answer is in the log before the run continues.
    if (this.#isSuspended && type !== 'run:resumed') return;
    this.#isSuspended = type === 'run:suspended';
    if (this.#sessionStart === undefined || type === 'run:resumed') {
      this.#before = this.ms;
      this.#sessionStart = at;
    }
    this.#lastAt = at;
  }

  /** Adds earlier working time in milliseconds. */
  add(ms: number): void {
    this.#before += ms;
  }

  /** Working time in milliseconds up to the last event. */
  get ms(): number {
    return this.msAt(this.#lastAt);
  }

  /**
   * Returns the working time in milliseconds up to `now` for a run that is still working. @param now epoch milliseconds
   */
  msAt(now: number): number {
    return this.#before + Math.max(0, now - (this.#sessionStart ?? now));
  }

  copy(): WorkedTime {
    const copy = new WorkedTime();
    copy.#before = this.#before;
    copy.#sessionStart = this.#sessionStart;
    copy.#lastAt = this.#lastAt;
    copy.#isSuspended = this.#isSuspended;
    return copy;
  }
}
