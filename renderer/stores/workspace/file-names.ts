/**
 * Validates file names while they are typed. The engine validates them again.
 */
import { text } from './text.ts';

/** Data type for the path of a dragged file tree row, relative to the workspace. */
export const draggedPathType = 'application/x-millrace-path';

const badLetters = /[\p{Cc}<>:"|?*\\/]/u;
const deviceName = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;

/**
 * Returns the problem with a file or folder name, or null if it is valid. Workspaces are shared, so the name must be
 * valid on every operating system.
 */
export function nameProblem(name: string): string | null {
  if (name === '') return text.names.missing;
  const bad = badLetters.exec(name)?.[0];
  if (bad !== undefined) return text.names.badCharacter({ character: JSON.stringify(bad) });
  if (/[. ]$/.test(name)) return text.names.badEnd;
  return deviceName.test(name) ? text.names.device : null;
}

/** Returns the problem with any part of a path in the workspace, or null if it is valid. */
export function pathProblem(path: string): string | null {
  if (path.startsWith('/')) return text.names.absolutePath;
  const problems = path.split('/').map((part) => (part === '' ? text.names.emptyFolder : nameProblem(part)));
  return problems.find((problem) => problem !== null) ?? null;
}

/** Converts a display name to a file name: `Sum up news` → `sum-up-news`. */
export function fileStem(name: string): string {
  return name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 80);
}
