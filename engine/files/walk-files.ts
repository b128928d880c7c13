/**
 * The files below a folder, and which of them programs keep for themselves.
 */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { readGitIgnored } from './git-changes.ts';
import type { FolderEntry } from './held-folder.ts';
import { createHiddenTest } from './workspace-path.ts';

/** What an atomic write leaves for a moment, or for ever after a crash. */
const draftName = /^\.[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\.tmp$/;

/** Scripts of agents keep what they need for one session there. */
const sessionFolder = '.aipack/.session';

/**
 * True for what programs keep for themselves, and all below it.
 * @param path relative to the workspace, with `/`
 */
export function isUnlisted(path: string): boolean {
  const parts = path.split('/');
  if (parts.some((part) => skippedFolders.has(part) || draftName.test(part))) return true;
  return path === sessionFolder || path.startsWith(`${sessionFolder}/`);
}

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
  /** Whether a folder is entered, by its path; without it all but those that no listing enters. */
  readonly enters?: (path: string) => boolean;
  /** Gives what lies in a folder, by its path (`''` = the walked folder); without it folders are read by their paths. */
  readonly readFolder?: (path: string) => Promise<FolderEntry[]>;
}

/** A file or a link below the walked folder. */
export interface WalkedFile {
  /** Relative to the walked folder, with `/`. */
  readonly path: string;
  readonly isLink: boolean;
}

/** So many folders are read at the same time. */
const foldersAtOnce = 32;

/**
 * Paths of all files and links below a folder, relative to it and with `/`, in no set order. Links are listed, never
 * entered. A folder that cannot be read is left out.
 * @throws the signal's reason when it aborts
 */
export async function walkFiles(folder: string, options: WalkOptions): Promise<string[]> {
  return (await walkTree(folder, options)).map(({ path }) => path);
}

/** As `walkFiles`, with what is a link. */
export async function walkTree(folder: string, options: WalkOptions): Promise<WalkedFile[]> {
  const { maxFiles = Number.POSITIVE_INFINITY, isLeftOut = () => false, enters = isUsuallyEntered } = options;
  const { readFolder = (prefix: string) => readdir(join(folder, prefix), { withFileTypes: true }) } = options;
  const files: WalkedFile[] = [];
  /** Lists one folder, and gives the folders in it. */
  const list = ({ prefix, entries }: ListedFolder): string[] => {
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

interface ListedFolder {
  /** `''`, or its path with `/` at the end. */
  readonly prefix: string;
  readonly entries: readonly FolderEntry[];
}

/** What lies in some folders, a few of them at a time. */
async function* foldersIn(
  prefixes: readonly string[],
  readFolder: NonNullable<WalkOptions['readFolder']>,
  signal: AbortSignal | undefined,
): AsyncGenerator<readonly ListedFolder[]> {
  for (let start = 0; start < prefixes.length; start += foldersAtOnce) {
    signal?.throwIfAborted();
    const group = prefixes.slice(start, start + foldersAtOnce);
    // One that cannot be read is left out.
    yield await Promise.all(
      group.map(async (prefix) => ({ prefix, entries: await readFolder(prefix).catch(() => []) })),
    );
  }
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

function isUsuallyEntered(path: string): boolean {
  return !skippedFolders.has(path.slice(path.lastIndexOf('/') + 1));
}

/** More files than that are not looked through. */
const maxFound = 20_000;

/**
 * The files that git does not ignore and that are not hidden in the home folder, in path order: see `FileEngine.findFiles`. (Natural order would take ten times as
 * long, in which the engine does nothing else.)
 * @param workspace absolute
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
