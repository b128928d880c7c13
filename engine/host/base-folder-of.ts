/**
 * Where a person's packs and settings are.
 */
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';

/** The folder that `MILLRACE_HOME` names, else `.aipack-base` in the home folder; absolute. */
export function baseFolderOf(env: Readonly<Record<string, string | undefined>>): string {
  return resolve(env['MILLRACE_HOME'] || join(homedir(), '.aipack-base'));
}
