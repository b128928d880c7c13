/**
 * Implements `init` and `init-base`.
 */
import { mkdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { initWorkspace } from '../../packs/pack/base-folder.ts';
import { writeIfMissing } from '../../packs/pack/new-files.ts';
import { setUpBase } from '../../packs/pack-service.ts';
import type { CliContext, GlobalOptions } from '../cli-context.ts';
import { usageError } from '../exit-code.ts';
import { packWorldOf, printEach } from './with-packs.ts';

export type InitFlags = GlobalOptions & { readonly skill?: true };

/** Where coding agents look for skills: the common place, and that of Claude Code. */
const skillFiles = ['.agents/skills/millrace/SKILL.md', '.claude/skills/millrace/SKILL.md'];

/**
 * Sets up a folder as a workspace for agents, and the base folder.
 * @param shown path relative to the current folder; the folder is created if it does not exist
 * @throws EngineError `cli.usage` if the program has no skill; the system's error
 */
export async function init(context: CliContext, shown: string, options: InitFlags): Promise<void> {
  const workspace = path.resolve(context.folder, shown);
  mkdirSync(workspace, { recursive: true });
  await setUpBase(packWorldOf(context, { ...options, workspace }), { force: false });
  const skill = options.skill === true ? await writeSkill(context, workspace) : [];
  const files = [...(await initWorkspace(workspace)), ...skill];
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

/** Writes the skill where it is missing. Returns the written files. */
async function writeSkill({ builtInPacks }: CliContext, workspace: string): Promise<readonly string[]> {
  if (builtInPacks === undefined) throw usageError('This program came without its skill. Install Millrace again.');
  const text = await readFile(path.resolve(builtInPacks, '../skill/SKILL.md'), 'utf8');
  const written: string[] = [];
  for (const file of skillFiles) if (await writeIfMissing(path.join(workspace, file), text)) written.push(file);
  return written;
}
