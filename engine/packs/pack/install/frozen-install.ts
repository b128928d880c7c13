/**
 * Installs exactly the packs in a workspace's `packs.lock`, for build machines and collaborators.
 */

import { join } from 'node:path';
import semver from 'semver';
import { EngineError } from '../../../base/engine-error.ts';
import { parseUrl } from '../../../base/parse-url.ts';
import { resolveInWorkspace } from '../../../world/files/workspace-path.ts';
import { ownBuiltins } from '../builtin-packs.ts';
import { type DeclaredPack, readDeclaredPacks } from '../declared-packs.ts';
import { hashContent } from '../pack-contents.ts';
import { installedShelf } from '../pack-folders.ts';
import { lookUpPack } from '../pack-locator.ts';
import { readPackManifest } from '../pack-manifest.ts';
import { parsePackRef } from '../pack-ref.ts';
import { type LockedPack, lockName, readWholeLock } from '../packs-lock.ts';
import { type InstallReport, installFrom, type PackCandidate, type PackInstallOptions } from './installer.ts';
import { defaultRepositoryName } from './pack-repository.ts';
import { type PackUri, parsePackUri } from './pack-uri.ts';

export interface FrozenReport extends PackCandidate {
  /** `up-to-date` if exactly this content was already installed. */
  readonly status: 'installed' | 'up-to-date';
  /** Absolute path of the installed pack. */
  readonly folder: string;
}

export type FrozenOptions = Omit<PackInstallOptions, 'lock'> & {
  /** Absolute path of the workspace. */
  readonly workspace: string;
};

/**
 * Installs the locked packs in order. Each pack is verified before it is put in place. The first mismatch ends the
 * installation, but earlier packs stay installed. Invalid entries are reported after all other packs have been
 * installed. The lock is never changed.
 * @throws EngineError `pack.no-lock` | `pack.bad-lock` | `pack.newer-lock` | `pack.bad-declaration` |
 * `pack.lock-misfit` if the workspace needs packs that are not in the lock | `pack.changed` if the content at a source
 * differs | `pack.lock-unreachable` for an archive on another machine; and the errors of `installPack`
 */
export async function installFrozen(options: FrozenOptions): Promise<readonly FrozenReport[]> {
  const { workspace } = options;
  const lock = await readWholeLock(workspace);
  if (lock === undefined) throw noLock(workspace);
  await checkDeclared(lock.packs, new Set(lock.odd.map(({ name }) => name)), options);
  const problems = lock.odd.map(({ error }) => error);
  const wanted: { pack: LockedPack; uri: PackUri | undefined }[] = [];
  for (const pack of lock.packs.values()) {
    try {
      wanted.push({ pack, uri: await uriOf(pack, workspace) });
    } catch (error) {
      if (!EngineError.is(error) || error.code !== 'pack.bad-lock') throw error;
      problems.push(error);
    }
  }
  const reports: FrozenReport[] = [];
  for (const { pack, uri } of wanted) {
    options.signal.throwIfAborted();
    reports.push(await installOne(pack, uri, options));
  }
  const [first] = problems;
  if (first !== undefined) throw reports.length === 0 ? first : oddEntries(problems, reports);
  return reports;
}

/** Creates the error for entries that do not specify what to install, although the other packs were installed. */
function oddEntries(problems: readonly EngineError[], reports: readonly FrozenReport[]): EngineError {
  const done = `Installed as locked: ${reports.map(({ ref }) => ref).join(', ')}.`;
  return new EngineError({
    code: 'pack.bad-lock',
    message: `${problems.map(({ message }) => message).join(' ')} ${done}`,
  });
}

async function installOne(pack: LockedPack, uri: PackUri | undefined, options: FrozenOptions): Promise<FrozenReport> {
  const { ref, version, sha256 } = pack;
  const { namespace, name } = parsePackRef(ref);
  const folder = join(installedShelf(options.baseFolder), namespace, name);
  if (await isThere(folder, pack)) {
    options.admit?.({ ref, version, sha256 });
    return { ref, version, sha256, folder, status: 'up-to-date' };
  }
  if (uri === undefined) throw unreachable(pack);
  const report: InstallReport = await installFrom(uri, ref, {
    ...options,
    ...(pack.url === undefined ? {} : repositoryOf(pack)),
    expected: ref,
    exact: { version, sha256 },
  });
  return { ref, version, sha256, folder: report.folder, status: report.status };
}

/** Returns the repository of a lock entry, which is recorded in the pack for updates. */
function repositoryOf({ source }: LockedPack): Pick<PackInstallOptions, 'repository'> {
  return source === defaultRepositoryName ? {} : { repository: source };
}

/** Returns whether exactly this content is installed. False for a modified pack. */
async function isThere(folder: string, { version, sha256 }: LockedPack): Promise<boolean> {
  try {
    return (await readPackManifest(folder)).version === version && (await hashContent(folder)) === sha256;
  } catch (error) {
    if (EngineError.is(error)) return false;
    throw error;
  }
}

