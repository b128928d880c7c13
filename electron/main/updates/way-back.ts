/**
 * Goes back to the previous version if this one fails to start.
 */
import type { InstallPackage, PackageInstallResult } from './install-package.ts';
import { installStoredPackage, type StoredUpdatePackages } from './kept-packages.ts';
import type { UpdateSource } from './update-source.ts';

export interface UpdateRollback {
  readonly version: string;
  /**
   * Installs the previous version and marks this one as failed.
   * @throws EngineError `update.bad-hash` | `update.not-installed`
   */
  go(): Promise<PackageInstallResult>;
}

interface WayBackParts {
  readonly kept: StoredUpdatePackages;
  readonly source: UpdateSource;
  /** Version of this program. */
  readonly version: string;
  readonly install: InstallPackage | undefined;
}

/** Returns undefined if no package of a previous version is stored, or this program cannot install one. */
export function findUpdateRollback({
  kept,
  source: { kind },
  version,
  install,
}: WayBackParts): UpdateRollback | undefined {
  const former = kind === undefined ? undefined : kept.before(version, kind);
  if (former === undefined || install === undefined) return undefined;
  return {
    version: former.version,
    async go() {
      const ended = await installStoredPackage(kept, former, { install, isOlder: true });
      if (ended.is !== 'refused') kept.noteFailure(version);
      return ended;
    },
  };
}
