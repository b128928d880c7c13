/**
 * Installing packs: fetch, check, compare versions, put in place. Until the last step an installed pack stays as it is.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { EngineError } from '../base/engine-error.ts';
import { systemCodeOf } from '../files/file-error.ts';
import type { TrashWorld } from '../files/trash.ts';
import { listPackFiles } from './pack-contents.ts';
import { downloadFolder, installedShelf } from './pack-folders.ts';
import {
  localTimestamp,
  manifestName,
  type PackManifest,
  readPackManifest,
  withInstalledRecord,
} from './pack-manifest.ts';
import { identityOf } from './pack-ref.ts';
import { type FetchedPack, fetchPack, type SourceOptions } from './pack-source.ts';
import { inWorkFolder, removeStaleWork, swapInto } from './pack-swap.ts';
import { type PackUri, parsePackUri } from './pack-uri.ts';
import { checkInstallable, compareVersions } from './pack-version.ts';

export interface InstallOptions extends SourceOptions, TrashWorld {
  readonly baseFolder: string;
  /** What a relative path of an archive starts at, absolute. */
  readonly folder: string;
  /** Install whatever version is there. */
  readonly force?: boolean;
  /** `namespace@name` that must come; any if absent. */
  readonly expected?: string;
}

export interface InstallReport {
  /** `up-to-date`: this version was installed already, and nothing was done. */
  readonly status: 'installed' | 'up-to-date';
  readonly namespace: string;
  readonly name: string;
  readonly version: string;
  /** Absolute. */
  readonly folder: string;
  /** Of all its files. */
  readonly sizeBytes: number;
  readonly archiveBytes?: number;
  /** The version that was there before. */
  readonly replacedVersion?: string;
}

/**
 * Installs a pack.
 * @param text `namespace@name`, an address of an archive or of a git repository, or a path of an archive
 * @throws EngineError `pack.bad-uri` | `pack.bad-manifest` | `pack.no-manifest` | `pack.bad-prerelease` |
 *   `pack.older-version` | `pack.not-found` | `pack.unsafe-archive` | `pack.unsafe-folder` | `pack.bad-archive` |
 *   `pack.not-an-archive` | `pack.too-large` | `pack.timeout` | `pack.download-failed` | `pack.bad-repository` |
 *   `pack.other-pack` | `pack.no-git` | `pack.git-failed` | `pack.install-failed` | `files.*` | `web.*`; the signal's reason.
 *   An installed pack then is as it was.
 */
export async function installPack(text: string, options: InstallOptions): Promise<InstallReport> {
  return await installFrom(parsePackUri(text, options.folder), text, options);
}

/** As `installPack`, from a place that has been read already. */
export async function installFrom(uri: PackUri, shown: string, options: InstallOptions): Promise<InstallReport> {
  const downloads = downloadFolder(options.baseFolder);
  await removeStaleWork(downloads, options.clock.now());
  return await inWorkFolder(downloads, async (workFolder) => {
    try {
      return await place(await fetchPack(uri, workFolder, options), workFolder, options);
    } catch (error) {
      options.signal.throwIfAborted();
      throw systemCodeOf(error) === undefined ? error : installFailed(shown, error);
    }
  });
}

async function place(pack: FetchedPack, workFolder: string, options: InstallOptions): Promise<InstallReport> {
  const { manifest, archiveBytes } = pack;
  const { namespace, name, version } = manifest;
  checkInstallable(version);
  if (options.expected !== undefined && options.expected !== identityOf(manifest))
    throw otherPack(pack, options.expected);
  const target = join(installedShelf(options.baseFolder), namespace, name);
  const before = await installedVersion(target);
  const report = {
    namespace,
    name,
    version,
    folder: target,
    ...(archiveBytes === undefined ? {} : { archiveBytes }),
    ...(before === undefined ? {} : { replacedVersion: before }),
  };
  if (before !== undefined && options.force !== true && !isNewer(version, before)) {
    return { ...report, status: 'up-to-date', sizeBytes: await sizeOf(target) };
  }
  options.onProgress?.({ step: 'unpacking' });
  const staged = join(workFolder, 'staged');
  await pack.writeTo(staged);
  await writeRecord(staged, pack, options);
  const sizeBytes = await sizeOf(staged);
  options.signal.throwIfAborted();
  options.onProgress?.({ step: 'placing' });
  await swapInto(staged, target, { ...options, workFolder });
  return { ...report, status: 'installed', sizeBytes };
}

function otherPack({ manifest, source }: FetchedPack, expected: string): EngineError {
  return new EngineError({
    code: 'pack.other-pack',
    message: `${source} gave ${identityOf(manifest)} for ${expected}. Nothing was installed.`,
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

/** Of the pack that is there; one whose manifest cannot be read may be replaced by any. */
async function installedVersion(target: string): Promise<string | undefined> {
  try {
    return (await readPackManifest(target)).version;
  } catch (error) {
    if (EngineError.is(error)) return undefined;
    throw error;
  }
}

async function writeRecord(staged: string, pack: FetchedPack, { clock }: InstallOptions): Promise<void> {
  const file = join(staged, manifestName);
  const record: PackManifest['installed'] = {
    time: localTimestamp(clock.now()),
    source: pack.source,
    ...(pack.commit === undefined ? {} : { commit: pack.commit }),
  };
  await writeFile(file, withInstalledRecord(await readFile(file, 'utf8'), record));
  // What is on the disk is what counts from now on: it must still be the manifest that was checked.
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
