/**
 * Tracks whether anything in a run is active. When nothing is, graphs that wait for a person end, and the run is
 * suspended.
 */
import { type Clock, elapsedSince, systemClock } from '../../base/clock.ts';
import type { WaitedTime } from '../kernel/capabilities/run-host.ts';

/** Tracks activity: node attempts, including the delays between them. */
export interface Activity {
  begin(): void;
  end(): void;
}

/** Measures how long nothing was active. */
export interface StillTime {
  /** Returns the milliseconds without activity since the last call. */
  takeStillMs(): number;
  /** Calls the listener as soon as there is activity, either now or later. Replaces the previous listener. */
  whenGoing(listener: () => void): void;
}

/**
 * Tracks whether anything in a loop is active, and how long nothing was. Activity in a loop also counts as activity in
 * the enclosing loops and the run.
 */
export class LoopActivity implements Activity, StillTime {
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

  whenGoing(listener: () => void): void {
    if (this.#count > 0) listener();
    else this.#onGoing = listener;
  }
}

/** Measures how long nothing in a node was active on a host that keeps waiting runs open. */
export class HostedStillTime implements StillTime {
  /** Absent for a called flow, in which nothing is active at least while the whole run waits. */
  readonly #loop: LoopActivity | undefined;
  readonly #waits: WaitedTime;
  #takenMs: number;

  constructor(loop: LoopActivity | undefined, waits: WaitedTime) {
    this.#loop = loop;
    this.#waits = waits;
    this.#takenMs = waits.ms;
  }

  takeStillMs(): number {
    const { ms } = this.#waits;
    const waitedMs = ms - this.#takenMs;
    this.#takenMs = ms;
    return Math.max(waitedMs, this.#loop?.takeStillMs() ?? 0);
  }

  whenGoing(listener: () => void): void {
    const loop = this.#loop;
    this.#waits.whenOver(loop === undefined ? listener : () => loop.whenGoing(listener));
  }
}

export class RunActivity implements Activity {
  /** Number of active attempts, including the delays between them. */
  #count = 0;
  /** Graphs in which nothing can continue without an answer. */
  readonly #parked = new Set<() => void>();
  #isLooking = false;

  begin(): void {
    this.#count++;
  }

  end(): void {
    this.#count--;
    this.#lookSoon();
  }

  /** Parks a graph. @param suspend called to suspend the run. @returns a function that leaves the parked state */
  park(suspend: () => void): () => void {
    this.#parked.add(suspend);
    this.#lookSoon();
    return () => this.#parked.delete(suspend);
  }

  /** Checks one turn later, after work caused by the last completion has started. */
  #lookSoon(): void {
    if (this.#count > 0 || this.#parked.size === 0 || this.#isLooking) return;
    this.#isLooking = true;
    const look = (): void => {
      this.#isLooking = false;
      if (this.#count > 0) return;
      for (const suspend of [...this.#parked]) suspend();
    };
    // Uses a turn of the real event loop, independent of the run's clock.
    if (systemClock.setTurn !== undefined) systemClock.setTurn(look);
    else systemClock.setTimer(look, 0);
  }
}
