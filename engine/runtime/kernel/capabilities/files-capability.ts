/**
 * File operations of nodes in a workspace.
 */

export interface FileText {
  /** Path relative to the workspace, with `/`. */
  readonly path: string;
  readonly text: string;
}

/** The raw content of a file. */
export interface FileBytes {
  /** Path relative to the workspace, with `/`. */
  readonly path: string;
  readonly base64: string;
  readonly sizeBytes: number;
}

/** A file that is open for reading. */
export interface OpenedFile {
  /** Path relative to the workspace, with `/`. */
  readonly path: string;
  readonly sizeBytes: number;
  /** Yields all bytes from the start; can be called repeatedly. */
  pieces(): AsyncIterable<Uint8Array>;
}

/** Reads and writes files of the workspace, and rejects paths outside. */
export interface FilesCapability {
  /** @throws EngineError `files.outside` | `files.not-found` | `files.not-text` | `files.too-large` */
  readText(path: string, signal: AbortSignal): Promise<FileText>;
  /** Reads the files that match any of the globs, in path order. Returns an empty list if none match. */
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
   * @throws EngineError as `readBytes` does, except for its limit; errors of `use`
   */
  withOpened<T>(
    paths: readonly string[],
    use: (files: readonly OpenedFile[]) => Promise<T>,
    signal: AbortSignal,
  ): Promise<T>;
  /**
   * Creates or replaces a file atomically with what `fill` writes. If `fill` throws, nothing is changed and no
   * temporary file is left.
   * @throws EngineError as `writeText` does; errors of `fill`
   */
  save<T>(path: string, fill: (write: (piece: Uint8Array) => Promise<void>) => Promise<T>): Promise<T>;
  /**
   * Writes atomically (readers see the old or the new file) and creates missing folders.
   * @throws EngineError `files.outside` | `files.not-writable`
   */
  writeText(path: string, text: string, mode: 'overwrite' | 'append'): Promise<{ path: string; sizeBytes: number }>;
}
