/**
 * Small files of the program's own, in the person's folder for it.
 */
import { chmodSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** The file's text; undefined = there is none. @throws the system's error when it cannot be read */
export function readOwnFile(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/**
 * Replaces the file as a whole: readers see the old one or the new one, never a half. Synchronous, so that quitting cannot
 * overtake it.
 * @param mode of the file, such as 0o600 for one that nobody else may read
 * @throws the system's error; the file is then as it was
 */
export function writeOwnFile(file: string, text: string, mode = 0o644): void {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(`${file}.new`, text, { mode });
  takePlace(file, mode);
}

/** As `writeOwnFile`, and waits until the disk has it, so that it is there after a power cut, too. */
export function writeOwnFileThrough(file: string, text: string, mode = 0o644): void {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(`${file}.new`, text, { mode, flush: true });
  takePlace(file, mode);
}

function takePlace(file: string, mode: number): void {
  // The mode counts for new files only, and one may be left of a write that was cut off.
  chmodSync(`${file}.new`, mode);
  renameSync(`${file}.new`, file);
}
