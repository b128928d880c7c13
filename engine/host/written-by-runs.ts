/**
 * What runs of a workspace have written, for those who write, load and ask about it.
 */
import { isAbsolute, resolve } from 'node:path';
import type { FindUnseen } from '../executor/unseen-texts.ts';
import { WrittenFiles, type WrittenFilesOptions } from '../files/written-files.ts';
import type { DecidingFiles } from '../governance/deciding-places.ts';
import type { PolicySource } from '../governance/layered-policy.ts';
import type { WrittenByRuns } from '../script/script-host-options.ts';

interface WrittenPlace extends WrittenFilesOptions {
  /** Absolute. */
  readonly workspace: string;
  readonly deciding: DecidingFiles;
  readonly policies: PolicySource;
}

/** Makes what notes writes and knows what no person has seen. */
export function createWrittenByRuns({ workspace, deciding, policies, ...options }: WrittenPlace) {
  const written = new WrittenFiles(options);
  const mayDecide = (): boolean =>
    policies().some(({ policy }) =>
      [policy, ...(policy?.byProduct?.values() ?? [])].some((one) => one?.mayWrite !== undefined),
    );
  const unseen: FindUnseen = (path, text) => written.find(isAbsolute(path) ? path : resolve(workspace, path), text);
  const forScripts: WrittenByRuns = {
    isUnseen: (path, text) => unseen(path, text) !== undefined,
    async noting(reals, work) {
      const isLookedAt = mayDecide();
      const noted = await Promise.all(
        reals.map(async (real) => {
          const decides = isLookedAt ? await deciding.find(real, 'arrive') : undefined;
          return { real, ...(decides === undefined ? {} : { decides: decides.what }) };
        }),
      );
      return await written.noting(noted, work);
    },
  };
  return { written, unseen, forScripts };
}
