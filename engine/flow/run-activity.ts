/**
 * Whether anything goes on in a run: when nothing does any more, whoever waits for a person ends, and the run is suspended.
 */
import { systemClock } from '../base/clock.ts';

export class RunActivity {
  /** What is at work: attempts of nodes, with the pauses between them. */
  #count = 0;
  /** Graphs in which nothing can go on before a person has answered. */
  readonly #parked = new Set<() => void>();
  #isLooking = false;

  begin(): void {
    this.#count++;
  }

  end(): void {
    this.#count--;
    this.#lookSoon();
  }

  /** @param suspend called when the run is to be suspended. Returns the end of that */
  park(suspend: () => void): () => void {
    this.#parked.add(suspend);
    this.#lookSoon();
    return () => this.#parked.delete(suspend);
  }

  /** A turn later: what follows from the last end has begun by then. */
  #lookSoon(): void {
    if (this.#count > 0 || this.#parked.size === 0 || this.#isLooking) return;
    this.#isLooking = true;
    const look = (): void => {
      this.#isLooking = false;
      if (this.#count > 0) return;
      for (const suspend of [...this.#parked]) suspend();
    };
    // A turn of the machine, whatever time the run goes by.
    if (systemClock.setTurn !== undefined) systemClock.setTurn(look);
    else systemClock.setTimer(look, 0);
  }
}
