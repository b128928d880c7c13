/**
 * Scripts' host calls for zip archives, and the operations on resolved and allowed paths.
 */

import { join, relative, sep } from 'node:path';
import { Readable } from 'node:stream';
import { finished, pipeline } from 'node:stream/promises';
import { ZipFile } from 'yazl';
import { EngineError } from '../../base/engine-error.ts';
import { globsMatcher, type PathMatcher } from '../../base/glob.ts';
import type { ArchiveEntry } from '../archive/archive-entry.ts';
import { type PackArchive, withArchive } from '../archive/archive-reader.ts';
import { packLimits } from '../archive/pack-limits.ts';
import { replaceWith } from '../files/atomic-write.ts';
import { toReadError, toWriteError } from '../files/file-error.ts';
import { readPieces, writableTo } from '../files/file-pieces.ts';
import { type FolderHolder, inFolderOf, systemHolder, whileOpen } from '../files/folders/folder-holder.ts';
import { draftName, type HeldFolder } from '../files/folders/held-folder.ts';
import { moveEntry } from '../files/folders/move-entry.ts';
import { nameOf, parentOf, pathInfo } from '../lua/api-file/file-arguments.ts';
import type { FileInfoValue, ScriptHost } from '../lua/host-calls.ts';
import { infoOf, statOf } from './file-calls.ts';
import { walkScriptFolder } from './list-files.ts';
import { withPathLock } from './path-locks.ts';
import type { ScriptAccess } from './script-access.ts';
import { isWithin, realPathOf } from './script-paths.ts';

interface ZipOptions {
  /** Selects only entries whose path in the archive matches one of these; selects all if empty. */
  readonly globs?: readonly string[];
  /** Whether a folder, specified by its absolute path, is excluded. */
  readonly isClosed?: (folder: string) => boolean;
  /**
   * Returns the real path of a file to be unpacked, or throws if it must not be written. Called before anything is
   * written.
   */
  readonly placeOf?: (path: string) => Promise<string>;
  /** Records the files that are written, by their real paths. */
  readonly noting?: (reals: readonly string[], write: () => Promise<void>) => Promise<void>;
  readonly holder?: FolderHolder;
  readonly signal?: AbortSignal;
}

/**
 * Packs the files below a folder in path order. Symbolic links and folders without files are omitted.
 * @param folder real and absolute
 * @param file real and absolute; replaced atomically, and its folders are created
 * @throws EngineError `files.not-found` | `files.not-a-folder` | `files.too-many` | `files.bad-link` |
 * `files.not-writable`; the system's error, the signal's reason
 */
export async function createZip(folder: string, file: string, options: ZipOptions = {}): Promise<void> {
  const { holder = systemHolder } = options;
  // Also stops writing if a file cannot be read.
  const stop = new AbortController();
  const signal = options.signal === undefined ? stop.signal : AbortSignal.any([options.signal, stop.signal]);
  const paths = await pathsBelow(folder, options, signal);
  const own = relative(folder, file).split(sep).join('/');
  const zip = new ZipFile();
  // A read error of a file is emitted by the archive, not by its stream.
  const failed = new Promise<never>((_, reject) => zip.once('error', reject));
  failed.catch(() => undefined);
  const fill = async (): Promise<void> => {
    for (const path of paths) if (path !== own) await addFile(zip, { holder, folder, path }, signal);
    zip.end();
  };
  const pack = (target: HeldFolder, name: string): Promise<void> =>
    replaceWith(target, name, async (draft) => {
      const written = pipeline(Readable.from(zip.outputStream), writableTo(draft), { signal });
      await Promise.race([Promise.all([written, fill()]), failed]);
    });
  try {
    await inFolderOf(holder, file, pack, 'made');
  } catch (error) {
    throw toWriteError(error, file);
  } finally {
    stop.abort();
  }
}

/** Adds one file and waits until it has been read, so that only a few files are open at once. */
async function addFile(
  zip: ZipFile,
  { holder, folder, path }: { readonly holder: FolderHolder; readonly folder: string; readonly path: string },
  signal: AbortSignal,
): Promise<void> {
  await whileOpen(holder, { real: join(folder, path), shown: path }, async (file) => {
    signal.throwIfAborted();
    const { mtime, mode, size } = await file.stat();
    const content = Readable.from(readPieces(file, { end: size, signal }), { objectMode: false });
    zip.addReadStream(content, path, { mtime, mode, size });
    await finished(content);
  });
}

