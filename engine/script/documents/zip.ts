/**
 * Zip archives, for scripts. Whoever calls has resolved the paths and asked the policy.
 */
import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ZipFile } from 'yazl';
import { EngineError } from '../../base/engine-error.ts';
import { globsMatcher } from '../../base/glob.ts';
import { toReadError } from '../../files/file-error.ts';
import type { ArchiveEntry } from '../../pack/archive-entry.ts';
import { type PackArchive, withArchive } from '../../pack/archive-reader.ts';
import { packLimits } from '../../pack/pack-limits.ts';
import { isWithin, realPathOf } from '../real-path.ts';
import { walkTree } from '../walk-tree.ts';

export interface ZipOptions {
  /** Only entries that match one of these, by their path in the archive. None = all. */
  readonly globs?: readonly string[];
  /** Folders, by their absolute paths, that are not packed. */
  readonly isClosed?: (folder: string) => boolean;
  readonly signal?: AbortSignal;
}

/**
 * Packs the files below a folder, in the order of their paths. Links are left out, and so are folders without files.
 * @param folder absolute
 * @param file absolute; made anew in one step, with its folders
 * @throws EngineError `files.not-found` | `files.not-a-folder` | `files.too-many`; the system's error, the signal's reason
 */
export async function createZip(folder: string, file: string, options: ZipOptions = {}): Promise<void> {
  // Ends the writing as well when a file cannot be read.
  const stop = new AbortController();
  const signal = options.signal === undefined ? stop.signal : AbortSignal.any([options.signal, stop.signal]);
  const paths = await pathsBelow(folder, options, signal);
  const own = relative(folder, file).split(sep).join('/');
  await mkdir(dirname(file), { recursive: true });
  const draft = join(dirname(file), `.${randomUUID()}.tmp`);
  const zip = new ZipFile();
  // An error of a file that cannot be read comes by the archive and not by its stream.
  const failed = new Promise<never>((_, reject) => zip.once('error', reject));
  try {
    for (const path of paths) if (path !== own) zip.addFile(join(folder, path), path);
    zip.end();
    const written = pipeline(Readable.from(zip.outputStream), createWriteStream(draft, { flags: 'wx' }), { signal });
    await Promise.race([written, failed]);
    await rename(draft, file);
  } finally {
    stop.abort();
    await rm(draft, { force: true });
  }
}

async function pathsBelow(
  folder: string,
  { globs = [], isClosed }: ZipOptions,
  signal: AbortSignal,
): Promise<string[]> {
  const state = await stat(folder).catch((error: unknown) => {
    throw toReadError(error, folder);
  });
  if (!state.isDirectory()) throw notAFolder(folder);
  const enters = (_name: string, path: string): boolean => isClosed?.(path) !== true;
  const found = await walkTree({ folder, maxDepth: Number.POSITIVE_INFINITY, enters }, signal);
  return found
    .filter(({ path, isLink }) => !isLink && isWanted(path, globs))
    .map(({ path }) => path)
    .sort();
}

function isWanted(path: string, globs: readonly string[]): boolean {
  return globs.length === 0 || globsMatcher(globs)(path);
}

/**
 * Unpacks the files of an archive into a folder, over what is there. Nothing is written before all entries are known to
 * be safe and the files are whole; then they take their places one by one.
 * @param file absolute
 * @param folder absolute
 * @returns the paths of the files below the folder, with `/`, in the order of the archive
 * @throws EngineError `files.not-found`; `pack.not-an-archive` | `pack.bad-archive` | `pack.unsafe-archive` |
 *   `pack.too-large` for archives that are none, broken, dangerous or too large; `files.outside` when a link in the folder
 *   leads out of it; the system's error, the signal's reason
 */
export async function extractZip(file: string, folder: string, options: ZipOptions = {}): Promise<string[]> {
  return opened(file, options, async (archive) => {
    await mkdir(folder, { recursive: true });
    const draft = join(folder, `.${randomUUID()}.tmp`);
    try {
      await archive.extractTo(draft);
      const files = archive.entries.filter((entry) => !entry.isFolder && isWanted(entry.path, options.globs ?? []));
      for (const { path } of files) {
        options.signal?.throwIfAborted();
        await moveInto(folder, join(draft, path), path);
      }
      return files.map(({ path }) => path);
    } finally {
      await rm(draft, { recursive: true, force: true });
    }
  });
}

async function moveInto(folder: string, from: string, path: string): Promise<void> {
  const target = join(folder, path);
  if (!isWithin(await realPathOf(folder), await realPathOf(dirname(target)))) {
    throw new EngineError({
      code: 'files.outside',
      message: `${JSON.stringify(path)} was not unpacked: a link in ${folder} leads out of it. Unpack into another folder.`,
    });
  }
  await mkdir(dirname(target), { recursive: true });
  await rename(from, target);
}

/**
 * The names of an archive's entries in its order; those of folders end with `/`.
 * @throws EngineError as `extractZip`
 */
export async function listZip(file: string, options: ZipOptions = {}): Promise<string[]> {
  return opened(file, options, async ({ entries }) =>
    entries.filter(({ path }) => isWanted(path, options.globs ?? [])).map(nameOf),
  );
}

function nameOf({ path, isFolder }: ArchiveEntry): string {
  return isFolder ? `${path}/` : path;
}

/**
 * The text of an entry; null when there is no such file in the archive.
 * @throws EngineError as `extractZip`, and `files.not-text` when it is not UTF-8
 */
export async function readZipText(file: string, entry: string, signal?: AbortSignal): Promise<string | null> {
  return opened(file, signal === undefined ? {} : { signal }, async (archive) => {
    const bytes = await archive.readBytes(entry, packLimits.maxFileBytes);
    if (bytes === undefined) return null;
    try {
      return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    } catch (error) {
      const message = `${JSON.stringify(entry)} of ${file} is no text in UTF-8.`;
      throw new EngineError({ code: 'files.not-text', message, cause: error });
    }
  });
}

/** The reader was made for packs; an archive of a script need not be one. */
function opened<T>(file: string, { signal }: ZipOptions, use: (archive: PackArchive) => Promise<T>): Promise<T> {
  return withArchive(file, { expected: 'zip archive', ...(signal === undefined ? {} : { signal }) }, use);
}

function notAFolder(folder: string): EngineError {
  return new EngineError({ code: 'files.not-a-folder', message: `${folder} is no folder, so it cannot be packed.` });
}
