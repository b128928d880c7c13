/**
 * The base folder, which another program may use as well: our own files lie in `millrace/`; of the rest we add what is
 * missing, and change nothing that is there.
 */
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { AgentOptions } from '../agent/agent-doc.ts';
import { writeFileAtomically } from '../files/atomic-write.ts';
import { isMissing } from '../files/file-error.ts';
import { installBuiltins } from './builtin-packs.ts';
import { defaultConfigText, userConfigText } from './config-texts.ts';
import { installedShelf } from './pack-folders.ts';
import { writeIfMissing } from './write-once.ts';

export interface InitBaseOptions {
  /** Absolute. */
  readonly baseFolder: string;
  /** Of this program; the folder is looked over when it differs from the one of last time. */
  readonly version: string;
  /** What holds without any settings; written down for people to see. */
  readonly defaults: AgentOptions;
  /** Absolute; holds the built-in packs as `namespace/name`. Absent = there are none. */
  readonly resources?: string;
  /** Look the folder over whatever the version, and put back built-in packs that were removed. */
  readonly force?: boolean;
}

export interface InitBaseReport {
  /** False: this version has been here before, so nothing was looked at. */
  readonly isChecked: boolean;
  /** Files that were written, relative to the base folder with `/`. */
  readonly files: readonly string[];
  /** Built-in packs that were written, as `namespace@name`. */
  readonly packs: readonly string[];
}

/**
 * Makes the base folder what this version needs. Quick when that was done before.
 * @throws EngineError `pack.*` for a broken built-in pack; the system's error
 */
export async function initBase(options: InitBaseOptions): Promise<InitBaseReport> {
  const { baseFolder, version, resources, force = false } = options;
  const own = join(baseFolder, 'millrace');
  const versionFile = join(own, 'version');
  if (!force && (await firstLineOf(versionFile)) === version) return { isChecked: false, files: [], packs: [] };
  for (const folder of [own, join(baseFolder, 'pack', 'custom'), installedShelf(baseFolder)]) {
    await mkdir(folder, { recursive: true });
  }
  const files = ['millrace/config-default.toml'];
  await writeFileAtomically(join(own, 'config-default.toml'), defaultConfigText(options.defaults));
  if (await writeIfMissing(join(baseFolder, 'config-user.toml'), userConfigText)) files.push('config-user.toml');
  const packs = resources === undefined ? [] : await installBuiltins(baseFolder, resources, force);
  // Last, so that whatever was cut off is done again next time.
  await writeFileAtomically(versionFile, `${version}\n`);
  return { isChecked: true, files: [...files, 'millrace/version'], packs };
}

async function firstLineOf(file: string): Promise<string | undefined> {
  try {
    return (await readFile(file, 'utf8')).split('\n')[0]?.trim();
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}
