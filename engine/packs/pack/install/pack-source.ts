/**
 * Fetches a pack from its source into a temporary folder.
 */
import { lstat, realpath } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Clock } from '../../../base/clock.ts';
import { EngineError } from '../../../base/engine-error.ts';
import { readWebAddress } from '../../../base/web-address.ts';
import { withArchive } from '../../../world/archive/archive-reader.ts';
import { packLimits } from '../../../world/archive/pack-limits.ts';
import { copyPack } from '../pack-contents.ts';
import {
  manifestName,
  maxManifestBytes,
  type PackManifest,
  parsePackManifest,
  readPackManifest,
} from '../pack-manifest.ts';
import { type DownloadOptions, downloadFile } from './download.ts';
import { cloneRepository } from './git-clone.ts';
import { defaultRepository, defaultRepositoryName, findLatest } from './pack-repository.ts';
import type { PackUri } from './pack-uri.ts';

/** Progress of an installation. `bytes` and `totalBytes` refer to a download. */
export interface InstallProgress {
  readonly step: 'asking' | 'downloading' | 'cloning' | 'checking' | 'unpacking' | 'placing';
  readonly bytes?: number;
  readonly totalBytes?: number;
}

export interface SourceOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Repository for packs by name; the public one by default. */
  readonly repository?: string;
  /** Additional repositories to try, in this order, if the first one does not have the pack. */
  readonly otherRepositories?: readonly string[];
  readonly onProgress?: (progress: InstallProgress) => void;
  /** Maximum time without data from a server, in milliseconds; 30 seconds by default. */
  readonly stallMs?: number;
}

/** A pack that was fetched and has a validated manifest. */
export interface FetchedPack {
  readonly manifest: PackManifest;
  /** Value for `[installed] source`. */
  readonly source: string;
  /** URL of the archive, if it came from a pack repository. */
  readonly url?: string;
  readonly commit?: string;
  readonly archiveBytes?: number;
  /** Writes the files into a folder that does not exist. */
  writeTo(folder: string): Promise<void>;
}

/**
 * Fetches a pack and reads its manifest.
 * @param workFolder folder for downloads; removed by the caller
 * @throws EngineError `pack.*` | `web.*` | `files.not-found`; the signal's reason
 */
export async function fetchPack(uri: PackUri, workFolder: string, options: SourceOptions): Promise<FetchedPack> {
  switch (uri.kind) {
    case 'repo':
      return await fromRepository(uri, workFolder, options);
    case 'http': {
      const file = await download(uri.url, workFolder, options);
      return await fromArchive(file, { source: readWebAddress(uri.url).href, shownPath: basename(file) }, options);
    }
    case 'git':
      return await fromGit(uri, workFolder, options);
    case 'local':
      return await fromArchive(uri.file, { source: uri.file, shownPath: uri.file }, options);
  }
}

async function fromRepository(
  uri: Extract<PackUri, { kind: 'repo' }>,
  workFolder: string,
  options: SourceOptions,
): Promise<FetchedPack> {
  const { repository, url } = await findArchive(uri, options);
  const file = await download(url, workFolder, options);
  const source = repository === defaultRepository ? defaultRepositoryName : repository;
  const pack = await fromArchive(file, { source, shownPath: basename(file) }, options);
  const { namespace, name } = pack.manifest;
  if (namespace === uri.namespace && name === uri.name) return { ...pack, url: readWebAddress(url).href };
  throw new EngineError({
    code: 'pack.other-pack',
    message: `${repository} returned ${namespace}@${name} instead of ${uri.namespace}@${uri.name}. Nothing was installed.`,
  });
}

