/**
 * Reads and writes small files in the program's user data folder.
 */
import { chmodSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** Returns the file's text; undefined if it does not exist. @throws the system's error if it cannot be read */
export function readOwnFile(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/**
 * Replaces the file atomically: readers see either the old or the new content. Synchronous, so that it completes before
 * the program quits.
 * @param mode file mode, such as 0o600 for a file that only its owner can read
 * @throws the system's error; the file is then unchanged
 */
export function writeOwnFile(file: string, text: string, mode = 0o644): void {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(`${file}.new`, text, { mode });
  takePlace(file, mode);
}

/** Like `writeOwnFile`, but waits until the data is flushed to disk, so that it survives a power loss. */
export function writeOwnFileThrough(file: string, text: string, mode = 0o644): void {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(`${file}.new`, text, { mode, flush: true });
  takePlace(file, mode);
}

function takePlace(file: string, mode: number): void {
  // The mode applies only to new files, and an interrupted write may have left an existing one.
  chmodSync(`${file}.new`, mode);
  renameSync(`${file}.new`, file);
}

/** Stores data for the next start, ignoring errors: a full disk must not prevent windows from opening and closing. */
export function remember(write: () => void): void {
  try {
    write();
  } catch (error) {
    process.stderr.write(`millrace: not kept for the next start: ${error}\n`);
  }
}
