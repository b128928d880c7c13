/**
 * Initializes the base folder, which other programs may share. Our own files are in `millrace/`; elsewhere, only
 * missing files are added. Also creates `.aipack/`, which makes a folder a workspace for agents.
 */
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stringify } from 'smol-toml';
import type { AgentOptions } from '../../language/agent/agent-doc.ts';
import { writeFileAtomically } from '../../world/files/atomic-write.ts';
import { isMissing } from '../../world/files/file-error.ts';
import { installBuiltins } from './builtin-packs.ts';
import { writeIfMissing } from './new-files.ts';
import { installedShelf } from './pack-folders.ts';

/** Returns the default settings as a commented file. */
function defaultConfigText(defaults: AgentOptions): string {
  return `# The defaults of Millrace. Each version replaces this file: change config-user.toml in the parent folder instead.

${stringify({ options: { ...defaults } })}`;
}

/** Template for the user's own settings. All of it is commented out, so that nothing changes until it is edited. */
const userConfigText = `# Your own settings. They apply in all workspaces. Millrace never overwrites this file.

# [options]
# model = "openai::gpt-5.6-luna"
# temperature = 0.7
# input_concurrency = 4

# Short names for models. Agents can use them, with the suffix -low, -medium or -high for the amount of thinking.
# [options.model_aliases]
# best = "anthropic::claude-opus-5"

# A custom provider. Its key belongs in the environment or in the vault, never in this file.
# [providers.local]
# kind = "openai-compatible"
# base_url = "http://127.0.0.1:1234/v1"
# api_key_env = "LOCAL_API_KEY"
`;

/** Template for a workspace's settings. */
const workspaceConfigText = `# Settings of this workspace. They override your own (config-user.toml), and the options of an agent override them.

# [options]
# model = "mini"
# input_concurrency = 4

# [options.model_aliases]
# best = "anthropic::claude-opus-5"
`;

interface InitBaseOptions {
  /** Absolute path of the base folder. */
  readonly baseFolder: string;
  /** Version of this program. The folder is checked if this differs from the version that checked it last. */
  readonly version: string;
  /** Default settings, written to a file for reference. */
  readonly defaults: AgentOptions;
  /** Absolute path of the folder with the built-in packs as `namespace/name`; absent if there are none. */
  readonly resources?: string;
  /** Whether to check the folder regardless of the version and restore built-in packs that were removed. */
  readonly force?: boolean;
}

export interface InitBaseReport {
  /** False if this version has already checked the folder. */
  readonly isChecked: boolean;
  /** Files that were written, relative to the base folder with forward slashes. */
  readonly files: readonly string[];
  /** Built-in packs that were written, as `namespace@name`. */
  readonly packs: readonly string[];
}

/**
 * Initializes the base folder for this version. Returns quickly if that has already been done.
 * @throws EngineError `pack.*` for an invalid built-in pack; the system's error
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
  // Written last, so that an interrupted initialization is repeated at the next start.
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
 * Creates `.aipack/` with template settings. Existing files are not changed.
 * @param workspace absolute; created if missing
 * @returns paths that were written, relative to the workspace with forward slashes
 * @throws the system's error
 */
export async function initWorkspace(workspace: string): Promise<readonly string[]> {
  const isWritten = await writeIfMissing(join(workspace, '.aipack', 'config.toml'), workspaceConfigText);
  return isWritten ? ['.aipack/config.toml'] : [];
}
