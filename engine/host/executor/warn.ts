/**
 * Reports errors of an engine's listeners, which must not affect a run.
 */

/** Reports an error as a process warning. */
export function warn(thrown: unknown): void {
  process.emitWarning(thrown instanceof Error ? thrown : String(thrown));
}
