/**
 * The system's error codes for files → the errors of the files layer.
 */
import { EngineError } from '../base/engine-error.ts';

/** The code (`ENOENT`, `EACCES`, …) of an error that the system gave, else undefined. */
export function systemCodeOf(thrown: unknown): string | undefined {
  const isOfSystem = thrown instanceof Error && 'errno' in thrown && 'code' in thrown;
  return isOfSystem && typeof thrown.code === 'string' ? thrown.code : undefined;
}

/** True when nothing lies at the path. */
export function isMissing(thrown: unknown): boolean {
  const code = systemCodeOf(thrown);
  return code === 'ENOENT' || code === 'ENOTDIR';
}

/**
 * The error for a failed reading; what is no failure of the system comes back unchanged.
 * @param shownPath the path as the user wrote it
 */
export function toReadError(thrown: unknown, shownPath: string): unknown {
  const code = systemCodeOf(thrown);
  if (code === undefined) {
    return thrown;
  }
  if (isMissing(thrown)) {
    return new EngineError({
      code: 'files.not-found',
      message: `${shownPath} does not exist. Check the path; it is relative to the workspace folder.`,
      cause: thrown,
    });
  }
  return new EngineError({
    code: 'files.not-readable',
    message: `${shownPath} cannot be read (${code}). Check that you may read it.`,
    cause: thrown,
  });
}

/**
 * The error for a failed writing; what is no failure of the system comes back unchanged.
 * @param shownPath the path as the user wrote it
 */
export function toWriteError(thrown: unknown, shownPath: string): unknown {
  const code = systemCodeOf(thrown);
  if (code === undefined) {
    return thrown;
  }
  const isFull = code === 'ENOSPC' || code === 'EDQUOT';
  return new EngineError({
    code: 'files.not-writable',
    message: isFull
      ? `${shownPath} cannot be written: the disk is full. Free some space and try again.`
      : `${shownPath} cannot be written (${code}). Check that it is no folder and that you may write there.`,
    cause: thrown,
  });
}
