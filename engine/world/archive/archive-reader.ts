/**
 * Reads pack archives, which are untrusted.
 */
import { constants } from 'node:fs';
import { type FileHandle, mkdir, open as openFile, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable, Transform, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { crc32 } from 'node:zlib';
import yauzl, { type Entry, type ZipFile } from 'yauzl';
import { EngineError } from '../../base/engine-error.ts';
import { systemCodeOf, toReadError } from '../files/file-error.ts';
import { readPieces, writableTo } from '../files/file-pieces.ts';
import { inFolderOf, systemHolder } from '../files/folders/folder-holder.ts';
import { type ArchiveEntry, checkCollisions, checkEntry, unsafe } from './archive-entry.ts';
import { beyondLimit, type PackLimits, packLimits, ratioFreeBytes, shownSize } from './pack-limits.ts';

export interface ArchiveOptions {
  /** The archive's name in messages; its path by default. */
  readonly shownPath?: string;
  /** The expected file type's name in messages; `pack archive` by default. */
  readonly expected?: string;
  readonly limits?: PackLimits;
  readonly signal?: AbortSignal;
}

/** An archive with a fully validated directory. */
export interface PackArchive {
  /** In archive order. */
  readonly entries: readonly ArchiveEntry[];
  /** Size of the archive file in bytes. */
  readonly archiveBytes: number;
  /** Unpacked size of all files in bytes. */
  readonly totalBytes: number;
  /**
   * Returns a file's content; undefined if there is no file at this path. @throws EngineError `pack.bad-archive` |
   * `pack.too-large`
   */
  readBytes(path: string, maxBytes: number): Promise<Uint8Array | undefined>;
  /** Returns a file's content as text; undefined if there is no file at this path. */
  readText(path: string, maxBytes: number): Promise<string | undefined>;
  /**
   * Writes a file from the archive.
   * @param path path of an entry that is a file
   * @param target new, empty file; stays open
   * @throws EngineError `pack.bad-archive` | `pack.too-large`, the system's error, or the signal's reason
   */
  extractFile(path: string, target: FileHandle): Promise<void>;
  /**
   * Writes all files into a folder that is empty or does not exist. Does not follow symbolic links below it.
   * @throws errors from `extractFile`
   */
  extractTo(folder: string): Promise<void>;
}

interface CheckedEntry extends ArchiveEntry {
  readonly entry: Entry;
}

interface WantedArchive {
  readonly shownPath: string;
  readonly expected: string;
}

interface OpenArchive {
  readonly zip: ZipFile;
  readonly shownPath: string;
  readonly signal: AbortSignal | undefined;
}

/**
 * Opens an archive, validates all entries, and passes it to `use`. Nothing is unpacked until every entry has been
 * checked.
 * @param file absolute path, or an open regular file, which stays open
 * @throws EngineError `files.not-found` | `pack.not-an-archive` | `pack.bad-archive` | `pack.unsafe-archive` |
 * `pack.too-large`; errors from `use`
 */
export async function withArchive<T>(
  file: string | FileHandle,
  options: ArchiveOptions,
  use: (archive: PackArchive) => Promise<T>,
): Promise<T> {
  if (typeof file !== 'string') return await readArchive(file, options, use);
  const { shownPath = file } = options;
  // Avoids blocking on a named pipe.
  const handle = await openFile(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)).catch((error: unknown) => {
    throw toReadError(error, shownPath);
  });
  try {
    return await readArchive(handle, { ...options, shownPath }, use);
  } finally {
    await handle.close();
  }
}

