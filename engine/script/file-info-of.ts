/**
 * What scripts learn about a file.
 */
import type { Stats } from 'node:fs';
import { pathInfo } from '../lua/api-file/file-arguments.ts';
import type { FileInfoValue } from '../lua/host-calls.ts';

/**
 * @param path as the script is to see it, with `/`
 */
export function fileInfoOf(path: string, stats: Stats): FileInfoValue {
  // Some file systems do not know when a file was made.
  const madeMs = stats.birthtimeMs > 0 ? stats.birthtimeMs : stats.ctimeMs;
  const info = pathInfo(path);
  return {
    ...info,
    ctime: Math.round(madeMs * 1000),
    mtime: Math.round(stats.mtimeMs * 1000),
    size: stats.size,
  };
}
