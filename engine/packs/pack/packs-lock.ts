/**
 * Reads and writes a workspace's `packs.lock`, which records the packs that were installed for it, their sources and
 * their content. Users commit it, and `install --frozen` installs exactly these packs. It may come from an untrusted
 * repository, so it is validated strictly.
 */

import { createHash } from 'node:crypto';
import { lstat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { isAbsolute, join, relative, sep } from 'node:path';
import { stringify } from 'smol-toml';
import type { Clock } from '../../base/clock.ts';
import { EngineError } from '../../base/engine-error.ts';
import { readToml } from '../../language/yaml/toml-source.ts';
import { writeFileAtomically } from '../../world/files/atomic-write.ts';
import { isMissing } from '../../world/files/file-error.ts';
import { withFileLock } from '../../world/files/file-lock.ts';
import { readTextFile } from '../../world/files/read-text.ts';
import { findInWorkspace } from '../../world/files/workspace-path.ts';
import { downloadFolder } from './pack-folders.ts';
import { identityOf, parsePackRef } from './pack-ref.ts';
import { isPackVersion } from './pack-version.ts';

/** An entry of the lock. */
export interface LockedPack {
  /** Reference of the pack, as `namespace@name`. */
  readonly ref: string;
  readonly version: string;
  /**
   * A pack repository (`aipack.ai` or its URL), the URL of an archive, a Git repository, `file:` with an archive's path
   * in the workspace, or `elsewhere:` with the name of an archive outside the workspace.
   */
  readonly source: string;
  /** URL of the archive, if `source` is a pack repository. */
  readonly url?: string;
  /** Commit of a Git repository. */
  readonly commit?: string;
  /** Hash of the content; see `hashContent`. */
  readonly sha256: string;
}

export const lockName = 'packs.lock';
const lockVersion = 1;
const maxLockBytes = 1024 * 1024;
const maxPacks = 1000;
const maxValue = 4096;
const fields = ['version', 'source', 'url', 'commit', 'sha256'] as const;

/** Entries by `namespace@name`. */
type LockedPackEntries = ReadonlyMap<string, LockedPack>;

/** An entry that does not name an installable pack. */
interface OddLockEntry {
  readonly name: string;
  /** The value in the file. */
  readonly value: unknown;
  /** The problem, with the code `pack.bad-lock`. */
  readonly error: EngineError;
}

interface PacksLock {
  readonly packs: LockedPackEntries;
  readonly odd: readonly OddLockEntry[];
}

/** Returns the packs of `readWholeLock`. */
export async function readPacksLock(workspace: string): Promise<LockedPackEntries | undefined> {
  return (await readWholeLock(workspace))?.packs;
}

/**
 * Reads the lock of a workspace. An invalid entry affects only its own pack.
 * @param workspace absolute
 * @returns its packs in the order of the file; undefined if the lock does not exist
 * @throws EngineError `pack.bad-lock` (with `line` if known) | `pack.newer-lock`
 */
export async function readWholeLock(workspace: string): Promise<PacksLock | undefined> {
  const file = join(workspace, lockName);
  const state = await lstat(file).catch((error: unknown) => {
    if (isMissing(error)) return undefined;
    throw error;
  });
  if (state === undefined) return undefined;
  // A symbolic link in an untrusted repository must not determine which of the user's files is written.
  if (!state.isFile()) throw badLock(file, 'it is a link or not a regular file. Delete it');
  return parseLock(await textOf(file), file);
}

async function textOf(file: string): Promise<string> {
  try {
    return await readTextFile(file, { maxBytes: maxLockBytes, shownPath: file });
  } catch (error) {
    if (EngineError.is(error))
      throw badLock(file, `it is larger than 1 MiB or not text (${error.code})`, { cause: error });
    throw error;
  }
}

function parseLock(text: string, file: string): PacksLock {
  const table = parseToml(text, file);
  const { version, packs = {}, ...others } = table;
  if (typeof version === 'number' && Number.isInteger(version) && version > lockVersion) throw newerLock(file, version);
  if (version !== lockVersion) throw badLock(file, `its version must be ${lockVersion}`);
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) throw badLock(file, `the key ${shortened(unknown)} is unknown`);
  if (!isTable(packs)) throw badLock(file, 'packs must be a table');
  const names = Object.keys(packs);
  if (names.length > maxPacks) throw badLock(file, `it has more than ${maxPacks} packs`);
  const found = new Map<string, LockedPack>();
  const odd: OddLockEntry[] = [];
  for (const name of names) {
    try {
      found.set(name, packOf(name, packs[name], file));
    } catch (error) {
      if (!EngineError.is(error)) throw error;
      odd.push({ name, value: packs[name], error });
    }
  }
  return { packs: found, odd };
}

function parseToml(text: string, file: string): Readonly<Record<string, unknown>> {
  const read = readToml(text);
  if ('table' in read) return read.table;
  const { line, reason } = read.problem;
  throw badLock(file, `it is not valid TOML: ${reason} (line ${line})`, { line });
}

