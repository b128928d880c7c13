/**
 * A set of listeners. Each subscription is separate, even if a function subscribes twice.
 */

export class Listeners<Args extends readonly unknown[]> {
  #all: readonly { readonly tell: (...args: Args) => void }[] = [];

  get count(): number {
    return this.#all.length;
  }

  /** Adds a listener. Returns a function that removes it and may be called repeatedly. */
  add(listener: (...args: Args) => void): () => void {
    const own = { tell: listener };
    this.#all = [...this.#all, own];
    return () => {
      this.#all = this.#all.filter((other) => other !== own);
    };
  }

  /**
   * Calls every listener that was subscribed when the call started, in order.
   * @param onError receives listeners' errors, which do not affect other listeners
   */
  tell(onError: (thrown: unknown) => void, ...args: Args): void {
    for (const { tell } of this.#all) {
      try {
        tell(...args);
      } catch (thrown) {
        onError(thrown);
      }
    }
  }

  clear(): void {
    this.#all = [];
  }
}
