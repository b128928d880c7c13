/**
 * Provides the environment for pack commands, which need neither an engine nor a history.
 */

import { baseFolderOf } from '../../packs/pack/pack-folders.ts';
import { createPackService, installWorldOf, type PackServiceOptions } from '../../packs/pack-service.ts';
import { createTeamSource } from '../../packs/team/find-team.ts';
import { cancelOnSignals } from '../cancel-on-signals.ts';
import { type CliContext, type GlobalOptions, resolveWorkspace } from '../cli-context.ts';
import { exitCode } from '../exit-code.ts';

/** Arguments of the functions that handle packs. */
type PackCall = ReturnType<typeof installWorldOf> & {
  readonly workspace: string;
  /** Aborts when the user presses Ctrl-C. */
  readonly signal: AbortSignal;
};

/** Returns the folders that this call uses. */
export function packWorldOf(context: CliContext, options: GlobalOptions): PackServiceOptions {
  const { env } = process;
  const { clock, builtInPacks } = context;
  const workspace = resolveWorkspace(context, options);
  const baseFolder = baseFolderOf(env);
  return { workspace, baseFolder, env, clock, builtInPacks, team: createTeamSource({ env, baseFolder }) };
}

/**
 * Calls `use` after the bundled packs are installed. Ctrl-C aborts it.
 * @param options with `json`, prints each value of `use` as a line of JSON, otherwise as formatted by `lineOf`
 * @returns the exit code
 * @throws errors of `use`
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

/** Prints each value as a line of JSON or as text. */
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

/** Aborts the work on Ctrl-C. */
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
