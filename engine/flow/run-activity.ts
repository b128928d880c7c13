/**
 * Whether anything goes on in a run: when nothing does any more, whoever waits for a person ends, and the run is suspended.
 */
import { type Clock, elapsedSince, systemClock } from '../base/clock.ts';

/** Notes what is at work: attempts of nodes, with the pauses between them. */
export interface Activity {
  begin(): void;
  end(): void;
}

/** Whether anything goes on in a loop, and how long nothing did. What goes on in it goes on around it too. */
export class LoopActivity implements Activity {
  readonly #outer: Activity;
  readonly #clock: Clock;
  #count = 0;
  #stillSince: number;
  #stillMs = 0;
  #onGoing: (() => void) | undefined;

  constructor(outer: Activity, clock: Clock) {
    this.#outer = outer;
    this.#clock = clock;
    this.#stillSince = clock.now();
  }

  begin(): void {
    if (this.#count++ === 0) {
      this.#stillMs += elapsedSince(this.#stillSince, this.#clock);
      const tell = this.#onGoing;
      this.#onGoing = undefined;
      tell?.();
    }
    this.#outer.begin();
  }

  end(): void {
    if (--this.#count === 0) this.#stillSince = this.#clock.now();
    this.#outer.end();
  }

  /** Milliseconds in which nothing went on, since this was last asked. */
  takeStillMs(): number {
    const now = this.#clock.now();
    if (this.#count === 0) {
      this.#stillMs += elapsedSince(this.#stillSince, this.#clock);
      this.#stillSince = now;
    }
    const stillMs = this.#stillMs;
    this.#stillMs = 0;
    return stillMs;
  }

  /** Calls back as soon as something goes on: now, or later, in place of who wanted to know before. */
  whenGoing(listener: () => void): void {
    if (this.#count > 0) listener();
    else this.#onGoing = listener;
  }
}

export class RunActivity implements Activity {
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
