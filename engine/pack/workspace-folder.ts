/**
 * What makes a folder a workspace for agents: `.aipack/`.
 */
import { join } from 'node:path';
import { workspaceConfigText } from './config-texts.ts';
import { writeIfMissing } from './write-once.ts';

/**
 * Makes `.aipack/` with settings to fill in. What is there already stays as it is.
 * @param workspace absolute; made when it is missing
 * @returns paths that were written, relative to the workspace with `/`
 * @throws the system's error
 */
export async function initWorkspace(workspace: string): Promise<readonly string[]> {
  const isWritten = await writeIfMissing(join(workspace, '.aipack', 'config.toml'), workspaceConfigText);
  return isWritten ? ['.aipack/config.toml'] : [];
}
