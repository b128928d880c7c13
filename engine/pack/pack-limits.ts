/**
 * How large a pack may be. Packs are text and scripts; these limits are far above any that is known.
 */
import { EngineError } from '../base/engine-error.ts';

export interface PackLimits {
  /** Of the archive itself. */
  readonly maxArchiveBytes: number;
  readonly maxFiles: number;
  /** Of one file, unpacked. */
  readonly maxFileBytes: number;
  /** Of all files together, unpacked. */
  readonly maxTotalBytes: number;
  /** Folders within folders. */
  readonly maxDepth: number;
  /** How many times larger a file may be than what is stored of it. Small files are not asked. */
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

/** Below this size the ratio says nothing: a page of blanks packs as well as a bomb does. */
export const ratioFreeBytes = 4 * mebibyte;

/** The error for what is too large, too much or too deep. */
export function beyondLimit(shownPath: string, problem: string): EngineError {
  return new EngineError({ code: 'pack.too-large', message: `${shownPath} is refused: ${problem}.` });
}

/** `12 MiB`, or bytes where that is no round number. */
export function shownSize(bytes: number): string {
  return bytes % mebibyte === 0 ? `${bytes / mebibyte} MiB` : `${bytes} bytes`;
}
