/**
 * What commands about packs work with. They need no engine and no history.
 */

import { createPackService, installWorldOf, type PackServiceOptions } from '../../host/pack-service.ts';
import { baseFolderOf } from '../../pack/pack-folders.ts';
import { createTeamSource } from '../../team/find-team.ts';
import { cancelOnSignals } from '../cancel-on-signals.ts';
import { type CliContext, type GlobalOptions, resolveWorkspace } from '../cli-context.ts';
import { exitCode } from '../exit-code.ts';

/** What the functions of packs are handed. */
type PackCall = ReturnType<typeof installWorldOf> & {
  readonly workspace: string;
  /** Aborts when the person presses Ctrl-C. */
  readonly signal: AbortSignal;
};

/** The folders of this call. */
export function packWorldOf(context: CliContext, options: GlobalOptions): PackServiceOptions {
  const { env } = process;
  const { clock, builtInPacks } = context;
  const workspace = resolveWorkspace(context, options);
  const baseFolder = baseFolderOf(env);
  return { workspace, baseFolder, env, clock, builtInPacks, team: createTeamSource({ env, baseFolder }) };
}

/**
 * Calls `use` when the packs that come with the program are in their place. Ctrl-C stops it.
 * @param options with `json`, a line of JSON for each of what `use` gives, else what `lineOf` makes of it
 * @returns the exit code
 * @throws what `use` throws
 */
export async function withPacks<T>(
  context: CliContext,
  options: GlobalOptions,
  { use, lineOf }: { readonly use: (call: PackCall) => Promise<readonly T[]>; readonly lineOf: (one: T) => string },
): Promise<number> {
  const world = packWorldOf(context, options);
  await createPackService(world).whenReady();
  return await cancellable(context, async (signal) => {
    const call = { ...installWorldOf(world), workspace: world.workspace, folder: context.folder, signal };
    printEach(context, options, { values: await use(call), lineOf });
  });
}

/** Prints each of some values as a line of JSON, or in words. */
export function printEach<T>(
  { terminal }: CliContext,
  { json }: { readonly json?: true | undefined },
  { values, lineOf }: { readonly values: readonly T[]; readonly lineOf: (one: T) => string },
): void {
  for (const value of values) {
    if (json === true) terminal.json(`${JSON.stringify(value)}\n`);
    else terminal.out(`${lineOf(value)}\n`);
  }
}

/** Ctrl-C asks the work to stop. */
async function cancellable(context: CliContext, work: (signal: AbortSignal) => Promise<void>): Promise<number> {
  const controller = new AbortController();
  const signals = cancelOnSignals(context, () => controller.abort());
  try {
    await work(controller.signal);
    return exitCode.ok;
  } catch (thrown) {
    if (controller.signal.aborted) return exitCode.cancelled;
    throw thrown;
  } finally {
    signals.stop();
  }
}
