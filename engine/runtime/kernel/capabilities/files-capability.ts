/**
 * Nodes' file operations in a workspace.
 */
import type { RunId } from '../../../base/ids.ts';

export interface FileText {
  /** Path relative to the workspace, with `/`. */
  readonly path: string;
  readonly text: string;
}

/** A file's raw content. */
export interface FileBytes {
  /** Path relative to the workspace, with `/`. */
  readonly path: string;
  readonly base64: string;
  readonly sizeBytes: number;
}

/** A file open for reading. */
export interface OpenedFile {
  /** Path relative to the workspace, with `/`. */
  readonly path: string;
  readonly sizeBytes: number;
  /** Yields all bytes from the start; can be called repeatedly. */
  pieces(): AsyncIterable<Uint8Array>;
}

/** Reads and writes workspace files and rejects paths outside the workspace. */
export interface FilesCapability {
  /** Returns the same operations, with changes recorded as those of a top-level run; absent if none are recorded. */
  forRun?(rootRunId: RunId): FilesCapability;
  /** @throws EngineError `files.outside` | `files.not-found` | `files.not-text` | `files.too-large` */
  readText(path: string, signal: AbortSignal): Promise<FileText>;
  /** Reads the files that match any of the globs, in path order. Returns an empty list if no files match. */
  readGlobs(globs: readonly string[], signal: AbortSignal): Promise<readonly FileText[]>;
  /**
   * @throws EngineError `files.outside` | `files.not-found` | `files.not-text` if it is not a regular file |
   * `files.too-large`
   */
  readBytes(path: string, signal: AbortSignal): Promise<FileBytes>;
  /** See `readGlobs`. */
  readBytesOfGlobs(globs: readonly string[], signal: AbortSignal): Promise<readonly FileBytes[]>;
  /**
   * Keeps files open while `use` works with them.
   * @throws EngineError as `readBytes` does, except for its limit; errors from `use`
   */
  withOpened<T>(
    paths: readonly string[],
    use: (files: readonly OpenedFile[]) => Promise<T>,
    signal: AbortSignal,
  ): Promise<T>;
  /**
   * Atomically creates or replaces a file with the content written by `fill`. If `fill` throws, nothing is changed and
   * no temporary file is left.
   * @throws EngineError as `writeText` does; errors from `fill`
   */
  save<T>(path: string, fill: (write: (piece: Uint8Array) => Promise<void>) => Promise<T>): Promise<T>;
  /**
   * Writes atomically (readers see the old or the new file) and creates missing folders.
   * @throws EngineError `files.outside` | `files.not-writable`
   */
  writeText(path: string, text: string, mode: 'overwrite' | 'append'): Promise<{ path: string; sizeBytes: number }>;
}
