/**
 * Measures the time during which a run only waits for people.
 */
import type { WaitedTime } from '../../runtime/kernel/capabilities/run-host.ts';

export class SessionWaits implements WaitedTime {
  readonly #now: () => number;
  #since: number | undefined;
  #beforeMs = 0;
  #listeners: (() => void)[] = [];

  /** @param now returns the time of the run in epoch milliseconds */
  constructor(now: () => number) {
    this.#now = now;
  }

  get ms(): number {
    return this.#beforeMs + (this.#since === undefined ? 0 : this.#now() - this.#since);
  }

  whenOver(listener: () => void): void {
    if (this.#since === undefined) listener();
    else this.#listeners.push(listener);
  }

  /** Must be called when the run only waits; may be called again during the wait. */
  begin(): void {
    this.#since ??= this.#now();
  }

  /** Must be called when the run continues, after its time has advanced. */
  end(): void {
    this.#beforeMs = this.ms;
    this.#since = undefined;
    const listeners = this.#listeners;
    this.#listeners = [];
    for (const tell of listeners) tell();
  }
}
