/**
 * How long a run has worked: time that passes between two processes is not the run's.
 */
export class WorkedTime {
  #before = 0;
  #sessionStart: number | undefined;
  #lastAt = 0;

  /** An event, with its time in epoch milliseconds. */
  take(type: string, at: number): void {
    if (this.#sessionStart === undefined || type === 'run:resumed') {
      this.#before = this.ms;
      this.#sessionStart = at;
    }
    this.#lastAt = at;
  }

  /** Adds what was worked before, in milliseconds. */
  add(ms: number): void {
    this.#before += ms;
  }

  /** Milliseconds up to the last event. */
  get ms(): number {
    return this.msAt(this.#lastAt);
  }

  /** Milliseconds up to `now` of a run that still works, in epoch milliseconds. */
  msAt(now: number): number {
    return this.#before + Math.max(0, now - (this.#sessionStart ?? now));
  }

  copy(): WorkedTime {
    const copy = new WorkedTime();
    copy.#before = this.#before;
    copy.#sessionStart = this.#sessionStart;
    copy.#lastAt = this.#lastAt;
    return copy;
  }
}
