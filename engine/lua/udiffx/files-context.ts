/**
 * Files as models are shown them.
 */
import path from 'node:path';
import type { HostCaller } from '../host-calls.ts';

interface ContextOptions {
  readonly globs: readonly string[];
  /** As scripts write it; absent = the workspace. */
  readonly baseDir?: string | undefined;
  readonly absolute: boolean;
}

function block(shown: string, text: string): string {
  const end = text === '' || text.endsWith('\n') ? '' : '\n';
  return `<FILE_CONTENT path="${shown}">\n${text}${end}</FILE_CONTENT>\n`;
}

/** One `<FILE_CONTENT>` element for each file, in the order of the listing; undefined when no file matches. */
export function filesContext(host: HostCaller, { globs, baseDir, absolute }: ContextOptions): string | undefined {
  const base = baseDir === undefined || baseDir === '' ? {} : { baseDir };
  const { files } = host('file.list', { globs, ...base, absolute, hasDefaultExcludes: true });
  if (files.length === 0) return undefined;
  const folder = host('path.resolve', { path: base.baseDir ?? '.' }).path;
  const blocks = files.map((file) => {
    // A whole path: a name with `@` in it would be taken for one of a pack.
    const full = file.path.startsWith('~') ? file.path : path.resolve(folder, file.path);
    return block(file.path, host('file.readText', { path: full }).text);
  });
  return blocks.join('\n');
}
