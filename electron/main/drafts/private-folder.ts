/**
 * Names and creates private files about a workspace in the user's data folder. The names do not reveal the workspace or
 * its files.
 */
import { createHash } from 'node:crypto';
import { mkdirSync } from 'node:fs';

/** Mode of files that contain the user's text: only the owner can read them. */
export const privateFileMode = 0o600;

/** Returns a stable file name for a path. */
export function nameFor(path: string): string {
  return createHash('sha256').update(path).digest('hex').slice(0, 32);
}

/** Creates the folder and its parents, accessible only to the user. @throws the system's error */
export function makePrivateFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
}

/** Returns whether a path is `folder` itself or inside it. */
export function isAtOrBelow(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}

/** Returns the path of an item at or below `from` after `from` is renamed to `to`. */
export function movedPath(path: string, { from, to }: { readonly from: string; readonly to: string }): string {
  return `${to}${path.slice(from.length)}`;
}
