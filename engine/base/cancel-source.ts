/**
 * Asking work to stop: once, for one reason, with a signal only where somebody needs one.
 */
import { onAbort } from './on-abort.ts';

/** Canceled once. Never canceled after `close`. */
export class CancelSource<Reason> {
  #reason: Reason | undefined;
  #isClosed = false;
  #controller: AbortController | undefined;
  #letGo: (() => void) | undefined;
  readonly #listeners = new Set<() => void>();

  /** Undefined until it is canceled. */
  get reason(): Reason | undefined {
    return this.#reason;
  }

  /** Aborts with the reason. Made when it is first asked for: most short work never does. */
  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.#reason !== undefined) this.#controller.abort(this.#reason);
    }
    return this.#controller.signal;
  }

  /** Asks everything that listens to stop. The first reason stays. */
  cancel(reason: Reason): void {
    if (this.#isClosed) return;
    this.#reason = reason;
    this.close();
    this.#controller?.abort(reason);
    for (const listener of this.#listeners) listener();
    this.#listeners.clear();
  }

  /** Calls `listener` once, when this is canceled; never if it already is. Returns the end of that. */
  onCancel(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Is canceled when `parent` is, and at once if it already is. To be called once. */
  follow(parent: CancelSource<Reason>): void {
    const take = (): void => {
      if (parent.reason !== undefined) this.cancel(parent.reason);
    };
    if (parent.reason === undefined) this.#letGo = parent.onCancel(take);
    else take();
  }

  /** Is canceled when a signal aborts, and at once if it already has. To be called once. */
  followSignal(signal: AbortSignal, reasonOf: (signal: AbortSignal) => Reason): void {
    const take = (): void => this.cancel(reasonOf(signal));
    if (signal.aborted) take();
    else this.#letGo = onAbort(signal, take);
  }

  /** Lets go of what it follows; to be called when its work is done. */
  close(): void {
    this.#isClosed = true;
    this.#letGo?.();
    this.#letGo = undefined;
  }
}
