/**
 * Parts of the program built by `npm run build`; rebuilt when they are stale.
 */
import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';

const root = path.resolve(import.meta.dirname, '../..');
const folders = new Map<string, Promise<string>>();

/** Checks the part once per process. @returns the absolute path of the part's folder */
export function builtPart(name: 'cli' | 'library'): Promise<string> {
  const folder = folders.get(name) ?? build(name);
  folders.set(name, folder);
  return folder;
}

async function build(name: string): Promise<string> {
  await promisify(execFile)(process.execPath, [path.join(root, 'tools/run.mjs'), 'build', name]);
  return path.join(root, 'out', name);
}
