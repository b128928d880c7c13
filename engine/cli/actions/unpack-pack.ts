/**
 * What `unpack` does.
 */
import { unpackPack } from '../../pack/unpack.ts';
import type { CliContext, GlobalOptions } from '../cli-context.ts';
import { withPacks } from './with-packs.ts';

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
    tell: (report) =>
      `Copied ${report.ref} ${report.version}; this copy is the one that runs here from now on.\n${report.folder}`,
  });
}
