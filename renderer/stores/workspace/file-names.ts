/**
 * What files may be called, said while a name is typed. The engine has the last word.
 */

/** Under which a dragged row of the file tree gives its path, relative to the workspace. */
export const draggedPathType = 'application/x-millrace-path';

const badLetters = /[\p{Cc}<>:"|?*\\/]/u;
const deviceName = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;

/** What is wrong with the name of a file or folder; null = nothing. Workspaces are shared, so it must fit every system. */
export function nameProblem(name: string): string | null {
  if (name === '') return 'A name is missing.';
  const bad = badLetters.exec(name)?.[0];
  if (bad !== undefined) return `A name cannot have ${JSON.stringify(bad)} in it.`;
  if (/[. ]$/.test(name)) return 'A name cannot end with a dot or a space.';
  return deviceName.test(name) ? 'Windows keeps this name for a device.' : null;
}

/** The same for all parts of a path below the workspace. */
export function pathProblem(path: string): string | null {
  if (path.startsWith('/')) return 'The path must begin in the workspace, without a "/".';
  const problems = path
    .split('/')
    .map((part) => (part === '' ? 'A folder without a name is in the path.' : nameProblem(part)));
  return problems.find((problem) => problem !== null) ?? null;
}

/** A name for people → one for a file: `Sum up news` → `sum-up-news`. */
export function fileStem(name: string): string {
  return name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 80);
}
