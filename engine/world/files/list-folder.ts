/**
 * Lists one workspace folder for the file tree.
 */
import type { Dirent, Stats } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { EngineError } from '../../base/engine-error.ts';
import { systemCodeOf, toReadError } from './file-error.ts';
import { type GitChange, readGitChanges } from './git-changes.ts';
import { isUnlisted } from './walk-files.ts';
import { createHiddenTest, resolveInWorkspace, type WorkspacePath } from './workspace-path.ts';

// Natural order: `note 9` comes before `note 10`, and case is ignored.

const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

/** Returns a negative number if the first name comes first; never returns 0 for two different names. */
function compareNaturally(left: string, right: string): number {
  return collator.compare(left, right) || (left < right ? -1 : Number(left > right));
}

interface ListedEntry {
  readonly name: string;
  readonly path: string;
  readonly kind: 'file' | 'folder';
  readonly change: GitChange | null;
  readonly count?: number;
}

interface NamedEntry {
  readonly name: string;
  readonly path: string;
  readonly kind: ListedEntry['kind'];
}

const maxEntries = 5_000;
/** Maximum number of folders for which entries are counted. */
const maxCounted = 200;

/**
 * Lists a folder's entries; see `FileEngine.listFolder`. A symbolic link counts as its target. Links that lead outside
 * the workspace or nowhere are omitted.
 * @param root absolute path of the workspace folder
 * @param folder relative to it; `''` for the workspace folder itself
 * @throws EngineError `files.outside` | `files.not-found` | `files.no-folder` | `files.not-readable`
 */
export async function listFolder(
  root: string,
  folder: string,
): Promise<{ readonly entries: readonly ListedEntry[]; readonly isCut: boolean }> {
  const place = await resolveInWorkspace(root, folder || '.');
  const [found, changes, isHidden] = await Promise.all([
    readFolder(place),
    readGitChanges(root, [`:(literal)${place.shown || '.'}`]),
    createHiddenTest(root),
  ]);
  const prefix = place.shown === '' ? '' : `${place.shown}/`;
  const listed = found.filter(({ name }) => !isUnlisted(`${prefix}${name}`) && !isHidden(`${prefix}${name}`));
  const named = await Promise.all(listed.map((entry) => nameEntry(root, entry, prefix)));
  const sorted = named.flatMap((entry) => entry ?? []).sort(compareEntries);
  const kept = sorted.slice(0, maxEntries);
  const counts = await countFolders(root, kept);
  const changeOf = changesBelow(changes ?? new Map(), prefix);
  const entries = kept.map((entry) => {
    const count = counts.get(entry.path);
    return { ...entry, change: changeOf(entry), ...(count === undefined ? {} : { count }) };
  });
  return { entries, isCut: kept.length < sorted.length };
}

async function readFolder({ real, shown }: WorkspacePath): Promise<Dirent[]> {
  try {
    return await readdir(real, { withFileTypes: true });
  } catch (error) {
    if (systemCodeOf(error) !== 'ENOTDIR') throw toReadError(error, shown || real);
    throw new EngineError({
      code: 'files.no-folder',
      message: `${shown} is a file. Choose the folder that contains it.`,
      cause: error,
    });
  }
}

async function nameEntry(root: string, entry: Dirent, prefix: string): Promise<NamedEntry | undefined> {
  const { name } = entry;
  const path = `${prefix}${name}`;
  const target = entry.isSymbolicLink() ? await targetOf(root, path) : entry;
  if (target?.isDirectory()) return { name, path, kind: 'folder' };
  return target?.isFile() ? { name, path, kind: 'file' } : undefined;
}

async function targetOf(root: string, path: string): Promise<Stats | undefined> {
  try {
    return await stat((await resolveInWorkspace(root, path)).real);
  } catch {
    // The symbolic link leads outside or nowhere.
    return undefined;
  }
}

function compareEntries(left: NamedEntry, right: NamedEntry): number {
  if (left.kind !== right.kind) return left.kind === 'folder' ? -1 : 1;
  return compareNaturally(left.name, right.name);
}

async function countFolders(root: string, entries: readonly NamedEntry[]): Promise<ReadonlyMap<string, number>> {
  const folders = entries.filter(({ kind }) => kind === 'folder').slice(0, maxCounted);
  const counted = await Promise.all(
    folders.map(async ({ path }): Promise<[string, number][]> => {
      // An unreadable folder has no count.
      const names = await readdir(join(root, path)).catch(() => undefined);
      return names === undefined ? [] : [[path, names.filter((name) => !isUnlisted(`${path}/${name}`)).length]];
    }),
  );
  return new Map(counted.flat());
}

/** Returns an entry's Git status: a file's change, or whether anything in a folder has changed. */
function changesBelow(changes: ReadonlyMap<string, GitChange>, prefix: string) {
  const changedFolders = new Set<string>();
  for (const path of changes.keys()) {
    const end = path.startsWith(prefix) ? path.indexOf('/', prefix.length) : -1;
    if (end !== -1) changedFolders.add(path.slice(0, end));
  }
  return ({ path, kind }: NamedEntry): GitChange | null => {
    if (kind === 'file') return changes.get(path) ?? null;
    return changedFolders.has(path) ? 'modified' : null;
  };
}
