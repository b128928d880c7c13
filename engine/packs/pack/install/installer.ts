/**
 * Installs packs: fetches and validates a pack, compares versions, and moves it into place. The installed pack is
 * unchanged until the last step.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { EngineError } from '../../../base/engine-error.ts';
import { systemCodeOf } from '../../../world/files/file-error.ts';
import type { TrashWorld } from '../../../world/files/trash.ts';
import { hashContent, listPackFiles } from '../pack-contents.ts';
import { downloadFolder, installedShelf } from '../pack-folders.ts';
import {
  localTimestamp,
  manifestName,
  type PackManifest,
  readPackManifest,
  withInstalledRecord,
} from '../pack-manifest.ts';
import { identityOf } from '../pack-ref.ts';
import { checkInstallable, compareVersions } from '../pack-version.ts';
import { changePacksLock, isSameEntry, type LockedPack, lockedFileSource, readPacksLock } from '../packs-lock.ts';
import { type FetchedPack, fetchPack, type SourceOptions } from './pack-source.ts';
import { inWorkFolder, removeStaleWork, swapInto } from './pack-swap.ts';
import { type PackUri, parsePackUri } from './pack-uri.ts';

/** A pack that is about to be installed; the caller may reject it. */
export interface PackCandidate {
  /** Reference of the pack, as `namespace@name`. */
  readonly ref: string;
  readonly version: string;
  /** Hash of the content; see `hashContent`. */
  readonly sha256: string;
}

export interface PackInstallOptions extends SourceOptions, TrashWorld {
  readonly baseFolder: string;
  /** Absolute base folder of a relative archive path. */
  readonly folder: string;
  /** Whether to install regardless of the installed version. */
  readonly force?: boolean;
  /** `namespace@name` of the required pack; absent for any. */
  readonly expected?: string;
  /** The workspace lock that records the installation; absent if no lock does. */
  readonly lock?: {
    /** Absolute path of the workspace. */
    readonly workspace: string;
    /** Whether to record only packs that are already in the lock. */
    readonly isForKnown?: true;
  };
  /** The required version and content, which may replace a newer version. */
  readonly exact?: Pick<LockedPack, 'version' | 'sha256'>;
  /** Throws if the pack must not be installed here. */
  readonly admit?: (pack: PackCandidate) => void;
}

export interface InstallReport {
  /** `up-to-date` if this version was already installed and nothing changed. */
  readonly status: 'installed' | 'up-to-date';
  readonly namespace: string;
  readonly name: string;
  readonly version: string;
  /** Absolute path of the installed pack. */
  readonly folder: string;
  /** Total size of its files in bytes. */
  readonly sizeBytes: number;
  readonly archiveBytes?: number;
  /** The version that was replaced. */
  readonly replacedVersion?: string;
  /** Hash of the installed content; see `hashContent`. */
  readonly sha256: string;
  /** Why the workspace's lock could not be updated. */
  readonly lockProblem?: string;
}

/**
 * Installs a pack.
 * @param text `namespace@name`, the URL of an archive or Git repository, or the path of an archive
 * @throws EngineError `pack.bad-uri` | `pack.bad-manifest` | `pack.no-manifest` | `pack.bad-prerelease` |
 * `pack.older-version` | `pack.not-found` | `pack.unsafe-archive` | `pack.unsafe-folder` | `pack.bad-archive` |
 * `pack.not-an-archive` | `pack.too-large` | `pack.timeout` | `pack.download-failed` | `pack.bad-repository` |
 * `pack.other-pack` | `pack.no-git` | `pack.git-failed` | `pack.install-failed` | `pack.bad-lock` | `pack.newer-lock` |
 * `pack.changed` if the content differs from `exact` | `files.*` | `web.*`; the signal's reason; errors of `admit`. An
 * installed pack is then unchanged.
 */
export async function installPack(text: string, options: PackInstallOptions): Promise<InstallReport> {
  return await installFrom(parsePackUri(text, options.folder), text, options);
}

/** Installs a pack like `installPack`, but from a parsed URI. */
export async function installFrom(uri: PackUri, shown: string, options: PackInstallOptions): Promise<InstallReport> {
  const downloads = downloadFolder(options.baseFolder);
  // Reports an unreadable lock before anything is changed.
  if (options.lock !== undefined) await readPacksLock(options.lock.workspace);
  await removeStaleWork(downloads, options.clock.now());
  return await inWorkFolder(downloads, async (workFolder) => {
    try {
      const pack = await fetchPack(uri, workFolder, options);
      const report = await place(pack, workFolder, options);
      return { ...report, ...(await noteInLock({ pack, report, uri }, options)) };
    } catch (error) {
      options.signal.throwIfAborted();
      throw systemCodeOf(error) === undefined ? error : installFailed(shown, error);
    }
  });
}

