/**
 * The files below a folder, without those that programs keep for themselves.
 */
import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** Folders that no listing enters: they hold others' files, and many of them. */
export const skippedFolders: ReadonlySet<string> = new Set(['.git', '.millrace', 'node_modules']);

export interface WalkOptions {
  /** How many folders deep; 1 = the files of the folder itself. */
  readonly maxDepth: number;
  readonly signal?: AbortSignal;
}

/** So many folders are read at the same time. */
const foldersAtOnce = 32;

/**
 * Paths of all files and links below a folder, relative to it and with `/`, in no set order. Links are listed, never
 * entered. A folder that cannot be read is left out.
 * @throws the signal's reason when it aborts
 */
export async function walkFiles(folder: string, { maxDepth, signal }: WalkOptions): Promise<string[]> {
  const files: string[] = [];
  let level = [''];
  for (let depth = 1; depth <= maxDepth && level.length > 0; depth += 1) {
    const below: string[] = [];
    for (let start = 0; start < level.length; start += foldersAtOnce) {
      signal?.throwIfAborted();
      const group = level.slice(start, start + foldersAtOnce);
      const entries = await Promise.all(group.map((prefix) => entriesOf(join(folder, prefix), prefix)));
      for (const { path, isFolder } of entries.flat()) {
        (isFolder ? below : files).push(path);
      }
    }
    level = below.map((path) => `${path}/`);
  }
  return files;
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
