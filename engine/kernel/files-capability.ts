/**
 * What nodes may do with the files of a workspace.
 */

export interface FileText {
  /** Relative to the workspace, with `/`. */
  readonly path: string;
  readonly text: string;
}

/** A file as it is, whatever it holds. */
export interface FileBytes {
  /** Relative to the workspace, with `/`. */
  readonly path: string;
  readonly base64: string;
  readonly sizeBytes: number;
}

/** A file that is open for reading. */
export interface OpenedFile {
  /** Relative to the workspace, with `/`. */
  readonly path: string;
  readonly sizeBytes: number;
  /** All bytes from the beginning, as often as it is asked. */
  pieces(): AsyncIterable<Uint8Array>;
}

/** Reads and writes files of the workspace; whatever lies outside is refused. */
export interface FilesCapability {
  /** @throws EngineError `files.outside` | `files.not-found` | `files.not-text` | `files.too-large` */
  readText(path: string, signal: AbortSignal): Promise<FileText>;
  /** Files that match any of the globs, in path order. No match is an empty list. */
  readGlobs(globs: readonly string[], signal: AbortSignal): Promise<readonly FileText[]>;
  /** @throws EngineError `files.outside` | `files.not-found` | `files.not-text` for what is no file | `files.too-large` */
  readBytes(path: string, signal: AbortSignal): Promise<FileBytes>;
  /** As `readGlobs`. */
  readBytesOfGlobs(globs: readonly string[], signal: AbortSignal): Promise<readonly FileBytes[]>;
  /**
   * Holds files open while `use` works with them.
   * @throws EngineError as `readBytes` does, but for its limit; what `use` throws
   */
  withOpened<T>(
    paths: readonly string[],
    use: (files: readonly OpenedFile[]) => Promise<T>,
    signal: AbortSignal,
  ): Promise<T>;
  /**
   * Makes or replaces a file, in one step, of what `fill` writes; when it throws, nothing is changed and nothing left behind.
   * @throws EngineError as `writeText` does; what `fill` throws
   */
  save<T>(path: string, fill: (write: (piece: Uint8Array) => Promise<void>) => Promise<T>): Promise<T>;
  /**
   * Writes atomically (a reader sees the old file or the new one) and makes missing folders.
   * @throws EngineError `files.outside` | `files.not-writable`
   */
  writeText(path: string, text: string, mode: 'overwrite' | 'append'): Promise<{ path: string; sizeBytes: number }>;
}
