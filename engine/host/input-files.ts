/**
 * Files as inputs of an agent, as a person names them on a command line.
 */
import { isAbsolute, join } from 'node:path';
import type { JsonValue } from '../flowspec/json-value.ts';
import type { FileInfoValue } from '../lua/host-calls.ts';

/** Lists files by globs; those inside of the workspace relative to it. */
export type ListFiles = (globs: readonly string[]) => Promise<readonly FileInfoValue[]>;

/**
 * The files that match, in the order of the globs. A bare name (no `*`, no `./` or `/` before it) is looked for in all
 * folders below.
 * @param folder where relative globs start, absolute
 */
export async function listInputFiles(
  globs: readonly string[],
  folder: string,
  list: ListFiles,
): Promise<readonly JsonValue[]> {
  const files = await list(globs.map((glob) => placed(glob, folder)));
  return files.map((file) => ({ ...file }));
}

function placed(glob: string, folder: string): string {
  if (isAbsolute(glob)) return glob;
  const isBare = !glob.includes('*') && !glob.startsWith('./') && !glob.startsWith('../');
  return join(folder, isBare ? `**/${glob}` : glob);
}
