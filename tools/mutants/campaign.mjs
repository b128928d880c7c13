/**
 * The state of all mutants in a run, read from the notes of its processes.
 */
import path from 'node:path';

/** @typedef {import('./find-mutants.mjs').Mutant} Mutant */
/** @typedef {import('./trial-runner.mjs').Note} Note */

export class Campaign {
  /** @type {Map<number, { outcome: string, by?: string | undefined }>} */
  outcomes = new Map();
  /** Mutants that are reached by tests, and the files of those tests. @type {Map<number, Set<string>>} */
  reachedBy = new Map();
  /** Mutants that are reached while modules load. @type {Set<number>} */
  outside = new Set();
  /** Test files that are done. @type {Set<string>} */
  done = new Set();
  /** Tests that fail without a mutant. @type {string[]} */
  broken = [];
  /** By test file, in milliseconds. @type {Map<string, number>} */
  times = new Map();

  /** Applies the notes of one process. @param {readonly Note[]} notes */
  take(notes) {
    this.broken = notes.flatMap((note) => ('broken' in note ? [note.broken] : []));
    const begun = notes.flatMap((note) => ('file' in note ? [note] : []));
    for (const { file } of begun) this.times.set(file, 0);
    for (const { file, tookMs, reached } of begun) {
      this.times.set(file, (this.times.get(file) ?? 0) + tookMs);
      for (const id of reached) this.reachedBy.set(id, (this.reachedBy.get(id) ?? new Set()).add(file));
    }
    for (const note of notes) this.#takeOne(note);
  }

  /** @param {Note} note */
  #takeOne(note) {
    if ('outside' in note) for (const id of note.outside) this.outside.add(id);
    if ('done' in note) this.done.add(note.done);
    if ('outcome' in note) this.outcomes.set(note.id, { outcome: note.outcome, by: note.by });
  }

  /**
   * Returns the test files to try on a mutant that takes effect while modules load: those beside its source, and those
   * that reach other mutants of the same source, fastest first.
   * @param {Mutant} mutant
   * @param {{ sample: readonly Mutant[], folder: string, withinMs: number }} choice `folder`: folder of the source
   */
  filesFor(mutant, { sample, folder, withinMs }) {
    const others = sample.filter(({ file }) => file === mutant.file);
    const passing = others.flatMap(({ id }) => [...(this.reachedBy.get(id) ?? [])]);
    const beside = [...this.times.keys()].filter((file) => path.dirname(file) === folder);
    const ranked = [...new Set([...passing, ...beside])].map((file) => ({ file, tookMs: this.times.get(file) ?? 0 }));
    let sum = 0;
    return ranked
      .sort((a, b) => a.tookMs - b.tookMs)
      .filter(({ tookMs }) => {
        sum += tookMs;
        return sum < withinMs;
      })
      .map(({ file }) => file);
  }
}
