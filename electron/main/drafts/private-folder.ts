/**
 * Where things about a workspace and its files lie in the person's data folder: under names that say nothing of them.
 */
import { createHash } from 'node:crypto';
import { mkdirSync } from 'node:fs';

/** Of our own files with the person's text in them: nobody else may read them. */
export const privateFileMode = 0o600;

/** A file name for a path, the same one each time. */
export function nameFor(path: string): string {
  return createHash('sha256').update(path).digest('hex').slice(0, 32);
}

/** Makes the folder, and those above it, for the person alone. @throws the system's error */
export function makePrivateFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
}

/** Whether a path is the one given or lies below it. */
export function isAtOrBelow(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}

/** The path of something at or below `from` when that is called `to`. */
export function movedPath(path: string, { from, to }: { readonly from: string; readonly to: string }): string {
  return `${to}${path.slice(from.length)}`;
}