async function pathsBelow(folder: string, options: ZipOptions, signal: AbortSignal): Promise<string[]> {
  const { globs, isClosed, holder = systemHolder } = options;
  const state = await statOf({ holder }, { real: folder, shown: folder });
  if (state === undefined) throw toReadError(missingFolder(folder), folder);
  if (!state.isDirectory()) throw notAFolder(folder);
  const enters = (path: string): boolean => isClosed?.(join(folder, path)) !== true;
  const found = await walkScriptFolder(holder, folder, { maxDepth: Number.POSITIVE_INFINITY, enters, signal });
  const isWanted = wantedBy(globs);
  return found
    .filter(({ path, isLink }) => !isLink && isWanted(path))
    .map(({ path }) => path)
    .sort();
}

/** Without globs, everything is included. */
function wantedBy(globs: readonly string[] = []): PathMatcher {
  return globs.length === 0 ? () => true : globsMatcher(globs);
}

/**
 * Unpacks an archive's files into a folder and overwrites existing files. Nothing is written before all entries are
 * known to be safe and all files are complete; then the files are moved into place one by one.
 * @param file real and absolute
 * @param folder real and absolute
 * @returns the paths of the files below the folder, with forward slashes, in archive order
 * @throws EngineError `files.not-found`; `pack.not-an-archive` | `pack.bad-archive` | `pack.unsafe-archive` |
 * `pack.too-large` for files that are not archives, or are corrupt, unsafe or too large; `files.outside` if a link in
 * the folder leads out of it; `files.not-writable` | `files.bad-link`; errors from `placeOf`, the system's error, the
 * signal's reason
 */
export async function extractZip(file: string, folder: string, options: ZipOptions = {}): Promise<string[]> {
  const { holder = systemHolder, globs, placeOf = (path) => realPathOf(join(folder, path)) } = options;
  return await opened(file, options, async (archive) => {
    const isWanted = wantedBy(globs);
    const files: PlacedEntry[] = [];
    for (const { path, isFolder } of archive.entries) {
      if (isFolder || !isWanted(path)) continue;
      const place = await placeOf(path);
      if (!isWithin(folder, place)) throw leadsOut(path, folder);
      files.push({ path, place });
    }
    const unpack = async (): Promise<void> => {
      const target = await holder.hold(folder, 'made').catch((error: unknown) => {
        throw toWriteError(error, folder);
      });
      try {
        await unpackInto(target, { archive, files, holder, signal: options.signal });
      } finally {
        await target.close();
      }
    };
    const places = files.map(({ place }) => place);
    await (options.noting?.(places, unpack) ?? unpack());
    return files.map(({ path }) => path);
  });
}

interface PlacedEntry {
  readonly path: string;
  /** Real and absolute path. */
  readonly place: string;
}

interface Unpacking {
  readonly archive: PackArchive;
  readonly files: readonly PlacedEntry[];
  readonly holder: FolderHolder;
  readonly signal: AbortSignal | undefined;
}

/** Files are first written to a temporary folder under random names, until all of them are complete. */
async function unpackInto(target: HeldFolder, { archive, files, holder, signal }: Unpacking): Promise<void> {
  const waiting = draftName();
  await target.makeFolder(waiting);
  try {
    const folder = await target.folder(waiting);
    try {
      const drafts: [string, PlacedEntry][] = [];
      for (const entry of files) {
        signal?.throwIfAborted();
        const draft = draftName();
        drafts.push([draft, entry]);
        const handle = await folder.openNew(draft);
        await archive.extractFile(entry.path, handle).finally(() => handle.close());
      }
      for (const [draft, { place }] of drafts) {
        signal?.throwIfAborted();
        await inFolderOf(
          holder,
          place,
          (around, name) => moveEntry({ folder, name: draft }, { folder: around, name }),
          'made',
        ).catch((error) => {
          throw toWriteError(error, place);
        });
      }
    } finally {
      await folder.close();
    }
  } finally {
    await target.removeFolder(waiting);
  }
}

function leadsOut(path: string, folder: string): EngineError {
  return new EngineError({
    code: 'files.outside',
    message: `${JSON.stringify(path)} was not extracted because a link in ${folder} leads out of it. Extract into another folder.`,
  });
}

