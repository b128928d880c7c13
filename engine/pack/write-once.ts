/**
 * Files that are a person's as soon as they exist.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { systemCodeOf } from '../files/file-error.ts';

/**
 * Writes a file unless something lies at its place.
 * @param file absolute
 * @returns whether it was written
 * @throws the system's error
 */
export async function writeIfMissing(file: string, text: string): Promise<boolean> {
  await mkdir(dirname(file), { recursive: true });
  try {
    await writeFile(file, text, { flag: 'wx' });
    return true;
  } catch (error) {
    if (systemCodeOf(error) === 'EEXIST') return false;
    throw error;
  }
}