/** Returns the location of the archive in the first repository that has the pack. */
async function findArchive(
  uri: Extract<PackUri, { kind: 'repo' }>,
  options: SourceOptions,
): Promise<{ readonly repository: string; readonly url: string }> {
  const { repository = defaultRepository, otherRepositories: [next, ...others] = [] } = options;
  if (uri.url !== undefined) return { repository, url: uri.url };
  options.onProgress?.({ step: 'asking' });
  try {
    return { repository, url: (await findLatest(repository, uri, options)).url };
  } catch (error) {
    if (next === undefined || !EngineError.is(error) || error.code !== 'pack.not-found') throw error;
    return await findArchive(uri, { ...options, repository: next, otherRepositories: others });
  }
}

async function download(url: string, workFolder: string, options: SourceOptions): Promise<string> {
  const { clock, signal, stallMs, onProgress } = options;
  const name = (readWebAddress(url).pathname.split('/').at(-1) ?? '').replaceAll('%40', '@').replace(/[^\w.@-]/g, '_');
  const file = join(workFolder, `download-${name}`);
  const settings: DownloadOptions = {
    maxBytes: packLimits.maxArchiveBytes,
    clock,
    signal,
    ...(stallMs === undefined ? {} : { stallMs }),
    onBytes: (bytes, total) =>
      onProgress?.({ step: 'downloading', bytes, ...(total === undefined ? {} : { totalBytes: total }) }),
  };
  onProgress?.({ step: 'downloading', bytes: 0 });
  await downloadFile(url, file, settings);
  return file;
}

async function fromArchive(
  file: string,
  { source, shownPath }: { readonly source: string; readonly shownPath: string },
  { signal, onProgress }: SourceOptions,
): Promise<FetchedPack> {
  onProgress?.({ step: 'checking' });
  return await withArchive(file, { shownPath, signal }, async (archive) => {
    const text = await archive.readText(manifestName, maxManifestBytes);
    if (text === undefined) throw noManifest(shownPath);
    return {
      manifest: parsePackManifest(text, `${shownPath}/${manifestName}`),
      source,
      archiveBytes: archive.archiveBytes,
      writeTo: (folder) => withArchive(file, { shownPath, signal }, (again) => again.extractTo(folder)),
    };
  });
}

function noManifest(shownPath: string): EngineError {
  return new EngineError({
    code: 'pack.no-manifest',
    message: `${shownPath} has no ${manifestName} at the top level, so it is not a pack. Use the pack command to create pack archives.`,
  });
}

async function fromGit(
  uri: Extract<PackUri, { kind: 'git' }>,
  workFolder: string,
  options: SourceOptions,
): Promise<FetchedPack> {
  options.onProgress?.({ step: 'cloning' });
  const clone = join(workFolder, 'clone');
  const wanted = uri.commit === undefined ? {} : { commit: uri.commit };
  const commit = await cloneRepository(uri.url, clone, { ...options, ...wanted });
  options.onProgress?.({ step: 'checking' });
  const folder = await folderInside(clone, uri.subFolder);
  const manifest = await readPackManifest(folder).catch((error: unknown) => {
    throw inRepository(error, uri);
  });
  return { manifest, source: uri.typed, commit, writeTo: (target) => copyPack(folder, target) };
}

/** Requires a folder inside the clone, because a symbolic link in the repository could point anywhere. */
async function folderInside(clone: string, subFolder: string): Promise<string> {
  const folder = join(await realpath(clone), subFolder);
  const found = await realpath(folder).catch(() => undefined);
  if (found === folder && (await lstat(folder)).isDirectory()) return folder;
  throw new EngineError({
    code: 'pack.no-manifest',
    message: `The repository has no folder "${subFolder}". Check the part after "#".`,
  });
}

function inRepository(error: unknown, { subFolder, typed }: Extract<PackUri, { kind: 'git' }>): unknown {
  if (!EngineError.is(error) || error.code !== 'pack.no-manifest') return error;
  const place = subFolder === '' ? 'at its top' : `in its folder "${subFolder}"`;
  return new EngineError({
    code: 'pack.no-manifest',
    message: `${typed} has no ${manifestName} ${place}. If the pack is in another folder, add #folder to the address.`,
  });
}
