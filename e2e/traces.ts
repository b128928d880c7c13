/**
 * What must stand in no file: looked for in all of them.
 */
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from '@playwright/test';

/** A value as it may be written: as it is, in JSON, in an address, in Base64 at each of the three places it may begin at. */
export function formsOf(value: string): readonly string[] {
  const shifted = ['', 'x', 'xx'].map((before) => {
    const text = Buffer.from(before + value).toString('base64');
    // Signs at both ends hang on what stands beside the value.
    return text.slice(before === '' ? 0 : 4, -4);
  });
  return [value, JSON.stringify(value).slice(1, -1), encodeURIComponent(value), ...shifted];
}

/** Fails when a file in one of these folders holds the value in any form. The program has ended. */
export async function expectNoTrace(value: string, folders: readonly string[]): Promise<void> {
  for (const folder of folders) {
    for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      const bytes = await readFile(path.join(entry.parentPath, entry.name));
      for (const form of formsOf(value)) expect(bytes.includes(form), `${entry.name} holds the value`).toBe(false);
    }
  }
}
