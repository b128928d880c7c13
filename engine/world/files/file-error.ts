/**
 * Converts file system error codes into errors of the files layer.
 */
import type { Stats } from 'node:fs';
import { EngineError } from '../../base/engine-error.ts';
import { systemErrorText } from '../../base/system-trouble.ts';

/** Returns a system error's code (`ENOENT`, `EACCES`, …); undefined for other errors. */
export function systemCodeOf(thrown: unknown): string | undefined {
  const isOfSystem = thrown instanceof Error && 'errno' in thrown && 'code' in thrown;
  return isOfSystem && typeof thrown.code === 'string' ? thrown.code : undefined;
}

/** Creates an error like the system's, for files that do not exist on disk. */
export function systemError(code: string, path: string): Error {
  return Object.assign(new Error(`${code}: ${path}`), { code, errno: -1 });
}

/** Whether the error means that nothing exists at the path. */
export function isMissing(thrown: unknown): boolean {
  const code = systemCodeOf(thrown);
  return code === 'ENOENT' || code === 'ENOTDIR';
}

/**
 * Converts an error that occurred while reading a file. Errors that do not come from the system are returned
 * unchanged.
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
    message: `${shownPath} cannot be read: ${systemErrorText(code)} (${code}).`,
    cause: thrown,
  });
}

/**
 * Converts an error that occurred while writing a file. Errors that do not come from the system are returned
 * unchanged.
 * @param shownPath the path as the user wrote it
 */
export function toWriteError(thrown: unknown, shownPath: string): unknown {
  const code = systemCodeOf(thrown);
  if (code === undefined) {
    return thrown;
  }
  return new EngineError({
    code: 'files.not-writable',
    message: `${shownPath} cannot be written: ${systemErrorText(code)} (${code}).`,
    cause: thrown,
  });
}

/** Creates the error for a path that resolved to one location when it was checked and to another when it was used. */
export function exchanged(shownPath: string): EngineError {
  return new EngineError({
    code: 'files.bad-link',
    message: `${shownPath} changed to another location while it was in use. Use another path.`,
  });
}

/**
 * Rejects anything but regular files: opening a pipe would block, and a device may have side effects.
 * @param use the intended operation
 * @throws EngineError `files.bad-link` for a symbolic link | `files.not-text` (to read) | `files.not-writable`
 */
export function refuseSpecial(state: Stats, use: 'read' | 'append' | 'write', shownPath: string): void {
  if (state.isFile()) return;
  if (state.isSymbolicLink()) throw exchanged(shownPath);
  const [code, problem] =
    use === 'read' ? ['files.not-text', 'is'] : ['files.not-writable', 'cannot be written: it is'];
  throw new EngineError({ code, message: `${shownPath} ${problem} ${kindOf(state)}` });
}

function kindOf(state: Stats): string {
  if (state.isDirectory()) return 'a folder. Choose a file in it.';
  const kind = state.isFIFO() ? 'a pipe' : state.isSocket() ? 'a socket' : 'a device';
  return `${kind}, not a regular file. Choose a file.`;
}
