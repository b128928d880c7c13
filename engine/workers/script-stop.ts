/**
 * What stops one script: a cancelled run, a limit, or the end of the runtime.
 */
import { onAbort } from '../base/on-abort.ts';

/** Stops once. Its signal is made when a call of the host asks for it: most scripts only compute, and a signal takes longer than such a script. */
export class ScriptStop {
  readonly #listeners = new Set<() => void>();
  #unlink: (() => void) | undefined;
  #stopped: { readonly reason: unknown } | undefined;
  #controller: AbortController | undefined;

  /** @param outer stops the script too, with the same reason, until `close` is called */
  constructor(outer: AbortSignal) {
    if (outer.aborted) this.stop(outer.reason);
    else this.#unlink = onAbort(outer, () => this.stop(outer.reason));
  }

  get isStopped(): boolean {
    return this.#stopped !== undefined;
  }

  get reason(): unknown {
    return this.#stopped?.reason;
  }

  /** Aborts with the reason when the script is stopped. */
  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.#stopped !== undefined) this.#controller.abort(this.#stopped.reason);
    }
    return this.#controller.signal;
  }

  /** The first reason stays. */
  stop(reason: unknown): void {
    if (this.#stopped !== undefined) return;
    this.#stopped = { reason };
    this.close();
    this.#controller?.abort(reason);
    for (const listener of [...this.#listeners]) listener();
    this.#listeners.clear();
  }

  /** Calls `listener` once, when the script is stopped; never if it is already. Returns the end of that. */
  onStop(listener: () => void): () => void {
    const own = (): void => listener();
    this.#listeners.add(own);
    return () => this.#listeners.delete(own);
  }

  /** Lets go of the outer signal. */
  close(): void {
    this.#unlink?.();
    this.#unlink = undefined;
  }
}
