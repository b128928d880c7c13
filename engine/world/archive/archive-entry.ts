/**
 * Validates archive entries: only plain files and folders, at paths that stay inside the folder on every system.
 */
import { EngineError } from '../../base/engine-error.ts';

/** A file or folder as recorded in an archive's directory. */
export interface ArchiveEntry {
  /** Path with forward slashes. A folder's path has no trailing slash. */
  readonly path: string;
  readonly isFolder: boolean;
  /** Unpacked size as recorded in the archive; verified when the file is unpacked. */
  readonly bytes: number;
  readonly packedBytes: number;
}

const fileKind = 0o100000;
const folderKind = 0o040000;
const kindNames: ReadonlyMap<number, string> = new Map([
  [0o120000, 'a link'],
  [0o020000, 'a device'],
  [0o060000, 'a device'],
  [0o010000, 'a pipe'],
  [0o140000, 'a socket'],
]);

/** Reserved device names on Windows, with or without an extension. */
const devicePattern = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$)(?:\..*)?$/i;

/**
 * Checks an entry's name and type.
 * @param name as recorded in the archive
 * @param mode the upper 16 bits of the external attributes: Unix mode bits; 0 if none were stored
 * @returns its path, and whether it is a folder
 * @throws EngineError `pack.unsafe-archive`
 */
export function checkEntry(
  name: string,
  mode: number,
  shownArchive: string,
): { readonly path: string; readonly isFolder: boolean } {
  const isFolder = name.endsWith('/');
  const problem = nameProblem(isFolder ? name.slice(0, -1) : name) ?? kindProblem(mode & 0o170000, isFolder);
  if (problem !== null) throw unsafe(shownArchive, name, problem);
  return { path: isFolder ? name.slice(0, -1) : name, isFolder };
}

function nameProblem(path: string): string | null {
  if (path === '') return 'it has no name';
  if (path.includes('\\')) return 'its name contains a backslash';
  if (path.startsWith('/') || /^[a-z]:/i.test(path)) return 'its path is absolute';
  if (/\p{Cc}|\uFFFD/u.test(path)) return 'its name contains invalid characters';
  for (const part of path.split('/')) {
    const problem = partProblem(part);
    if (problem !== null) return problem;
  }
  return null;
}

function partProblem(part: string): string | null {
  if (part === '..') return 'its path leads out of the pack';
  if (part === '' || part === '.') return 'a part of its path is empty';
  if (part.includes(':')) return 'its name contains a colon';
  if (/[. ]$/.test(part)) return 'a part of its path ends with a dot or a space, which Windows removes';
  if (devicePattern.test(part)) return 'its name is reserved for a device on Windows';
  return null;
}

function kindProblem(kind: number, isFolder: boolean): string | null {
  if (kind === 0 || kind === (isFolder ? folderKind : fileKind)) return null;
  return `it is ${kindNames.get(kind) ?? 'neither a file nor a folder'}`;
}

/**
 * Finds entries that would be the same file or folder on some system.
 * @throws EngineError `pack.unsafe-archive`
 */
export function checkCollisions(entries: readonly ArchiveEntry[], shownArchive: string): void {
  const seen = new Map<string, { readonly path: string; readonly isFolder: boolean; readonly isOwnEntry: boolean }>();
  for (const { path, isFolder } of entries) {
    for (const folder of foldersAbove(path)) {
      const earlier = seen.get(keyOf(folder));
      if (earlier === undefined) seen.set(keyOf(folder), { path: folder, isFolder: true, isOwnEntry: false });
      else if (!earlier.isFolder || earlier.path !== folder) throw collision(shownArchive, path, earlier.path);
    }
    const earlier = seen.get(keyOf(path));
    const isNamedAbove = earlier?.isOwnEntry === false && isFolder && earlier.path === path;
    if (earlier !== undefined && !isNamedAbove) throw collision(shownArchive, path, earlier.path);
    seen.set(keyOf(path), { path, isFolder, isOwnEntry: true });
  }
}

function foldersAbove(path: string): string[] {
  const parts = path.split('/').slice(0, -1);
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'));
}

/** Systems differ in whether they distinguish letter case and the Unicode forms of accented letters. */
function keyOf(path: string): string {
  return path.normalize('NFC').toUpperCase().toLowerCase().normalize('NFC');
}

function collision(shownArchive: string, path: string, earlier: string): EngineError {
  return unsafe(
    shownArchive,
    path,
    path === earlier ? 'it occurs twice' : `it would be the same as ${JSON.stringify(earlier)} on some systems`,
  );
}

/** Returns the error for entries that no legitimate pack contains. */
export function unsafe(shownArchive: string, entry: string, problem: string): EngineError {
  return new EngineError({
    code: 'pack.unsafe-archive',
    message: `${shownArchive} was rejected because of its entry ${JSON.stringify(entry)}: ${problem}. Nothing was unpacked.`,
    details: { entry },
  });
}
