/**
 * Implements `pack`.
 */
import { statSync } from 'node:fs';
import path from 'node:path';
import { packFolder } from '../../packs/pack/install/packer.ts';
import { suggestedManifest, writeNewFiles } from '../../packs/pack/new-files.ts';
import type { CliContext, GlobalOptions } from '../cli-context.ts';
import { exitCode, usageError } from '../exit-code.ts';
import { askPerson } from './ask-person.ts';
import { printEach } from './with-packs.ts';

/** Options of `pack`. */
export interface PackOptions extends GlobalOptions {
  readonly output?: string;
  readonly yes?: true;
}

const manifest = 'pack.toml';

/**
 * Writes the archive of a pack folder. If the manifest is missing, it is created after the user agrees.
 * @returns the exit code
 * @throws EngineError `cli.usage` | `pack.*`
 */
export async function packOneFolder(context: CliContext, shown: string, options: PackOptions): Promise<number> {
  const folder = path.resolve(context.folder, shown);
  const stats = statSync(folder, { throwIfNoEntry: false });
  if (stats?.isDirectory() !== true) throw usageError(`Folder ${shown} does not exist. Specify a pack folder.`);
  if (!(await hasManifest(context, { folder, shown }, options))) return exitCode.refused;
  const { manifest: pack, ...report } = await packFolder(folder, path.resolve(context.folder, options.output ?? '.'));
  const { namespace, name, version } = pack;
  printEach(context, options, {
    values: [{ ref: `${namespace}@${name}`, version, ...report }],
    lineOf: ({ ref, file, files, archiveBytes, sha256 }) =>
      `Packed ${ref} ${version}: ${files} ${files === 1 ? 'file' : 'files'}, ${archiveBytes} bytes\n${file}\nsha256 ${sha256}`,
  });
  return exitCode.ok;
}

async function hasManifest(
  { terminal }: CliContext,
  { folder, shown }: { readonly folder: string; readonly shown: string },
  { yes }: PackOptions,
): Promise<boolean> {
  if (statSync(path.join(folder, manifest), { throwIfNoEntry: false }) !== undefined) return true;
  const text = suggestedManifest(folder);
  terminal.err(`${shown} has no ${manifest}. Suggested content:\n\n${text}`);
  if (yes !== true) {
    const answer = await askPerson('Write it and pack? [y/N] ');
    if (answer === undefined) terminal.err('millrace: create the file, or add --yes to use the suggested content.');
    if (answer !== true) return false;
  }
  await writeNewFiles(folder, [{ path: manifest, text }]);
  return true;
}