async function readArchive<T>(
  file: FileHandle,
  options: ArchiveOptions,
  use: (archive: PackArchive) => Promise<T>,
): Promise<T> {
  const { shownPath = 'The file', expected = 'pack archive', limits = packLimits, signal } = options;
  const wanted: WantedArchive = { shownPath, expected };
  const archiveBytes = await sizeOf(file, wanted, limits);
  const zip = await open(file, archiveBytes, wanted);
  try {
    const opened: OpenArchive = { zip, shownPath, signal };
    const entries = await readDirectory(opened, limits);
    const readBytes = (path: string, maxBytes: number) => readEntry(opened, entries, { path, maxBytes });
    return await use({
      entries,
      archiveBytes,
      totalBytes: entries.reduce((sum, { bytes }) => sum + bytes, 0),
      readBytes,
      readText: async (path, maxBytes) => {
        const bytes = await readBytes(path, maxBytes);
        return bytes === undefined ? undefined : new TextDecoder().decode(bytes);
      },
      async extractFile(path, target) {
        const entry = fileIn(entries, path);
        if (entry !== undefined) await unpack(opened, entry, () => writableTo(target));
      },
      extractTo: (folder) => extract(opened, entries, folder),
    });
  } finally {
    zip.close();
  }
}

async function sizeOf(file: FileHandle, wanted: WantedArchive, { maxArchiveBytes }: PackLimits): Promise<number> {
  const { shownPath } = wanted;
  const state = await file.stat();
  if (!state.isFile()) throw notAnArchive(wanted, 'it is not a file');
  if (state.size > maxArchiveBytes) throw beyondLimit(shownPath, `it is larger than ${shownSize(maxArchiveBytes)}`);
  return state.size;
}

/** Reads from a file that the caller closes. */
class FileReader extends yauzl.RandomAccessReader {
  readonly #file: FileHandle;

  constructor(file: FileHandle) {
    super();
    this.#file = file;
  }

