/**
 * Records firings that come from outside, such as requests, and reports what happens to them.
 */
import type { Clock } from '../../base/clock.ts';
import type { AddedFiring, Firing, FiringStore, NewFiring } from '../../history/store/firing-store.ts';

interface UnrecordedFiring {
  readonly firing: NewFiring;
  readonly resolve: (recorded: AddedFiring) => void;
  readonly reject: (error: unknown) => void;
}

/** Another service may start a firing, and reports that only in the history. */
const lookAgainMs = 1_000;

export class ReceivedFirings {
  readonly #store: FiringStore;
  readonly #clock: Clock;
  readonly #onRecorded: () => void;
  readonly #awaited = new Map<number, ((firing: Firing | undefined) => void)[]>();
  #unrecorded: UnrecordedFiring[] = [];
  #endTimer: (() => void) | undefined;

  /** @param onRecorded called when firings may start */
  constructor(
    { store, clock }: { readonly store: { readonly firings: FiringStore }; readonly clock: Clock },
    onRecorded: () => void,
  ) {
    this.#store = store.firings;
    this.#clock = clock;
    this.#onRecorded = onRecorded;
  }

  /** Resolves when the firing is on disk. Requests that arrive together share a transaction. @throws EngineError `store.*` */
  add(firing: NewFiring): Promise<AddedFiring> {
    return new Promise((resolve, reject) => {
      const count = this.#unrecorded.push({ firing, resolve, reject });
      if (count === 1) setImmediate(() => this.#record());
    });
  }

  #record(): void {
    const [...all] = this.#unrecorded;
    this.#unrecorded = [];
    try {
      const recorded = this.#store.addAll(all.map(({ firing }) => firing));
      all.forEach(({ resolve }, index) => {
        const one = recorded[index];
        if (one !== undefined) resolve(one);
      });
    } catch (error) {
      for (const { reject } of all) reject(error);
      return;
    }
    this.#onRecorded();
  }

  /** Resolves with a firing when it no longer waits, or with one that waits when the service is closed. */
  whenDecided(id: number): Promise<Firing | undefined> {
    return new Promise((resolve) => {
      this.#awaited.set(id, [...(this.#awaited.get(id) ?? []), resolve]);
      this.report();
    });
  }

  /** Reports the firings that no longer wait. */
  report(isLast = false): void {
    this.#endTimer?.();
    for (const [id, waiters] of this.#awaited) {
      const firing = this.#store.find(id);
      if (firing?.state === 'waiting' && !isLast) continue;
      this.#awaited.delete(id);
      for (const resolve of waiters) resolve(firing);
    }
    this.#endTimer = this.#awaited.size === 0 ? undefined : this.#clock.setTimer(() => this.report(), lookAgainMs);
  }
}
