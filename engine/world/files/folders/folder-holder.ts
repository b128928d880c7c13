/**
 * Creates held folders by the best means that the system supports.
 */
import { type FileHandle, realpath } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { systemCodeOf, toReadError } from '../file-error.ts';
import { type FolderEntry, type HeldFolder, type HoldMeans, holdThere } from './held-folder.ts';

/** Creates held folders. The caller must release them. */
export interface FolderHolder {
  /**
   * Holds the folder at a real path.
   * @param real absolute path without symbolic links, as it was when access was allowed
   * @param isMade whether to create missing folders
   * @throws EngineError `files.bad-link` if the path now leads elsewhere; the system's error
   */
  hold(real: string, isMade?: 'made'): Promise<HeldFolder>;
}

/** Creates a folder holder. @param means by default the best that the system supports; tests may select another */
export function createFolderHolder(means?: HoldMeans): FolderHolder {
  return {
    async hold(real, isMade) {
      const used = means ?? (await systemMeans());
      return isMade === undefined ? await holdThere(real, used) : await holdMade(real, used);
    },
  };
}

/** Holds folders by the best means that the system supports. */
export const systemHolder: FolderHolder = createFolderHolder();

/**
 * Holds a file's folder while `use` works in it.
 * @param real the file's real path, absolute
 * @throws errors from `hold` and `use`
 */
export async function inFolderOf<T>(
  holder: FolderHolder,
  real: string,
  use: (folder: HeldFolder, name: string) => Promise<T>,
  isMade?: 'made',
): Promise<T> {
  const folder = await holder.hold(dirname(real), isMade);
  try {
    return await use(folder, basename(real));
  } finally {
    await folder.close();
  }
}

/**
 * Opens the regular file at a real path for reading, and closes it after `use`.
 * @param shown path for messages
 * @throws EngineError `files.not-found` | `files.not-readable` | `files.not-text` if it is not a regular file |
 * `files.bad-link`; errors from `use`
 */
export async function whileOpen<T>(
  holder: FolderHolder,
  { real, shown }: { readonly real: string; readonly shown: string },
  use: (file: FileHandle) => Promise<T>,
): Promise<T> {
  try {
    const file = await inFolderOf(holder, real, (folder, name) => folder.openFile(name, 'read', shown));
    try {
      return await use(file);
    } finally {
      await file.close();
    }
  } catch (error) {
    throw toReadError(error, shown);
  }
}

/** Returns a folder's entries by its real path. @throws as `hold` does */
export async function listHeld(holder: FolderHolder, real: string): Promise<FolderEntry[]> {
  const folder = await holder.hold(real);
  try {
    return await folder.list();
  } finally {
    await folder.close();
  }
}

let whenTested: Promise<HoldMeans> | undefined;

/** Uses descriptors if the system can report their paths and these match the paths from `realpath`. */
async function systemMeans(): Promise<HoldMeans> {
  whenTested ??= (async () => {
    if (process.platform !== 'linux') return 'watch';
    try {
      const folder = dirname(await realpath(process.execPath));
      await (await holdThere(folder, 'descriptor')).close();
      return 'descriptor';
    } catch {
      return 'watch';
    }
  })();
  return await whenTested;
}

/** Creates the missing folders, starting from the deepest existing one. */
async function holdMade(real: string, means: HoldMeans): Promise<HeldFolder> {
  const there = await holdIfThere(real, means);
  if (there !== undefined) return there;
  const parent = dirname(real);
  const around = parent === real ? await holdThere(real, means) : await holdMade(parent, means);
  try {
    await around.makeFolder(basename(real));
    return await around.folder(basename(real));
  } finally {
    await around.close();
  }
}

async function holdIfThere(real: string, means: HoldMeans): Promise<HeldFolder | undefined> {
  try {
    return await holdThere(real, means);
  } catch (error) {
    if (systemCodeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}
