/**
 * The system's error codes for files → the errors of the files layer.
 */
import type { Stats } from 'node:fs';
import { EngineError } from '../base/engine-error.ts';
import { troubleWords } from '../base/system-trouble.ts';

/** The code (`ENOENT`, `EACCES`, …) of an error that the system gave, else undefined. */
export function systemCodeOf(thrown: unknown): string | undefined {
  const isOfSystem = thrown instanceof Error && 'errno' in thrown && 'code' in thrown;
  return isOfSystem && typeof thrown.code === 'string' ? thrown.code : undefined;
}

/** An error as the system reports it, for files that it does not know. */
export function systemError(code: string, path: string): Error {
  return Object.assign(new Error(`${code}: ${path}`), { code, errno: -1 });
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
    message: `${shownPath} cannot be read: ${troubleWords(code)} (${code}).`,
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
  return new EngineError({
    code: 'files.not-writable',
    message: `${shownPath} cannot be written: ${troubleWords(code)} (${code}).`,
    cause: thrown,
  });
}

/** The error for a path that led to one place when it was allowed, and leads to another when it is used. */
export function exchanged(shownPath: string): EngineError {
  return new EngineError({
    code: 'files.bad-link',
    message: `${shownPath} has come to lead somewhere else while it was used. Name another path.`,
  });
}

/**
 * Refuses what is no regular file: a pipe would wait for its other end, and a device may do anything.
 * @param use what is about to happen to it
 * @throws EngineError `files.bad-link` for a link | `files.not-text` (to read) | `files.not-writable`
 */
export function refuseSpecial(state: Stats, use: 'read' | 'append' | 'write', shownPath: string): void {
  if (state.isFile()) return;
  if (state.isSymbolicLink()) throw exchanged(shownPath);
  const [code, problem] =
    use === 'read' ? ['files.not-text', 'is'] : ['files.not-writable', 'cannot be written: it is'];
  throw new EngineError({ code, message: `${shownPath} ${problem} ${kindOf(state)}` });
}

function kindOf(state: Stats): string {
  if (state.isDirectory()) return 'a folder. Name a file in it.';
  const kind = state.isFIFO() ? 'a pipe' : state.isSocket() ? 'a socket' : 'a device';
  return `${kind} and not a regular file. Name a file.`;
}
