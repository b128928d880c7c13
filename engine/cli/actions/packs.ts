/**
 * Implements `install`, `update`, `uninstall` and `unpack`.
 */
import { EngineError } from '../../base/engine-error.ts';
import { type FrozenReport, installFrozen } from '../../packs/pack/install/frozen-install.ts';
import { type InstallReport, installPack } from '../../packs/pack/install/installer.ts';
import type { InstallProgress } from '../../packs/pack/install/pack-source.ts';
import { uninstallPack } from '../../packs/pack/install/uninstall.ts';
import { unpackPack } from '../../packs/pack/install/unpack.ts';
import { type UpdateReport, updatePacks } from '../../packs/pack/install/update.ts';
import type { CliContext, GlobalOptions } from '../cli-context.ts';
import { exitCode, usageError } from '../exit-code.ts';
import { withPacks } from './with-packs.ts';

/** Options of `install`. */
export interface InstallFlags extends GlobalOptions {
  readonly force?: true;
  readonly frozen?: true;
}

/** Error codes for mistakes that the caller can fix. */
const mistakes = new Set([
  'cli.usage',
  'pack.bad-uri',
  'pack.bad-ref',
  'files.not-found',
  'pack.no-lock',
  'pack.bad-lock',
  'pack.newer-lock',
  'pack.lock-misfit',
  'pack.bad-declaration',
]);

/**
 * Installs a pack, or with `frozen` exactly the packs in the workspace's lock file. Relative paths are resolved against
 * the current folder.
 * @param uri undefined with `frozen`
 * @returns the exit code
 * @throws EngineError for an invalid URI, a missing file, or an unusable lock file
 */
export async function install(context: CliContext, uri: string | undefined, options: InstallFlags): Promise<number> {
  const onProgress = progressOn(context, options);
  try {
    if (options.frozen === true) {
      if (uri !== undefined || options.force === true)
        throw usageError('--frozen cannot be combined with a pack or with --force.');
      return await withPacks(context, options, {
        use: async ({ lock: _, ...call }) => await installFrozen({ ...call, onProgress }),
        lineOf: frozenLine,
      });
    }
    if (uri === undefined) throw usageError('Name a pack, or use --frozen to install the packs in packs.lock.');
    return await withPacks(context, options, {
      use: async (call) => {
        const report = await installPack(uri, { ...call, force: options.force === true, onProgress });
        if (report.lockProblem !== undefined) context.terminal.err(`note: ${report.lockProblem}`);
        return [report];
      },
      lineOf: installLine,
    });
  } catch (error) {
    if (!EngineError.is(error) || mistakes.has(error.code) || error.code === 'pack.not-allowed') throw error;
    context.terminal.err(`millrace: ${error.message}`);
    return exitCode.failed;
  }
}

function frozenLine({ ref, version, status }: FrozenReport): string {
  return status === 'installed' ? `Installed ${ref} ${version}` : `${ref} ${version} is already installed.`;
}

function installLine({ status, namespace, name, version, replacedVersion, folder }: InstallReport): string {
  const ref = `${namespace}@${name}`;
  if (status === 'up-to-date') return `${ref} ${replacedVersion} is already installed.`;
  const before = replacedVersion === undefined ? '' : `, replacing ${replacedVersion}`;
  return `Installed ${ref} ${version}${before}\n${folder}`;
}

const steps: Readonly<Record<InstallProgress['step'], string>> = {
  asking: 'Looking up the newest version',
  downloading: 'Downloading',
  cloning: 'Cloning',
  checking: 'Checking',
  unpacking: 'Unpacking',
  placing: 'Installing',
};

/** Reports each step on stderr, once. */
function progressOn({ terminal }: CliContext, { json }: GlobalOptions): (progress: InstallProgress) => void {
  let last: InstallProgress['step'] | undefined;
  return ({ step }) => {
    if (step === last || !terminal.isLive || json === true) return;
    last = step;
    terminal.err(terminal.colors.dim(`${steps[step]} …`));
  };
}

/**
 * Moves an installed pack to the trash.
 * @returns the exit code
 * @throws EngineError `pack.*` | `files.no-trash`
 */
export async function uninstall(context: CliContext, ref: string, options: GlobalOptions): Promise<number> {
  return await withPacks(context, options, {
    use: async (call) => {
      const report = await uninstallPack(ref, call);
      if (report.lockProblem !== undefined) context.terminal.err(`note: ${report.lockProblem}`);
      return [report];
    },
    lineOf: (report) => {
      const still = report.stillThere === undefined ? '' : `\nAnother copy remains: ${report.stillThere.folder}`;
      return `Moved ${report.ref} to the trash. Its stored data is kept.${still}`;
    },
  });
}

/**
 * Copies a pack into the workspace.
 * @returns the exit code
 * @throws EngineError `pack.*`
 */
export async function unpack(
  context: CliContext,
  ref: string,
  options: GlobalOptions & { readonly force?: true },
): Promise<number> {
  return await withPacks(context, options, {
    use: async (call) => [await unpackPack(ref, { ...call, force: options.force === true })],
    lineOf: (report) =>
      `Copied ${report.ref} ${report.version}. This workspace uses the copy from now on.\n${report.folder}`,
  });
}

/**
 * Installs newer versions of one pack, or of all packs.
 * @returns the exit code: 1 if one of them failed
 * @throws EngineError `pack.bad-ref` | `pack.not-found`
 */
export async function update(context: CliContext, ref: string | undefined, options: GlobalOptions): Promise<number> {
  let hasFailed = false;
  const code = await withPacks(context, options, {
    use: async (call) => {
      const reports = await updatePacks(ref, call);
      hasFailed = reports.some(({ status }) => status === 'failed');
      return reports;
    },
    lineOf: updateLine,
  });
  return hasFailed ? exitCode.failed : code;
}

function updateLine({ ref, status, from = '', to = '', error }: UpdateReport): string {
  switch (status) {
    case 'updated':
      return `${ref} ${from} → ${to}`;
    case 'up-to-date':
      return `${ref} ${from} is the newest version`;
    case 'no-source':
      return `${ref} ${from} is bundled with the program and is updated with it`;
    case 'failed':
      return `${ref} ${from} was not updated: ${error?.message ?? ''}`;
  }
}