/** Returns undefined for an archive that was outside the workspace on the machine where it was installed. */
async function uriOf(pack: LockedPack, workspace: string): Promise<PackUri | undefined> {
  const { ref, source, url, commit } = pack;
  if (source.startsWith('elsewhere:')) return undefined;
  if (source.startsWith('file:')) return await fileOf(pack, workspace);
  if (url !== undefined) return repositoryUri(pack, url);
  const uri = sourceUri(pack);
  if (uri.kind === 'http') return uri;
  if (uri.kind !== 'git')
    throw badEntry(ref, `its source ${JSON.stringify(source.slice(0, 200))} is not a known kind of source`);
  if (commit === undefined) throw badEntry(ref, 'it comes from a git repository but has no commit');
  return { ...uri, commit };
}

function repositoryUri({ ref, source }: LockedPack, url: string): PackUri {
  if (source !== defaultRepositoryName && !/^https?:\/\//i.test(source)) {
    throw badEntry(ref, 'it has an archive address, but its source is not a pack repository');
  }
  if (!/^https?:\/\//i.test(url) || parseUrl(url) === undefined) throw badEntry(ref, 'its url is not an address');
  const { namespace, name } = parsePackRef(ref);
  return { kind: 'repo', namespace, name, url };
}

function sourceUri({ ref, source }: LockedPack): PackUri {
  try {
    return parsePackUri(source, '/');
  } catch (error) {
    throw badEntry(ref, `its source ${JSON.stringify(source.slice(0, 200))} is not a known kind of source`, error);
  }
}

async function fileOf({ ref, source }: LockedPack, workspace: string): Promise<PackUri> {
  const path = source.slice('file:'.length);
  if (path.includes('\\') || path.split('/').some((part) => part === '' || part === '.' || part === '..')) {
    throw badEntry(ref, `${JSON.stringify(path.slice(0, 200))} is not a path in the workspace`);
  }
  try {
    return { kind: 'local', file: (await resolveInWorkspace(workspace, path)).real };
  } catch (error) {
    throw badEntry(ref, `${JSON.stringify(path.slice(0, 200))} is outside the workspace or cannot be read`, error);
  }
}

/** @throws EngineError `pack.lock-misfit` | `pack.bad-declaration` */
async function checkDeclared(
  packs: ReadonlyMap<string, LockedPack>,
  odd: ReadonlySet<string>,
  options: FrozenOptions,
): Promise<void> {
  const declared = await readDeclaredPacks(options.workspace);
  const builtIn = await ownBuiltins(options.baseFolder);
  const problems: string[] = [];
  for (const one of declared) {
    // The invalid entry itself is reported.
    if (odd.has(one.ref)) continue;
    const locked = packs.get(one.ref);
    const problem = locked === undefined ? await missing(one, builtIn, options) : otherVersion(one, locked);
    if (problem !== undefined) problems.push(problem);
  }
  if (problems.length === 0) return;
  const shown = [...new Set(problems)].slice(0, 20).join('\n  ');
  throw new EngineError({
    code: 'pack.lock-misfit',
    message: `${lockName} does not match this workspace. Install these packs without --frozen, and commit the lock file:\n  ${shown}`,
  });
}

/**
 * Returns why a required pack is missing from the lock; undefined for built-in packs and packs inside the workspace,
 * which need no lock.
 */
async function missing(
  { ref, where }: DeclaredPack,
  builtIn: ReadonlySet<string>,
  folders: FrozenOptions,
): Promise<string | undefined> {
  if (builtIn.has(ref)) return undefined;
  const found = await lookUpPack(parsePackRef(ref), folders);
  return found?.origin === 'workspace-custom'
    ? undefined
    : `${ref} is required by ${where} but is not in the lock file`;
}

function otherVersion({ ref, range, where }: DeclaredPack, { version }: LockedPack): string | undefined {
  if (range === '*' || semver.satisfies(version, range, { includePrerelease: true })) return undefined;
  return `${ref} has version ${version} in the lock file, but ${where} requires ${range}`;
}

function noLock(workspace: string): EngineError {
  return new EngineError({
    code: 'pack.no-lock',
    message: `${workspace} has no ${lockName}. Installing packs in the workspace creates it. Commit the file.`,
  });
}

function badEntry(ref: string, problem: string, cause?: unknown): EngineError {
  return new EngineError({
    code: 'pack.bad-lock',
    message: `${lockName} cannot be used. ${ref}: ${problem}. Install the pack again without --frozen, and commit the lock file.`,
    cause,
  });
}

function unreachable({ ref, version, source }: LockedPack): EngineError {
  return new EngineError({
    code: 'pack.lock-unreachable',
    message: `${ref} ${version} was installed from the archive ${source.slice('elsewhere:'.length)}, outside the workspace. Copy the archive into the workspace, install it from there, and commit both.`,
  });
}