  override read(...[buffer, offset, length, position, done]: Parameters<yauzl.RandomAccessReader['read']>): void {
    this.#file.read(buffer, offset, length, position).then(
      ({ bytesRead }) => done(bytesRead < length ? new Error('unexpected EOF') : null),
      (error: Error) => done(error),
    );
  }

  override _readStreamForRange(start: number, end: number): Readable {
    return Readable.from(readPieces(this.#file, { start, end }), { objectMode: false });
  }

  override close(done: (error: Error | null) => void): void {
    done(null);
  }
}

// Names are decoded and checked here, because the library would first convert backslashes to slashes.
const options = { autoClose: false, decodeStrings: false };

async function open(file: FileHandle, bytes: number, wanted: WantedArchive): Promise<ZipFile> {
  try {
    return await yauzl.fromRandomAccessReaderPromise(new FileReader(file), bytes, options);
  } catch (error) {
    if (systemCodeOf(error) !== undefined) throw toReadError(error, wanted.shownPath);
    throw notAnArchive(wanted, 'it does not end with the directory of a zip archive and may be truncated', error);
  }
}

async function readDirectory({ zip, shownPath, signal }: OpenArchive, limits: PackLimits): Promise<CheckedEntry[]> {
  if (zip.entryCount > limits.maxFiles) throw beyondLimit(shownPath, `it has more than ${limits.maxFiles} files`);
  const entries: CheckedEntry[] = [];
  let total = 0;
  try {
    for await (const entry of zip.eachEntry()) {
      signal?.throwIfAborted();
      const checked = checkOne(entry, shownPath);
      total += checked.bytes;
      checkSize(checked, total, { shownPath, limits });
      entries.push(checked);
    }
  } catch (error) {
    signal?.throwIfAborted();
    throw badArchive(error, shownPath);
  }
  checkCollisions(entries, shownPath);
  return entries;
}

function checkOne(entry: Entry, shownPath: string): CheckedEntry {
  const { generalPurposeBitFlag, fileNameRaw, extraFields, externalFileAttributes } = entry;
  const name = yauzl.getFileNameLowLevel(generalPurposeBitFlag, fileNameRaw, extraFields, true);
  const { path, isFolder } = checkEntry(name, externalFileAttributes >>> 16, shownPath);
  if (entry.isEncrypted()) throw unsafe(shownPath, name, 'it is encrypted');
  if (!entry.canDecodeFileData()) throw unsafe(shownPath, name, 'its compression method is not supported');
  const { uncompressedSize: bytes, compressedSize: packedBytes } = entry;
  if (isFolder && bytes > 0) throw unsafe(shownPath, name, 'it is a folder with content');
  return { path, isFolder, bytes, packedBytes, entry };
}

function checkSize(
  { path, bytes, packedBytes }: ArchiveEntry,
  total: number,
  { shownPath, limits }: { readonly shownPath: string; readonly limits: PackLimits },
): void {
  const shown = JSON.stringify(path);
  if (path.split('/').length > limits.maxDepth + 1) {
    throw beyondLimit(shownPath, `${shown} is more than ${limits.maxDepth} folders deep`);
  }
  if (bytes > limits.maxFileBytes) {
    throw beyondLimit(shownPath, `${shown} is larger than ${shownSize(limits.maxFileBytes)}`);
  }
  if (total > limits.maxTotalBytes) {
    throw beyondLimit(shownPath, `it is larger than ${shownSize(limits.maxTotalBytes)} unpacked`);
  }
  if (bytes > ratioFreeBytes && bytes > packedBytes * limits.maxRatio) {
    throw beyondLimit(
      shownPath,
      `${shown} unpacks to more than ${limits.maxRatio} times its size, like an archive designed to fill disks`,
    );
  }
}

async function readEntry(
  archive: OpenArchive,
  entries: readonly CheckedEntry[],
  { path, maxBytes }: { readonly path: string; readonly maxBytes: number },
): Promise<Uint8Array | undefined> {
  const found = fileIn(entries, path);
  if (found === undefined) return undefined;
  if (found.bytes > maxBytes) {
    throw beyondLimit(archive.shownPath, `${JSON.stringify(path)} is larger than ${shownSize(maxBytes)}`);
  }
  const chunks: Buffer[] = [];
  const collecting = new Writable({
    write(chunk: Buffer, _encoding, done) {
      chunks.push(chunk);
      done();
    },
  });
  await unpack(archive, found, () => collecting);
  return Buffer.concat(chunks);
}

function fileIn(entries: readonly CheckedEntry[], path: string): CheckedEntry | undefined {
  return entries.find((entry) => entry.path === path && !entry.isFolder);
}

async function extract(archive: OpenArchive, entries: readonly CheckedEntry[], folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const real = await realpath(folder);
  for (const entry of entries) {
    archive.signal?.throwIfAborted();
    const target = join(real, entry.path);
    if (entry.isFolder) {
      await (await systemHolder.hold(target, 'made')).close();
      continue;
    }
    // Creates new files only: an existing file was not written by this archive, and no entry is written twice.
    const file = await inFolderOf(systemHolder, target, (around, name) => around.openNew(name), 'made');
    try {
      await unpack(archive, entry, () => writableTo(file));
    } finally {
      await file.close();
    }
  }
}

/** Reads one file to its end. Checks its size against the directory while inflating it, and its checksum afterward. */
async function unpack(
  { zip, shownPath, signal }: OpenArchive,
  { entry, path }: CheckedEntry,
  target: () => Writable,
): Promise<void> {
  let sum = 0;
  const summing = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      sum = crc32(chunk, sum);
      done(null, chunk);
    },
  });
  try {
    const source = await zip.openReadStreamPromise(entry);
    await pipeline(source, summing, target(), signal === undefined ? {} : { signal });
  } catch (error) {
    signal?.throwIfAborted();
    throw badArchive(error, shownPath);
  }
  if (sum >>> 0 !== entry.crc32 >>> 0) {
    throw damaged(shownPath, `the checksum of ${JSON.stringify(path)} is wrong`);
  }
}

/** Converts the library's errors about a corrupt archive; disk errors are returned unchanged. */
function badArchive(error: unknown, shownPath: string): unknown {
  const code = systemCodeOf(error);
  if (EngineError.is(error) || (code !== undefined && !code.startsWith('Z_'))) return error;
  return damaged(shownPath, error instanceof Error ? error.message : String(error), error);
}

function damaged(shownPath: string, problem: string, cause?: unknown): EngineError {
  return new EngineError({
    code: 'pack.bad-archive',
    message: `${shownPath} is damaged: ${problem}. Get a new copy.`,
    cause,
  });
}

function notAnArchive({ shownPath, expected }: WantedArchive, problem: string, cause?: unknown): EngineError {
  return new EngineError({
    code: 'pack.not-an-archive',
    message: `${shownPath} is not a ${expected}: ${problem}.`,
    cause,
  });
}
