/**
 * Where errors of an engine's listeners go: they must not reach a run.
 */

/** Tells of it as a warning of the process. */
export function warn(thrown: unknown): void {
  process.emitWarning(thrown instanceof Error ? thrown : String(thrown));
}
