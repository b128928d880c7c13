/**
 * Calls of scripts for zip archives, and what they do once paths are resolved and the policy was asked.
 */

import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ZipFile } from 'yazl';
import { EngineError } from '../base/engine-error.ts';
import { globsMatcher, type PathMatcher } from '../base/glob.ts';
import { toReadError } from '../files/file-error.ts';
import { nameOf, parentOf, pathInfo } from '../lua/api-file/file-arguments.ts';
import type { ScriptHost } from '../lua/host-calls.ts';
import type { ArchiveEntry } from '../pack/archive-entry.ts';
import { type PackArchive, withArchive } from '../pack/archive-reader.ts';
import { packLimits } from '../pack/pack-limits.ts';
import { fileInfoOf, walkScriptFolder } from './list-files.ts';
import { withPathLock } from './path-locks.ts';
import type { ScriptAccess } from './script-access.ts';
import { isWithin, realPathOf } from './script-paths.ts';

interface ZipOptions {
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

async function pathsBelow(folder: string, { globs, isClosed }: ZipOptions, signal: AbortSignal): Promise<string[]> {
  const state = await stat(folder).catch((error: unknown) => {
    throw toReadError(error, folder);
  });
  if (!state.isDirectory()) throw notAFolder(folder);
  const enters = (path: string): boolean => isClosed?.(join(folder, path)) !== true;
  const found = await walkScriptFolder(folder, { maxDepth: Number.POSITIVE_INFINITY, enters, signal });
  const isWanted = wantedBy(globs);
  return found
    .filter(({ path, isLink }) => !isLink && isWanted(path))
    .map(({ path }) => path)
    .sort();
}

/** No globs at all want everything. */
function wantedBy(globs: readonly string[] = []): PathMatcher {
  return globs.length === 0 ? () => true : globsMatcher(globs);
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
      const isWanted = wantedBy(options.globs);
      const files = archive.entries.filter((entry) => !entry.isFolder && isWanted(entry.path));
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
  const isWanted = wantedBy(options.globs);
  return opened(file, options, async ({ entries }) => entries.filter(({ path }) => isWanted(path)).map(entryName));
}

function entryName({ path, isFolder }: ArchiveEntry): string {
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

type ZipCalls = Pick<ScriptHost, 'zip.create' | 'zip.extract' | 'zip.readText' | 'zip.list'>;

/** The calls of one script for archives. */
export function zipCalls(access: ScriptAccess): ZipCalls {
  return {
    'zip.create': async ({ source, destination, globs }, signal) => {
      const folder = await access.read({ path: source }, signal);
      const file = await access.write({ path: destination ?? `${besideOf(source, nameOf(source))}.zip` }, signal);
      const isClosed = await access.closedFolders();
      await withPathLock([file.real], () =>
        createZip(folder.real, file.real, { ...(globs && { globs }), isClosed, signal }),
      );
      return { info: fileInfoOf(file.shown, await stat(file.real)) };
    },
    'zip.extract': async ({ source, destination, globs }, signal) => {
      const archive = await access.read({ path: source }, signal);
      const options = { ...(globs && { globs }), signal };
      const target = destination ?? besideOf(source, pathInfo(source).stem);
      const folder = await access.write({ path: target }, signal);
      // Each entry for itself: one may mean to go to a folder that is kept, such as `.git`.
      for (const name of await listZip(archive.real, options)) {
        // Absolute, so that a name such as `~/x` means nothing but itself.
        await access.write({ path: join(folder.absolute, name) }, signal);
      }
      const paths = await extractZip(archive.real, folder.real, options);
      const files = await Promise.all(
        paths.map(async (path) => fileInfoOf(`${folder.shown}/${path}`, await stat(join(folder.real, path)))),
      );
      return { files };
    },
    'zip.readText': async ({ source, entry }, signal) => {
      const { real } = await access.read({ path: source }, signal);
      return { text: await readZipText(real, entry, signal) };
    },
    'zip.list': async ({ source, globs }, signal) => {
      const { real } = await access.read({ path: source }, signal);
      return { names: await listZip(real, { ...(globs && { globs }), signal }) };
    },
  };
}

/** A name in the folder of a path. */
function besideOf(path: string, name: string): string {
  const folder = parentOf(path) ?? '';
  if (folder === '') return name;
  return folder.endsWith('/') ? `${folder}${name}` : `${folder}/${name}`;
}
