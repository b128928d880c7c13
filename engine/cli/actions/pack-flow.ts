/**
 * Flows that packs have.
 */
import { resolvePackPath } from '../../pack/pack-locator.ts';
import type { CliContext } from '../cli-context.ts';
import { usageError } from '../exit-code.ts';
import { packWorldOf } from './with-packs.ts';

/**
 * Where the file of a pack's flow lies, absolute.
 * @param ref `namespace@pack/path/NAME.flow.yaml`
 * @throws EngineError `pack.bad-ref` | `pack.not-found`; `cli.usage` for a reference to a pack's data
 */
export async function packFlow(
  context: CliContext,
  { ref, workspace }: { readonly ref: string; readonly workspace: string },
): Promise<string> {
  if (ref.includes('$')) throw usageError(`${ref} names data of a pack. A flow stands in the pack itself.`);
  const { baseFolder } = packWorldOf(context, { workspace });
  return await resolvePackPath(ref, { workspace, baseFolder });
}
