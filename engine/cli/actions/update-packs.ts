/**
 * What `update` does.
 */
import { type UpdateReport, updatePacks } from '../../pack/update.ts';
import type { CliContext, GlobalOptions } from '../cli-context.ts';
import { exitCode } from '../exit-code.ts';
import { withPacks } from './with-packs.ts';

/**
 * Installs newer versions of one pack, or of all.
 * @returns the exit code: 1 when one of them failed
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
    tell: told,
  });
  return hasFailed ? exitCode.failed : code;
}

function told({ ref, status, from = '', to = '', error }: UpdateReport): string {
  switch (status) {
    case 'updated':
      return `${ref} ${from} → ${to}`;
    case 'up-to-date':
      return `${ref} ${from} is the newest there is`;
    case 'no-source':
      return `${ref} ${from} came with the program and is updated with it`;
    case 'failed':
      return `${ref} ${from} stays as it is: ${error?.message ?? ''}`;
  }
}
