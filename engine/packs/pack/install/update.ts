/**
 * Updates installed packs from their original sources.
 */
import { EngineError, type ErrorRecord, toErrorRecord } from '../../../base/engine-error.ts';
import type { PackFolders } from '../pack-folders.ts';
import { listPacks, type PackInfo } from '../pack-locator.ts';
import { type PackManifest, readPackManifest } from '../pack-manifest.ts';
import { identityOf, parsePackRef } from '../pack-ref.ts';
import { compareVersions } from '../pack-version.ts';
import { installFrom, type PackInstallOptions } from './installer.ts';
import { findLatest, repositoryOf, uriOf } from './pack-repository.ts';

export interface UpdateReport {
  /** Reference of the pack, as `namespace@name`. */
  readonly ref: string;
  /** `no-source` means that the source is unknown, as for built-in packs. */
  readonly status: 'updated' | 'up-to-date' | 'no-source' | 'failed';
  /** Version that was installed before; absent if its manifest is unreadable. */
  readonly from?: string;
  readonly to?: string;
  readonly error?: ErrorRecord;
}

/** An available update, for display. */
interface NewerVersion {
  readonly ref: string;
  readonly from: string;
  readonly to: string;
}

/**
 * Updates one installed pack or all of them, one after the other. A pack that fails is unchanged and does not affect
 * others.
 * @param ref `namespace@name`; undefined for all
 * @throws EngineError `pack.bad-ref` | `pack.not-found`; the signal's reason
 */
export async function updatePacks(
  ref: string | undefined,
  options: PackInstallOptions & PackFolders,
): Promise<readonly UpdateReport[]> {
  const packs = await installedPacks(ref, options);
  const reports: UpdateReport[] = [];
  for (const pack of packs) {
    options.signal.throwIfAborted();
    reports.push(await updateOne(pack, options));
  }
  return reports;
}

/** Returns the packs with a newer version in their repository. Packs with an unreachable repository are omitted. */
export async function findUpdates(options: PackInstallOptions & PackFolders): Promise<readonly NewerVersion[]> {
  const newer: NewerVersion[] = [];
  for (const { folder, ref } of await installedPacks(undefined, options)) {
    try {
      const manifest = await readPackManifest(folder);
      const to = await latestOf(manifest, options);
      if (to !== undefined && compareVersions(to, manifest.version) > 0)
        newer.push({ ref, from: manifest.version, to });
    } catch (error) {
      options.signal.throwIfAborted();
      if (!EngineError.is(error)) throw error;
    }
  }
  return newer;
}

async function installedPacks(ref: string | undefined, folders: PackFolders): Promise<readonly PackInfo[]> {
  const wanted = ref === undefined ? undefined : identityOf(parsePackRef(ref));
  const packs = (await listPacks(folders, wanted)).filter(({ origin }) => origin === 'installed');
  if (wanted === undefined || packs.length > 0) return packs;
  throw new EngineError({
    code: 'pack.not-found',
    message: `${wanted} is not installed, so it cannot be updated.`,
    details: { ref: wanted },
  });
}

async function updateOne({ ref, folder, version }: PackInfo, options: PackInstallOptions): Promise<UpdateReport> {
  const from = version === undefined ? {} : { from: version };
  try {
    const manifest = await readPackManifest(folder);
    const uri = uriOf(manifest, options.repository);
    if (uri === undefined) return { ref, status: 'no-source', ...from };
    // Version information is requested before anything is downloaded.
    const latest = await latestOf(manifest, options);
    if (latest !== undefined && compareVersions(latest, manifest.version) <= 0) {
      return { ref, status: 'up-to-date', ...from };
    }
    const repository = repositoryOf(manifest, options.repository);
    const settings = {
      ...options,
      ...lockOf(options),
      expected: ref,
      ...(repository === undefined ? {} : { repository, otherRepositories: [] }),
    };
    const report = await installFrom(uri, ref, settings);
    if (report.status === 'up-to-date') return { ref, status: 'up-to-date', ...from };
    return { ref, status: 'updated', ...from, to: report.version };
  } catch (error) {
    options.signal.throwIfAborted();
    if (!EngineError.is(error)) throw error;
    if (error.code === 'pack.older-version') return { ref, status: 'up-to-date', ...from };
    return { ref, status: 'failed', ...from, error: toErrorRecord(error) };
  }
}

/**
 * Returns the lock options for an update. All workspaces share installed packs, so a workspace's lock records only
 * packs that it already contains.
 */
function lockOf({ lock }: PackInstallOptions): Pick<PackInstallOptions, 'lock'> {
  return lock === undefined ? {} : { lock: { ...lock, isForKnown: true } };
}

async function latestOf(manifest: PackManifest, options: PackInstallOptions): Promise<string | undefined> {
  const repository = repositoryOf(manifest, options.repository);
  return repository === undefined ? undefined : (await findLatest(repository, manifest, options)).version;
}
