/**
 * Implements `init` and `init-base`.
 */
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { initWorkspace } from '../../packs/pack/base-folder.ts';
import { setUpBase } from '../../packs/pack-service.ts';
import type { CliContext, GlobalOptions } from '../cli-context.ts';
import { packWorldOf, printEach } from './with-packs.ts';

/**
 * Sets up a folder as a workspace for agents, and the base folder.
 * @param shown path relative to the current folder; the folder is created if it does not exist
 * @throws the system's error
 */
export async function init(context: CliContext, shown: string, options: GlobalOptions): Promise<void> {
  const workspace = path.resolve(context.folder, shown);
  mkdirSync(workspace, { recursive: true });
  await setUpBase(packWorldOf(context, { ...options, workspace }), { force: false });
  const files = await initWorkspace(workspace);
  const lineOf = (): string =>
    files.length === 0
      ? `${workspace} is already a workspace.`
      : `${workspace} is now a workspace: ${files.join(', ')}`;
  printEach(context, options, { values: [{ workspace, files }], lineOf });
}

/**
 * Checks the base folder and restores missing bundled files and packs.
 * @throws EngineError `pack.*`; the system's error
 */
export async function initBaseFolder(context: CliContext, options: GlobalOptions): Promise<void> {
  const world = packWorldOf(context, options);
  const { files, packs } = await setUpBase(world, { force: true });
  const { baseFolder } = world;
  const lineOf = (): string => [`${baseFolder} is complete.`, ...files, ...packs].join('\n  ');
  printEach(context, options, { values: [{ baseFolder, files, packs }], lineOf });
}
