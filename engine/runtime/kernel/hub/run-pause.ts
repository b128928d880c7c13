/**
 * Whether new work of a run may start. A run and its child runs share one object.
 */

/** The reasons of suspensions by a pause. The run continues when a person lets it, without an answer. */
export type PauseReason = 'paused';

/** A person's decision about a paused run: everything may start again, or only the next node. */
export type PauseAction = 'continue' | 'step';

export class RunPause {
  #isPaused: boolean;
  /** Number of nodes that may start although the run is paused. */
  #steps = 0;
  /** Called when held work should ask again, in the order in which it was held. */
  readonly #held = new Set<() => void>();

  constructor(isPaused: boolean) {
    this.#isPaused = isPaused;
  }

  get isPaused(): boolean {
    return this.#isPaused;
  }

  /** Holds everything that has not started yet. */
  pause(): void {
    this.#isPaused = true;
    this.#steps = 0;
  }

  apply(action: PauseAction): void {
    this.#isPaused = action === 'step';
    this.#steps = action === 'step' ? 1 : 0;
    const held = [...this.#held];
    this.#held.clear();
    for (const wake of held) wake();
  }

  /** Whether work may start. */
  get mayStart(): boolean {
    return !this.#isPaused || this.#steps > 0;
  }

  /** Returns whether work may start now. Must be called directly before it starts. */
  admits(): boolean {
    if (!this.mayStart) return false;
    if (this.#isPaused) this.#steps--;
    return true;
  }

  /**
   * Registers work that may not start. Calls `wake` once, when it should ask again. Returns a function that removes it.
   */
  hold(wake: () => void): () => void {
    this.#held.add(wake);
    return () => this.#held.delete(wake);
  }
}
