/**
 * Changes of files for which a command runs again, without those that its own output causes.
 */

/** Changes that are reported within this time after a run may have happened during it. In milliseconds. */
const reportDelayMs = 1_000;

/** Files that people edit are never output. A command that writes them stops when nothing is left to write. */
const source = /\.(?:ya?ml|aip|lua|md|csv|tsv|jsonl|ndjson)$/i;

export class WatchedChanges {
  /** Changes that the next run follows. */
  #changed = new Set<string>();
  /** Changes since the last run began, until shortly after its end. */
  #made = new Set<string>();
  /** Files that change while the command runs, and only then. */
  readonly #outputs = new Set<string>();
  #isRunning = false;
  #endedAt = 0;
  #isEnded = false;
  #wake: () => void = () => undefined;

  /** @param paths empty for changes before files were watched, which the first run has seen */
  add(paths: readonly string[]): void {
    const isDuring = this.#isRunning || performance.now() - this.#endedAt < reportDelayMs;
    for (const path of paths) {
      if (isDuring) this.#made.add(path);
      else this.#outputs.delete(path);
      if (!this.#outputs.has(path)) this.#changed.add(path);
    }
    if (this.#changed.size > 0) this.#wake();
  }

  /** Performs a run. */
  async during(run: () => Promise<unknown>): Promise<void> {
    // Nothing but the last run's own changes may have caused this run. If it makes them again, they are its output.
    const cause = [...this.#changed].every((path) => this.#made.has(path)) ? this.#changed : new Set<string>();
    [this.#changed, this.#made, this.#isRunning] = [new Set(), new Set(), true];
    try {
      await run();
    } finally {
      [this.#isRunning, this.#endedAt] = [false, performance.now()];
    }
    await new Promise((resolve) => setTimeout(resolve, reportDelayMs));
    for (const path of cause) {
      if (!this.#made.has(path) || source.test(path)) continue;
      this.#outputs.add(path);
      this.#changed.delete(path);
    }
  }

  /** Resolves after a change, or after `end`. */
  async next(): Promise<void> {
    if (this.#changed.size > 0 || this.#isEnded) return;
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
    });
  }

  end(): void {
    this.#isEnded = true;
    this.#wake();
  }
}
