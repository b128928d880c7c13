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
   * Writes atomically (a reader sees the old file or the new one) and makes missing folders.
   * @throws EngineError `files.outside` | `files.not-writable`
   */
  writeText(path: string, text: string, mode: 'overwrite' | 'append'): Promise<{ path: string; sizeBytes: number }>;
}
