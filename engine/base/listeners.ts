/**
 * Those who want to be told: each subscription is its own, also when one function subscribes twice.
 */

export class Listeners<Args extends readonly unknown[]> {
  #all: readonly { readonly tell: (...args: Args) => void }[] = [];

  get count(): number {
    return this.#all.length;
  }

  /** Returns the subscription's end, which may be called again. */
  add(listener: (...args: Args) => void): () => void {
    const own = { tell: listener };
    this.#all = [...this.#all, own];
    return () => {
      this.#all = this.#all.filter((other) => other !== own);
    };
  }

  /**
   * Tells everybody who was there at the start, one after another.
   * @param onError gets what a listener threw, which keeps nobody else from being told
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
