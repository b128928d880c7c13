/**
 * Parts of the program as `npm run build` makes them, built when they are stale.
 */
import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';

const root = path.resolve(import.meta.dirname, '../..');
const folders = new Map<string, Promise<string>>();

/** Looked after once in a process. @returns the part's folder, absolute */
export function builtPart(name: 'cli' | 'library'): Promise<string> {
  const folder = folders.get(name) ?? build(name);
  folders.set(name, folder);
  return folder;
}

async function build(name: string): Promise<string> {
  await promisify(execFile)(process.execPath, [path.join(root, 'tools/run.mjs'), 'build', name]);
  return path.join(root, 'out', name);
}
