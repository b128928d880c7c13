/**
 * Who holds folders, and by what means.
 */
import { type FileHandle, realpath } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { systemCodeOf, toReadError } from './file-error.ts';
import { type FolderEntry, type HeldFolder, type HoldMeans, holdThere } from './held-folder.ts';

/** Holds folders. Whoever holds one lets it go. */
export interface FolderHolder {
  /**
   * Holds the folder at a real path.
   * @param real absolute, links followed, as it was when somebody decided that it may be used
   * @param isMade folders that are missing are made
   * @throws EngineError `files.bad-link` when the path leads somewhere else by now; the system's error
   */
  hold(real: string, isMade?: 'made'): Promise<HeldFolder>;
}

/** Makes a holder. @param means the best that the system has, unless a test asks for another */
export function createFolderHolder(means?: HoldMeans): FolderHolder {
  return {
    async hold(real, isMade) {
      const used = means ?? (await systemMeans());
      return isMade === undefined ? await holdThere(real, used) : await holdMade(real, used);
    },
  };
}

/** Holds folders by the best means of the system. */
export const systemHolder: FolderHolder = createFolderHolder();

/**
 * Holds the folder of a file while `use` works in it.
 * @param real the file's real path, absolute
 * @throws what `hold` and `use` throw
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
 * Opens the regular file at a real path to read it, while `use` reads it.
 * @param shown what messages call it
 * @throws EngineError `files.not-found` | `files.not-readable` | `files.not-text` for what is no regular file | `files.bad-link`;
 *   what `use` throws
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

/** What lies in a folder at a real path. @throws as `hold` does */
export async function listHeld(holder: FolderHolder, real: string): Promise<FolderEntry[]> {
  const folder = await holder.hold(real);
  try {
    return await folder.list();
  } finally {
    await folder.close();
  }
}

let whenTested: Promise<HoldMeans> | undefined;

/** Descriptors where their paths can be asked for, and are what `realpath` says as well. */
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

/** Makes what is missing from the deepest folder that is there, one in the other. */
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
