/**
 * Lists the files in a folder, and identifies internal files of programs.
 */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { FolderEntry } from './folders/held-folder.ts';
import { readGitIgnored } from './git-changes.ts';
import { createHiddenTest } from './workspace-path.ts';

/** Temporary files of an atomic write. A crash may leave one behind. */
const draftName = /^\.[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\.tmp$/;

/** Agent scripts store session data there. */
const sessionFolder = '.aipack/.session';

/**
 * Whether a path is a program's internal file or in an internal folder.
 * @param path relative to the workspace, with `/`
 */
export function isUnlisted(path: string): boolean {
  const parts = path.split('/');
  if (parts.some((part) => skippedFolders.has(part) || draftName.test(part))) return true;
  return path === sessionFolder || path.startsWith(`${sessionFolder}/`);
}

/** Folders that listings skip, because they contain many third-party files. */
export const skippedFolders: ReadonlySet<string> = new Set(['.git', '.millrace', 'node_modules']);

export interface WalkOptions {
  /** Maximum folder depth; 1 for only the files of the folder itself. */
  readonly maxDepth: number;
  readonly signal?: AbortSignal;
  /** Number of files after which the walk ends soon; unlimited if absent. */
  readonly maxFiles?: number;
  /** Whether the path is neither listed nor entered. */
  readonly isLeftOut?: (path: string) => boolean;
  /** Whether to enter a folder, by its path. By default, enters all except `skippedFolders`. */
  readonly enters?: (path: string) => boolean;
  /** Returns a folder's entries by its path (`''` for the walked folder). By default, reads folders by their paths. */
  readonly readFolder?: (path: string) => Promise<FolderEntry[]>;
}

/** A file or symbolic link in the walked folder. */
export interface WalkedFile {
  /** Path relative to the walked folder, with `/`. */
  readonly path: string;
  readonly isLink: boolean;
}

/** Number of folders that are read in parallel. */
const foldersAtOnce = 32;

/**
 * Returns the paths of all files and symbolic links in a folder, relative to it and with `/`, in no particular order.
 * Symbolic links are listed but not followed. Unreadable folders are omitted.
 * @throws the signal's reason when it aborts
 */
export async function walkFiles(folder: string, options: WalkOptions): Promise<string[]> {
  return (await walkTree(folder, options)).map(({ path }) => path);
}

/** Like `walkFiles`, and marks symbolic links. */
export async function walkTree(folder: string, options: WalkOptions): Promise<WalkedFile[]> {
  const { maxFiles = Number.POSITIVE_INFINITY, isLeftOut = () => false, enters = isUsuallyEntered } = options;
  const { readFolder = (prefix: string) => readdir(join(folder, prefix), { withFileTypes: true }) } = options;
  const files: WalkedFile[] = [];
  /** Lists one folder and returns the folders in it. */
  const list = ({ prefix, entries }: WalkedFolder): string[] => {
    const named = entries.map((entry) => ({ entry, path: `${prefix}${entry.name}` }));
    const listed = named.filter(({ path }) => !isLeftOut(path));
    for (const { entry, path } of listed) {
      if (entry.isFile() || entry.isSymbolicLink()) files.push({ path, isLink: entry.isSymbolicLink() });
    }
    return listed.flatMap(({ entry, path }) => (entry.isDirectory() && enters(path) ? [`${path}/`] : []));
  };
  let level = [''];
  for (let depth = 1; depth <= options.maxDepth && level.length > 0; depth += 1) {
    const below: string[] = [];
    for await (const folders of foldersIn(level, readFolder, options.signal)) {
      for (const found of folders.flatMap(list)) below.push(found);
      if (files.length >= maxFiles) return files;
    }
    level = below;
  }
  return files;
}

interface WalkedFolder {
  /** `''`, or the folder's path with a trailing `/`. */
  readonly prefix: string;
  readonly entries: readonly FolderEntry[];
}

/** Yields the entries of folders, reading several in parallel. */
async function* foldersIn(
  prefixes: readonly string[],
  readFolder: NonNullable<WalkOptions['readFolder']>,
  signal: AbortSignal | undefined,
): AsyncGenerator<readonly WalkedFolder[]> {
  for (let start = 0; start < prefixes.length; start += foldersAtOnce) {
    signal?.throwIfAborted();
    const group = prefixes.slice(start, start + foldersAtOnce);
    // Unreadable folders are omitted.
    yield await Promise.all(
      group.map(async (prefix) => ({ prefix, entries: await readFolder(prefix).catch(() => []) })),
    );
  }
}

/** Milliseconds of matching after which the loop yields to other work. */
const turnMs = 8;

/**
 * Returns the paths that match. Many paths and a long glob may take seconds, so the function regularly yields to other
 * work.
 * @throws the signal's reason when it aborts
 */
export async function filterPaths(
  paths: readonly string[],
  matches: (path: string) => boolean,
  signal: AbortSignal,
): Promise<string[]> {
  const found: string[] = [];
  let turnEnds = performance.now() + turnMs;
  for (const path of paths) {
    if (performance.now() > turnEnds) {
      await nextTurn();
      turnEnds = performance.now() + turnMs;
    }
    signal.throwIfAborted();
    if (matches(path)) found.push(path);
  }
  return found;
}

function isUsuallyEntered(path: string): boolean {
  return !skippedFolders.has(path.slice(path.lastIndexOf('/') + 1));
}

/** Maximum number of files that are found. */
const maxFound = 20_000;

/**
 * Returns the files that Git does not ignore and that are not hidden in the home folder, in path order; see
 * `FileEngine.findFiles`. (Natural order would take ten times as long and block the engine.)
 * @param workspace absolute path
 */
export async function findFiles(
  workspace: string,
): Promise<{ readonly paths: readonly string[]; readonly isCut: boolean }> {
  const [ignored, isHidden] = await Promise.all([readGitIgnored(workspace), createHiddenTest(workspace)]);
  const files = await walkFiles(workspace, {
    maxDepth: Number.POSITIVE_INFINITY,
    maxFiles: maxFound + 1,
    isLeftOut: (path) => isUnlisted(path) || isHidden(path) || ignored?.has(path) === true,
  });
  return { paths: files.slice(0, maxFound).sort(), isCut: files.length > maxFound };
}
