/**
 * Agents that may be shown and run without trust, independent of the caller.
 */
import { realpath } from 'node:fs/promises';
import { EngineError } from '../../base/engine-error.ts';
import type { AgentLocation } from '../../runtime/kernel/capabilities/capabilities.ts';
import { isWithin } from './script-paths.ts';

interface OpenFolders {
  readonly workspace: string;
  readonly baseFolder: string;
}

/**
 * Returns the real path of a pack's agent, or of a file inside the workspace or the base folder. A pack that is a
 * symbolic link out of the workspace counts as its target folder.
 * @throws EngineError `files.outside`
 */
export async function placeInside({ name, file, pack }: AgentLocation, folders: OpenFolders): Promise<string> {
  const real = await realpath(file);
  if (pack !== undefined && pack.leadsOut !== true) return real;
  for (const folder of [folders.workspace, folders.baseFolder]) {
    // The base folder may not exist yet.
    const realFolder = await realpath(folder).catch(() => undefined);
    if (realFolder !== undefined && isWithin(realFolder, real)) return real;
  }
  throw new EngineError({
    code: 'files.outside',
    message: `Agent "${name}" is outside of this workspace, or a link leads there. Copy it into the workspace, or trust the workspace in the settings.`,
  });
}
