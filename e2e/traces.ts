/**
 * Searches all files for a value that must not be stored.
 */
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from '@playwright/test';

/**
 * Returns the forms in which a value may be written: plain, in JSON, in a URL, and in Base64 at each of the three
 * alignments.
 */
export function formsOf(value: string): readonly string[] {
  const shifted = ['', 'x', 'xx'].map((before) => {
    const text = Buffer.from(before + value).toString('base64');
    // The characters at both ends depend on the bytes next to the value.
    return text.slice(before === '' ? 0 : 4, -4);
  });
  return [value, JSON.stringify(value).slice(1, -1), encodeURIComponent(value), ...shifted];
}

/** Fails if a file in one of these folders contains the value in any form. Call this after the program has exited. */
export async function expectNoTrace(value: string, folders: readonly string[]): Promise<void> {
  for (const folder of folders) {
    for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      const bytes = await readFile(path.join(entry.parentPath, entry.name));
      for (const form of formsOf(value)) expect(bytes.includes(form), `${entry.name} holds the value`).toBe(false);
    }
  }
}
