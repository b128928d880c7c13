/**
 * What `install` does.
 */
import { EngineError } from '../../base/engine-error.ts';
import { type InstallReport, installPack } from '../../pack/installer.ts';
import type { InstallProgress } from '../../pack/pack-source.ts';
import type { CliContext, GlobalOptions } from '../cli-context.ts';
import { exitCode } from '../exit-code.ts';
import { withPacks } from './with-packs.ts';

/** Flags of `install`. */
export interface InstallFlags extends GlobalOptions {
  readonly force?: true;
}

/** What the caller could have written otherwise. */
const mistakes = new Set(['cli.usage', 'pack.bad-uri', 'pack.bad-ref', 'files.not-found']);

/**
 * Installs a pack. A relative path starts where all relative paths do.
 * @returns the exit code
 * @throws EngineError for an address that is none, or a file that is not there
 */
export async function install(context: CliContext, uri: string, options: InstallFlags): Promise<number> {
  const force = options.force === true;
  try {
    return await withPacks(context, options, {
      use: async (call) => [await installPack(uri, { ...call, force, onProgress: progressOn(context, options) })],
      tell: told,
    });
  } catch (error) {
    if (!EngineError.is(error) || mistakes.has(error.code)) throw error;
    context.terminal.err(`millrace: ${error.message}`);
    return exitCode.failed;
  }
}

function told({ status, namespace, name, version, replacedVersion, folder }: InstallReport): string {
  const ref = `${namespace}@${name}`;
  if (status === 'up-to-date') return `${ref} ${replacedVersion} is installed already.`;
  const before = replacedVersion === undefined ? '' : `, in the place of ${replacedVersion}`;
  return `Installed ${ref} ${version}${before}\n${folder}`;
}

const steps: Readonly<Record<InstallProgress['step'], string>> = {
  asking: 'Asking for the newest version',
  downloading: 'Downloading',
  cloning: 'Cloning',
  checking: 'Checking',
  unpacking: 'Unpacking',
  placing: 'Putting it in place',
};

/** Says on a screen what is being done, each step once. */
function progressOn({ terminal }: CliContext, { json }: GlobalOptions): (progress: InstallProgress) => void {
  let last: InstallProgress['step'] | undefined;
  return ({ step }) => {
    if (step === last || !terminal.isLive || json === true) return;
    last = step;
    terminal.err(terminal.colors.dim(`${steps[step]} …`));
  };
}
