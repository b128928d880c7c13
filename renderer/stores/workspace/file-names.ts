/**
 * Validates file names while they are typed. The engine validates them again.
 */

/** Data type for the path of a dragged file tree row, relative to the workspace. */
export const draggedPathType = 'application/x-millrace-path';

const badLetters = /[\p{Cc}<>:"|?*\\/]/u;
const deviceName = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;

/**
 * Returns what is wrong with the name of a file or folder, or null. Workspaces are shared, so the name must be valid on
 * every operating system.
 */
export function nameProblem(name: string): string | null {
  if (name === '') return 'A name is missing.';
  const bad = badLetters.exec(name)?.[0];
  if (bad !== undefined) return `A name cannot have ${JSON.stringify(bad)} in it.`;
  if (/[. ]$/.test(name)) return 'A name cannot end with a dot or a space.';
  return deviceName.test(name) ? 'Windows keeps this name for a device.' : null;
}

/** Returns what is wrong with any part of a path in the workspace, or null. */
export function pathProblem(path: string): string | null {
  if (path.startsWith('/')) return 'The path must begin in the workspace, without a "/".';
  const problems = path
    .split('/')
    .map((part) => (part === '' ? 'A folder without a name is in the path.' : nameProblem(part)));
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