/**
 * Returns an archive's entry names in order; folder names end with `/`.
 * @throws errors from `extractZip`
 */
export async function listZip(file: string, options: ZipOptions = {}): Promise<string[]> {
  const isWanted = wantedBy(options.globs);
  return opened(file, options, async ({ entries }) => entries.filter(({ path }) => isWanted(path)).map(entryName));
}

function entryName({ path, isFolder }: ArchiveEntry): string {
  return isFolder ? `${path}/` : path;
}

/**
 * Returns an entry's text; null if the archive does not contain the file.
 * @throws errors from `extractZip`, and `files.not-text` if it is not UTF-8
 */
export async function readZipText(file: string, entry: string, options: ZipOptions = {}): Promise<string | null> {
  return opened(file, options, async (archive) => {
    const bytes = await archive.readBytes(entry, packLimits.maxFileBytes);
    if (bytes === undefined) return null;
    try {
      return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    } catch (error) {
      const message = `${JSON.stringify(entry)} in ${file} is not UTF-8 text.`;
      throw new EngineError({ code: 'files.not-text', message, cause: error });
    }
  });
}

/** The reader was written for packs, but a script's archive may not be one. */
function opened<T>(file: string, options: ZipOptions, use: (archive: PackArchive) => Promise<T>): Promise<T> {
  const { signal, holder = systemHolder } = options;
  const reading = { shownPath: file, expected: 'zip archive', ...(signal === undefined ? {} : { signal }) };
  return whileOpen(holder, { real: file, shown: file }, (open) => withArchive(open, reading, use));
}

function missingFolder(folder: string): Error {
  return Object.assign(new Error(folder), { code: 'ENOENT', errno: -2 });
}

function notAFolder(folder: string): EngineError {
  return new EngineError({
    code: 'files.not-a-folder',
    message: `${folder} is not a folder, and only folders can be packed.`,
  });
}

type ZipCalls = Pick<ScriptHost, 'zip.create' | 'zip.extract' | 'zip.readText' | 'zip.list'>;

/** Returns one script's archive calls. */
export function zipCalls(access: ScriptAccess): ZipCalls {
  const { holder } = access;
  return {
    'zip.create': async ({ source, destination, globs }, signal) => {
      const folder = await access.read({ path: source }, signal);
      const file = await access.write({ path: destination ?? `${besideOf(source, nameOf(source))}.zip` }, signal);
      const isClosed = await access.closedFolders();
      const options = { ...(globs && { globs }), isClosed, holder, signal };
      await withPathLock([file.real], () =>
        access.changing({ writes: [file.real] }, () => createZip(folder.real, file.real, options)),
      );
      return { info: await infoOf(access, file) };
    },
    'zip.extract': async ({ source, destination, globs }, signal) => {
      const archive = await access.read({ path: source }, signal);
      const target = destination ?? besideOf(source, pathInfo(source).stem);
      const folder = await access.write({ path: target }, signal);
      // Each entry is checked separately, because one may target a protected folder such as `.git`. Absolute paths
      // ensure that a name such as `~/x` is taken literally.
      const placeOf = async (path: string): Promise<string> =>
        (await access.write({ path: join(folder.absolute, path) }, signal)).real;
      const noting = (reals: readonly string[], write: () => Promise<void>) =>
        withPathLock(reals, () => access.changing({ writes: reals }, write));
      const options = { ...(globs && { globs }), placeOf, noting, holder, signal };
      const paths = await extractZip(archive.real, folder.real, options);
      const files: FileInfoValue[] = [];
      for (const path of paths) {
        files.push(await infoOf(access, { real: await placeOf(path), shown: `${folder.shown}/${path}` }));
      }
      return { files };
    },
    'zip.readText': async ({ source, entry }, signal) => {
      const { real } = await access.read({ path: source }, signal);
      return { text: await readZipText(real, entry, { holder, signal }) };
    },
    'zip.list': async ({ source, globs }, signal) => {
      const { real } = await access.read({ path: source }, signal);
      return { names: await listZip(real, { ...(globs && { globs }), holder, signal }) };
    },
  };
}

/** Returns a name in a path's folder. */
function besideOf(path: string, name: string): string {
  const folder = parentOf(path) ?? '';
  if (folder === '') return name;
  return folder.endsWith('/') ? `${folder}${name}` : `${folder}/${name}`;
}
