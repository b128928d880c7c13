/**
 * The files below a folder, for globs of scripts.
 */
import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { EngineError } from '../base/engine-error.ts';

export interface TreeWalk {
  /** Absolute; links are entered nowhere below it. */
  readonly folder: string;
  /** How many folders deep; 1 = the files of the folder itself. */
  readonly maxDepth: number;
  /** Whether a folder is entered: its name, and its absolute path. */
  readonly enters: (name: string, path: string) => boolean;
}

/** A file or a link below the walked folder. */
export interface TreeEntry {
  /** Relative to the walked folder, with `/`. */
  readonly path: string;
  readonly isLink: boolean;
}

/** So many files are found at most: more would fill the memory of the script that asked. */
const maxFiles = 100_000;

/** So many folders are read at the same time. */
const foldersAtOnce = 32;

/**
 * In no set order. A folder that cannot be read is left out.
 * @throws EngineError `files.too-many`; the signal's reason when it aborts
 */
export async function walkTree({ folder, maxDepth, enters }: TreeWalk, signal: AbortSignal): Promise<TreeEntry[]> {
  const found: TreeEntry[] = [];
  let level: readonly string[] = [''];
  for (let depth = 1; depth <= maxDepth && level.length > 0; depth += 1) {
    const entries = await entriesOfLevel(folder, level, signal);
    for (const { entry, path } of entries) {
      if (entry.isFile() || entry.isSymbolicLink()) found.push({ path, isLink: entry.isSymbolicLink() });
    }
    if (found.length > maxFiles) throw tooMany(folder);
    level = entries
      .filter(({ entry, path }) => entry.isDirectory() && enters(entry.name, join(folder, path)))
      .map(({ path }) => `${path}/`);
  }
  return found;
}

interface FoundEntry {
  readonly entry: Dirent;
  readonly path: string;
}

async function entriesOfLevel(
  folder: string,
  prefixes: readonly string[],
  signal: AbortSignal,
): Promise<readonly FoundEntry[]> {
  const found: FoundEntry[] = [];
  for (let start = 0; start < prefixes.length; start += foldersAtOnce) {
    signal.throwIfAborted();
    const group = prefixes.slice(start, start + foldersAtOnce);
    const entries = await Promise.all(group.map((prefix) => entriesOf(join(folder, prefix), prefix)));
    for (const entry of entries.flat()) found.push(entry);
  }
  return found;
}

async function entriesOf(folder: string, prefix: string): Promise<FoundEntry[]> {
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    return entries.map((entry) => ({ entry, path: `${prefix}${entry.name}` }));
  } catch {
    return [];
  }
}

function tooMany(folder: string): EngineError {
  return new EngineError({
    code: 'files.too-many',
    message: `More than ${maxFiles} files lie below ${folder}. Begin the glob with a deeper folder.`,
    details: { maxFiles },
  });
}