function packOf(name: string, value: unknown, file: string): LockedPack {
  if (!isIdentity(name)) throw badLock(file, `${shortened(name)} is not a pack name`);
  const bad = (problem: string): EngineError => badLock(file, `${name} ${problem}`);
  if (!isTable(value)) throw bad('must be a table');
  const unknown = Object.keys(value).find((key) => !fields.some((field) => field === key));
  if (unknown !== undefined) throw bad(`has an unknown key ${shortened(unknown)}`);
  const text = (field: (typeof fields)[number]): string | undefined => {
    const found = value[field];
    if (found === undefined) return undefined;
    if (typeof found === 'string' && found !== '' && found.length <= maxValue && !/\p{Cc}/u.test(found)) return found;
    throw bad(`needs a short string as its ${field}`);
  };
  const version = text('version');
  const source = text('source');
  const sha256 = text('sha256');
  const url = text('url');
  const commit = text('commit');
  if (version === undefined || !isPackVersion(version)) throw bad('needs a version such as 1.2.0');
  if (source === undefined) throw bad('needs a source');
  if (sha256 === undefined || !/^[0-9a-f]{64}$/.test(sha256)) throw bad('needs a sha256 of 64 hexadecimal digits');
  if (commit !== undefined && !/^[0-9a-f]{40}(?:[0-9a-f]{24})?$/.test(commit)) throw bad('has an invalid commit');
  return {
    ...{ ref: name, version, source, sha256 },
    ...(url === undefined ? {} : { url }),
    ...(commit === undefined ? {} : { commit }),
  };
}

function isIdentity(name: string): boolean {
  try {
    return identityOf(parsePackRef(name)) === name;
  } catch {
    return false;
  }
}

function isTable(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);
}

function shortened(text: string): string {
  return JSON.stringify(text.length <= 100 ? text : `${text.slice(0, 99)}…`);
}

function badLock(
  file: string,
  problem: string,
  { line, cause }: { readonly line?: number; readonly cause?: unknown } = {},
): EngineError {
  return new EngineError({
    code: 'pack.bad-lock',
    message: `${file} cannot be used: ${problem}. Restore it from git, or delete it and install the packs again.`,
    ...(line === undefined ? {} : { line }),
    cause,
  });
}

function newerLock(file: string, version: number): EngineError {
  return new EngineError({
    code: 'pack.newer-lock',
    message: `${file} has format version ${version}, but this version of Millrace supports ${lockVersion}. Update Millrace.`,
  });
}

/** Location of the lock, and data about the program that writes it. */
export interface LockPlace {
  /** Absolute path of the workspace. */
  readonly workspace: string;
  readonly baseFolder: string;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/**
 * Returns whether packs installed in this folder are recorded in a lock. The home folder does not count as a project.
 * @param workspace absolute
 */
export function usesPacksLock(workspace: string): boolean {
  const way = relative(workspace, homedir());
  return way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way);
}

/**
 * Changes the lock of a workspace. Only one program writes at a time, and readers see either the old or the new
 * content. Invalid entries of other packs are kept.
 * @param change returns the new packs; the same map means that nothing is written
 * @param dropped the pack with an invalid entry to remove; absent for none
 * @throws EngineError the errors of `readPacksLock`; `files.locked`; the system's error; the lock is then unchanged
 */
export async function changePacksLock(
  place: LockPlace,
  change: (packs: LockedPackEntries) => LockedPackEntries,
  dropped?: string,
): Promise<void> {
  const { workspace, baseFolder } = place;
  const name = createHash('sha256').update(workspace).digest('hex').slice(0, 32);
  // The file lock is not next to `packs.lock`, because a leftover from a crash would appear in the user's Git status.
  await withFileLock(
    join(downloadFolder(baseFolder), '..', `.lock-${name}`),
    { ...place, shown: lockName },
    async () => {
      const { packs: before, odd } = (await readWholeLock(workspace)) ?? { packs: new Map(), odd: [] };
      const after = change(before);
      const kept = odd.filter(({ name }) => name !== dropped && !after.has(name));
      if (after === before && kept.length === odd.length) return;
      await writeFileAtomically(join(workspace, lockName), lockText(after, kept));
    },
  );
}

/** Formats a lock. Entries are sorted, so that two people who install the same packs write the same text. */
function lockText(packs: LockedPackEntries, odd: readonly OddLockEntry[]): string {
  const sorted = [...packs.values()].sort((left, right) => (left.ref < right.ref ? -1 : 1));
  const sections = sorted.map((pack) => {
    const lines = fields.flatMap((field) =>
      pack[field] === undefined ? [] : [`${field} = ${JSON.stringify(pack[field])}\n`],
    );
    return `\n[packs."${pack.ref}"]\n${lines.join('')}`;
  });
  return `# Written when packs are installed. Commit it: millrace install --frozen installs exactly these.\nversion = ${lockVersion}\n${sections.join('')}${oddText(odd)}`;
}

/** Keeps invalid entries of other packs unchanged, so that their author can fix them. */
function oddText(odd: readonly OddLockEntry[]): string {
  if (odd.length === 0) return '';
  return `\n${stringify({ packs: Object.fromEntries(odd.map(({ name, value }) => [name, value])) })}`;
}

/** Returns true for equal entries, which need no write. */
export function isSameEntry(left: LockedPack | undefined, right: LockedPack): boolean {
  return left !== undefined && fields.every((field) => left[field] === right[field]);
}

/** Returns how the lock records an archive on disk: by its path in the workspace, or by its name if it is outside. */
export async function lockedFileSource(file: string, workspace: string): Promise<string> {
  const inside = await findInWorkspace(workspace, file).catch(() => undefined);
  const source = inside === undefined ? `elsewhere:${file.split(/[/\\]/).at(-1)}` : `file:${inside.shown}`;
  // File names may contain characters that are invalid in a lock.
  return source.replace(/\p{Cc}/gu, '_').slice(0, maxValue);
}
