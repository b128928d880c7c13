/**
 * What `uninstall` does.
 */
import { uninstallPack } from '../../pack/uninstall.ts';
import type { CliContext, GlobalOptions } from '../cli-context.ts';
import { withPacks } from './with-packs.ts';

/**
 * Moves an installed pack to the trash.
 * @returns the exit code
 * @throws EngineError `pack.*` | `files.no-trash`
 */
export async function uninstall(context: CliContext, ref: string, options: GlobalOptions): Promise<number> {
  return await withPacks(context, options, {
    use: async (call) => [await uninstallPack(ref, call)],
    tell: (report) => {
      const still = report.stillThere === undefined ? '' : `\nStill there: ${report.stillThere.folder}`;
      return `Moved ${report.ref} to the trash. What it has kept as data stays.${still}`;
    },
  });
}
