/**
 * The files below a folder, without those that programs keep for themselves.
 */
import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';

/** Folders that no listing enters: they hold others' files, and many of them. */
export const skippedFolders: ReadonlySet<string> = new Set(['.git', '.millrace', 'node_modules']);

export interface WalkOptions {
  /** How many folders deep; 1 = the files of the folder itself. */
  readonly maxDepth: number;
  readonly signal?: AbortSignal;
  /** The walk ends soon after so many files; without it there is no limit. */
  readonly maxFiles?: number;
  /** True for a path that is neither listed nor entered. */
  readonly isLeftOut?: (path: string) => boolean;
}

/** So many folders are read at the same time. */
const foldersAtOnce = 32;

/**
 * Paths of all files and links below a folder, relative to it and with `/`, in no set order. Links are listed, never
 * entered. A folder that cannot be read is left out.
 * @throws the signal's reason when it aborts
 */
export async function walkFiles(folder: string, options: WalkOptions): Promise<string[]> {
  const files: string[] = [];
  let level = [''];
  for (let depth = 1; depth <= options.maxDepth && level.length > 0; depth += 1) {
    level = await walkLevel(folder, { prefixes: level, files }, options);
  }
  return files;
}

/** For so many milliseconds paths are matched before others have their turn. */
const turnMs = 8;

/**
 * The paths that match. Many paths and a long glob may take seconds, so meanwhile everything else goes on.
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

/** Adds the files of some folders, which lie equally deep; gives the folders in those, none when there are files enough. */
async function walkLevel(
  folder: string,
  { prefixes, files }: { readonly prefixes: readonly string[]; readonly files: string[] },
  { signal, maxFiles = Number.POSITIVE_INFINITY, isLeftOut = () => false }: WalkOptions,
): Promise<string[]> {
  const below: string[] = [];
  for (let start = 0; start < prefixes.length; start += foldersAtOnce) {
    if (files.length >= maxFiles) return [];
    signal?.throwIfAborted();
    const group = prefixes.slice(start, start + foldersAtOnce);
    const entries = await Promise.all(group.map((prefix) => entriesOf(join(folder, prefix), prefix)));
    for (const { path, isFolder } of entries.flat()) {
      if (isLeftOut(path)) continue;
      if (isFolder) below.push(`${path}/`);
      else files.push(path);
    }
  }
  return files.length < maxFiles ? below : [];
}

interface Entry {
  readonly path: string;
  readonly isFolder: boolean;
}

async function entriesOf(folder: string, prefix: string): Promise<Entry[]> {
  const entries = await readEntries(folder);
  return entries
    .filter((entry) => entry.isFile() || entry.isSymbolicLink() || isEntered(entry))
    .map((entry) => ({ path: `${prefix}${entry.name}`, isFolder: entry.isDirectory() }));
}

function isEntered(entry: Dirent): boolean {
  return entry.isDirectory() && !skippedFolders.has(entry.name);
}

async function readEntries(folder: string): Promise<Dirent[]> {
  try {
    return await readdir(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}
