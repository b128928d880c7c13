/**
 * Limits on the size of a pack. Packs contain text and scripts, and all known packs are far below these limits.
 */
import { EngineError } from '../../base/engine-error.ts';

export interface PackLimits {
  /** Maximum size of the archive, in bytes. */
  readonly maxArchiveBytes: number;
  readonly maxFiles: number;
  /** Maximum unpacked size of a single file, in bytes. */
  readonly maxFileBytes: number;
  /** Maximum unpacked size of all files together, in bytes. */
  readonly maxTotalBytes: number;
  /** Maximum folder nesting depth. */
  readonly maxDepth: number;
  /** Maximum compression ratio of a file. Small files are not checked. */
  readonly maxRatio: number;
}

const mebibyte = 1024 * 1024;

export const packLimits: PackLimits = {
  maxArchiveBytes: 256 * mebibyte,
  maxFiles: 20_000,
  maxFileBytes: 128 * mebibyte,
  maxTotalBytes: 512 * mebibyte,
  maxDepth: 32,
  maxRatio: 200,
};

/** Below this size the ratio is not checked: a page of spaces compresses as well as a zip bomb. */
export const ratioFreeBytes = 4 * mebibyte;

/** Returns the error for a pack that exceeds a limit. */
export function beyondLimit(shownPath: string, problem: string): EngineError {
  return new EngineError({ code: 'pack.too-large', message: `${shownPath} was rejected: ${problem}.` });
}

/** Formats a size as `12 MiB`, or in bytes if it is not a whole number of MiB. */
export function shownSize(bytes: number): string {
  return bytes % mebibyte === 0 ? `${bytes / mebibyte} MiB` : `${bytes} bytes`;
}
