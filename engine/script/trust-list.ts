/**
 * The workspaces that a person trusts: `millrace/trusted.json` in the base folder,
 * `{ "version": 1, "workspaces": ["/real/path", …] }`. It is the person's, never the workspace's.
 */
import { readFile, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { EngineError } from '../base/engine-error.ts';
import { writeFileAtomically } from '../files/atomic-write.ts';
import { isMissing } from '../files/file-error.ts';
import { withPathLock } from './path-locks.ts';
import { isWithin, realPathOf } from './script-paths.ts';

export interface TrustList {
  /** False as well for a folder that is not there, and when the list cannot be read. */
  isTrusted(workspace: string): Promise<boolean>;
  /**
   * Remembers or forgets a workspace, under its real path.
   * @throws EngineError `trust.not-a-folder` | `trust.list-inside`; the system's error when the list cannot be written
   */
  setTrusted(workspace: string, isTrusted: boolean): Promise<void>;
  /** Real paths, in the order of trusting. */
  all(): Promise<readonly string[]>;
}

/** @param baseFolder absolute; `millrace/` is made in it when something is trusted first */
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
        // A folder that is gone is forgotten by the path it had.
        const others = (await all()).filter((one) => one !== (real ?? workspace));
        const workspaces = isTrusted && real !== undefined ? [...others, real] : others;
        await writeFileAtomically(file, `${JSON.stringify({ version: 1, workspaces }, null, 2)}\n`);
      });
    },
  };
}

/** What lies in a workspace may be written by what runs in it; such a list cannot vouch for that workspace. */
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

/** Nobody is trusted by a list that cannot be understood. */
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
    message: `${workspace} is no folder that can be trusted. Check the path.`,
  });
}

function listInside(workspace: string, file: string): EngineError {
  return new EngineError({
    code: 'trust.list-inside',
    message: `${workspace} holds ${file}, the list of trusted folders, so it cannot stand in that list. Open a smaller folder, or start the run with --trust.`,
  });
}
