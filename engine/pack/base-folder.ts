/**
 * The base folder, which another program may use as well: our own files lie in `millrace/`; of the rest we add what is
 * missing, and change nothing that is there. And `.aipack/`, which makes a folder a workspace for agents.
 */
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stringify } from 'smol-toml';
import type { AgentOptions } from '../agent/agent-doc.ts';
import { writeFileAtomically } from '../files/atomic-write.ts';
import { isMissing } from '../files/file-error.ts';
import { installBuiltins } from './builtin-packs.ts';
import { writeIfMissing } from './new-files.ts';
import { installedShelf } from './pack-folders.ts';

/** Our own defaults, as a file that shows them. */
function defaultConfigText(defaults: AgentOptions): string {
  return `# The defaults of Millrace. This file is written anew with each version: change config-user.toml in the folder above.

${stringify({ options: { ...defaults } })}`;
}

/** A person's own settings: all in comments, so that nothing changes before they do. */
const userConfigText = `# Your own settings. They hold in all workspaces; this file is never overwritten.

# [options]
# model = "openai::gpt-5.6-luna"
# temperature = 0.7
# input_concurrency = 4

# Short names for models; agents may use them, with -low, -medium or -high behind for how much the model is to think.
# [options.model_aliases]
# best = "anthropic::claude-opus-5"

# A provider of your own. The key stands in the environment or in the vault, never here.
# [providers.local]
# kind = "openai-compatible"
# base_url = "http://127.0.0.1:1234/v1"
# api_key_env = "LOCAL_API_KEY"
`;

/** The settings of a workspace. */
const workspaceConfigText = `# Settings of this workspace. They come after your own (config-user.toml) and before what an agent says of itself.

# [options]
# model = "mini"
# input_concurrency = 4

# [options.model_aliases]
# best = "anthropic::claude-opus-5"
`;

interface InitBaseOptions {
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
  const packs = resources === undefined ? [] : await installBuiltins(baseFolder, resources, { isForced: force });
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
