/**
 * The trusted workspaces: `millrace/trusted.json` in the base folder, `{ "version": 1, "workspaces": ["/real/path", …]
 * }`. The file belongs to the user, never to the workspace.
 */
import { readFile, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { EngineError } from '../../base/engine-error.ts';
import { writeFileAtomically } from '../files/atomic-write.ts';
import { isMissing } from '../files/file-error.ts';
import { withPathLock } from './path-locks.ts';
import { isWithin, realPathOf } from './script-paths.ts';

export interface TrustList {
  /** Whether a workspace is trusted. Also false if the folder does not exist or the list is unreadable. */
  isTrusted(workspace: string): Promise<boolean>;
  /**
   * Adds or removes a workspace by its real path.
   * @throws EngineError `trust.not-a-folder` | `trust.list-inside`; the system's error if the list cannot be written
   */
  setTrusted(workspace: string, isTrusted: boolean): Promise<void>;
  /** Returns the real paths in the order in which they were added. */
  all(): Promise<readonly string[]>;
}

/** Creates the list. @param baseFolder absolute; `millrace/` is created in it with the first entry */
export function createTrustList(baseFolder: string): TrustList {
  const file = join(baseFolder, 'millrace', 'trusted.json');
  const all = (): Promise<readonly string[]> => readList(file);
  return {
    all,
    async isTrusted(workspace) {
      const real = await realFolder(workspace);
      if (real === undefined || (await holdsList(real, file))) return false;
      return (await all()).includes(real);
    },
    async setTrusted(workspace, isTrusted) {
      const real = await realFolder(workspace);
      if (isTrusted && real === undefined) throw notAFolder(workspace);
      if (isTrusted && real !== undefined && (await holdsList(real, file))) throw listInside(workspace, file);
      await withPathLock([file], async () => {
        // A folder that no longer exists is removed by its former path.
        const others = (await all()).filter((one) => one !== (real ?? workspace));
        const workspaces = isTrusted && real !== undefined ? [...others, real] : others;
        await writeFileAtomically(file, `${JSON.stringify({ version: 1, workspaces }, null, 2)}\n`);
      });
    },
  };
}

/** Code in a workspace may write to files inside, so such a list cannot vouch for that workspace. */
async function holdsList(workspace: string, file: string): Promise<boolean> {
  return isWithin(workspace, await realPathOf(file), { isGuard: true });
}

async function realFolder(folder: string): Promise<string | undefined> {
  try {
    return await realpath(folder);
  } catch {
    return undefined;
  }
}

/** An invalid list trusts no workspace. */
async function readList(file: string): Promise<readonly string[]> {
  try {
    const parsed: unknown = JSON.parse(await readFile(file, 'utf8'));
    const listed = typeof parsed === 'object' && parsed !== null && 'workspaces' in parsed ? parsed.workspaces : [];
    return Array.isArray(listed) ? listed.filter((one) => typeof one === 'string') : [];
  } catch (error) {
    if (isMissing(error) || error instanceof SyntaxError) return [];
    throw error;
  }
}

function notAFolder(workspace: string): EngineError {
  return new EngineError({
    code: 'trust.not-a-folder',
    message: `${workspace} cannot be trusted because it is not an accessible folder. Check the path.`,
  });
}

function listInside(workspace: string, file: string): EngineError {
  return new EngineError({
    code: 'trust.list-inside',
    message: `${workspace} contains ${file}, the list of trusted folders, so it cannot be added to that list. Open a smaller folder, or start the run with --trust.`,
  });
}