async function place(pack: FetchedPack, workFolder: string, options: PackInstallOptions): Promise<InstallReport> {
  const { manifest, archiveBytes } = pack;
  const { namespace, name, version } = manifest;
  checkInstallable(version);
  if (options.expected !== undefined && options.expected !== identityOf(manifest))
    throw otherPack(pack, options.expected);
  const target = join(installedShelf(options.baseFolder), namespace, name);
  options.onProgress?.({ step: 'unpacking' });
  const staged = join(workFolder, 'staged');
  await pack.writeTo(staged);
  const sha256 = await hashContent(staged);
  checkContent(pack, sha256, options);
  const before = await installedVersion(target);
  const report = {
    ...{ namespace, name, version, sha256 },
    folder: target,
    ...(archiveBytes === undefined ? {} : { archiveBytes }),
    ...(before === undefined ? {} : { replacedVersion: before }),
  };
  const isForced = options.force === true || options.exact !== undefined;
  if (before !== undefined && !isForced && !isNewer(version, before)) {
    return { ...report, status: 'up-to-date', sizeBytes: await sizeOf(target) };
  }
  await writeRecord(staged, pack, options);
  const sizeBytes = await sizeOf(staged);
  options.signal.throwIfAborted();
  options.onProgress?.({ step: 'placing' });
  await swapInto(staged, target, { ...options, workFolder });
  return { ...report, status: 'installed', sizeBytes };
}

/** @throws EngineError `pack.changed`; errors of `admit` */
function checkContent({ manifest, source }: FetchedPack, sha256: string, { exact, admit }: PackInstallOptions): void {
  const { version } = manifest;
  const ref = identityOf(manifest);
  if (exact !== undefined && (exact.version !== version || exact.sha256 !== sha256)) {
    throw new EngineError({
      code: 'pack.changed',
      message: `${source} returned ${ref} ${version} with hash ${sha256}, but ${exact.version} with hash ${exact.sha256} was expected. Nothing was installed. Find out why it changed before you install it again.`,
      details: { ref, version, sha256 },
    });
  }
  admit?.({ ref, version, sha256 });
}

interface InstalledPackResult {
  readonly pack: FetchedPack;
  readonly report: InstallReport;
  readonly uri: PackUri;
}

/**
 * Records an installed pack in the lock. A lock that is not writable is reported but does not undo the installation.
 */
async function noteInLock(
  { pack, report, uri }: InstalledPackResult,
  { lock, ...options }: PackInstallOptions,
): Promise<Pick<InstallReport, 'lockProblem'>> {
  if (lock === undefined) return {};
  const { version, sha256 } = report;
  const entry: LockedPack = {
    ...{ ref: identityOf(report), version, sha256 },
    source: uri.kind === 'local' ? await lockedFileSource(uri.file, lock.workspace) : pack.source,
    ...(pack.url === undefined ? {} : { url: pack.url }),
    ...(pack.commit === undefined ? {} : { commit: pack.commit }),
  };
  try {
    await changePacksLock({ ...options, workspace: lock.workspace }, (packs) => {
      const former = packs.get(entry.ref);
      if (isSameEntry(former, entry) || (former === undefined && lock.isForKnown === true)) return packs;
      return new Map([...packs, [entry.ref, entry]]);
    });
    return {};
  } catch (error) {
    options.signal.throwIfAborted();
    return { lockProblem: error instanceof Error ? error.message : String(error) };
  }
}

function otherPack({ manifest, source }: FetchedPack, expected: string): EngineError {
  return new EngineError({
    code: 'pack.other-pack',
    message: `${source} returned ${identityOf(manifest)} instead of ${expected}. Nothing was installed.`,
  });
}

/** @throws EngineError `pack.older-version` */
function isNewer(version: string, installed: string): boolean {
  const order = compareVersions(version, installed);
  if (order >= 0) return order > 0;
  throw new EngineError({
    code: 'pack.older-version',
    message: `Cannot install version ${version} because installed version ${installed} is newer.\nUse --force to force install.`,
    details: { version, installed },
  });
}

/** Returns the installed version. Any version may replace a pack with an unreadable manifest. */
async function installedVersion(target: string): Promise<string | undefined> {
  try {
    return (await readPackManifest(target)).version;
  } catch (error) {
    if (EngineError.is(error)) return undefined;
    throw error;
  }
}

async function writeRecord(staged: string, pack: FetchedPack, { clock }: PackInstallOptions): Promise<void> {
  const file = join(staged, manifestName);
  const record: PackManifest['installed'] = {
    time: localTimestamp(clock.now()),
    source: pack.source,
    ...(pack.commit === undefined ? {} : { commit: pack.commit }),
  };
  await writeFile(file, withInstalledRecord(await readFile(file, 'utf8'), record));
  // The files on disk are now authoritative, so they must still contain the manifest that was checked.
  const written = await readPackManifest(staged);
  if (identityOf(written) === identityOf(pack.manifest) && written.version === pack.manifest.version) return;
  throw new EngineError({
    code: 'pack.bad-manifest',
    message: `The ${manifestName} of ${identityOf(pack.manifest)} changes when it is written again.`,
  });
}

async function sizeOf(folder: string): Promise<number> {
  const files = await listPackFiles(folder).catch(() => []);
  return files.reduce((sum, { bytes }) => sum + bytes, 0);
}

function installFailed(shown: string, cause: unknown): EngineError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new EngineError({
    code: 'pack.install-failed',
    message: `Fail to install pack: ${shown}\nCause: ${reason}`,
    cause,
  });
}
