/**
 * Cancels work once, with one reason. Creates an `AbortSignal` only if one is requested, because most short work needs
 * none.
 */
import { onAbort } from './on-abort.ts';

/** A source that can be canceled once, and no longer after `close`. */
export class CancelSource<Reason> {
  #reason: Reason | undefined;
  #isClosed = false;
  #controller: AbortController | undefined;
  #letGo: (() => void) | undefined;
  readonly #listeners = new Set<() => void>();

  /** The reason; undefined until it is canceled. */
  get reason(): Reason | undefined {
    return this.#reason;
  }

  /** Aborts with the reason. Created on first access, because most short work never uses it. */
  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.#reason !== undefined) this.#controller.abort(this.#reason);
    }
    return this.#controller.signal;
  }

  /** Cancels this source and notifies all listeners. Only the first reason counts. */
  cancel(reason: Reason): void {
    if (this.#isClosed) return;
    this.#reason = reason;
    this.close();
    this.#controller?.abort(reason);
    for (const listener of this.#listeners) listener();
    this.#listeners.clear();
  }

  /**
   * Calls `listener` once when this source is canceled; never if it has already been canceled. Returns a function that
   * removes the listener.
   */
  onCancel(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /**
   * Cancels this source when `parent` is canceled, or immediately if it already has been. Must be called at most once.
   */
  follow(parent: CancelSource<Reason>): void {
    const take = (): void => {
      if (parent.reason !== undefined) this.cancel(parent.reason);
    };
    if (parent.reason === undefined) this.#letGo = parent.onCancel(take);
    else take();
  }

  /** Cancels this source when a signal aborts, or immediately if it already has. Must be called at most once. */
  followSignal(signal: AbortSignal, reasonOf: (signal: AbortSignal) => Reason): void {
    const take = (): void => this.cancel(reasonOf(signal));
    if (signal.aborted) take();
    else this.#letGo = onAbort(signal, take);
  }

  /** Stops following the parent or signal. Must be called when the work has ended. */
  close(): void {
    this.#isClosed = true;
    this.#letGo?.();
    this.#letGo = undefined;
  }
}
