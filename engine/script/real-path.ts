/**
 * Where paths really lie.
 */
import { lstat, realpath } from 'node:fs/promises';
import { basename, dirname, join, relative, sep } from 'node:path';
import { EngineError } from '../base/engine-error.ts';
import { isMissing } from '../files/file-error.ts';

/**
 * The path with all links followed. The last parts need not exist yet.
 * @param absolute collapsed, with the system's separators
 * @throws EngineError `files.bad-link` for a link to nothing, a circle of links, or a part that cannot be followed
 */
export async function realPathOf(absolute: string): Promise<string> {
  try {
    return await realpath(absolute);
  } catch (error) {
    if (!isMissing(error)) throw badLink(absolute, 'cannot be followed', error);
  }
  if (await isThere(absolute)) throw badLink(absolute, 'is a link to something that does not exist');
  const parent = dirname(absolute);
  return parent === absolute ? absolute : join(await realPathOf(parent), basename(absolute));
}

/** The real path of what a name stands for itself: a link is not followed, the folders before it are. */
export async function realPathOfName(absolute: string): Promise<string> {
  const parent = dirname(absolute);
  return parent === absolute ? absolute : join(await realPathOf(parent), basename(absolute));
}

/**
 * Looks once more where a path leads: between the policy's look and its use somebody may have put a link in the way.
 * @param real as `realPathOf` gave it
 * @throws EngineError `files.bad-link` when it now leads somewhere else
 */
export async function refuseExchanged(real: string, shown: string): Promise<void> {
  if ((await realPathOf(real)) === real) return;
  throw badLink(shown, 'has come to lead somewhere else while it was used');
}

const ignoresCase = process.platform === 'win32' || process.platform === 'darwin';

/**
 * True when `path` is the folder or lies in it; both absolute and real.
 * @param options.isGuard the folder is one to keep out of: in doubt, on systems that ignore case, the answer is yes
 */
export function isWithin(folder: string, path: string, { isGuard = false }: { isGuard?: boolean } = {}): boolean {
  const folded = isGuard && ignoresCase;
  const from = relative(folded ? folder.toLowerCase() : folder, folded ? path.toLowerCase() : path);
  return from !== '..' && !from.startsWith(`..${sep}`) && !isOtherRoot(from);
}

/** Windows: a path on another drive stays absolute. */
function isOtherRoot(path: string): boolean {
  return path.startsWith(sep) || /^[a-z]:/i.test(path);
}

async function isThere(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch {
    return false;
  }
}

function badLink(path: string, problem: string, cause?: unknown): EngineError {
  return new EngineError({ code: 'files.bad-link', message: `${path} ${problem}. Name another path.`, cause });
}
