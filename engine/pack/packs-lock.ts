/**
 * `packs.lock` of a workspace: which packs were installed for it, from where, and what was in them. People commit it, and
 * `install --frozen` installs exactly that. It comes with somebody's repository, so it is read with suspicion.
 */

import { createHash } from 'node:crypto';
import { lstat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { isAbsolute, join, relative, sep } from 'node:path';
import { stringify } from 'smol-toml';
import type { Clock } from '../base/clock.ts';
import { EngineError } from '../base/engine-error.ts';
import { writeFileAtomically } from '../files/atomic-write.ts';
import { isMissing } from '../files/file-error.ts';
import { withFileLock } from '../files/file-lock.ts';
import { readTextFile } from '../files/read-text.ts';
import { findInWorkspace } from '../files/workspace-path.ts';
import { readToml } from '../flowspec/toml-source.ts';
import { downloadFolder } from './pack-folders.ts';
import { identityOf, parsePackRef } from './pack-ref.ts';
import { isPackVersion } from './pack-version.ts';

/** A pack as the lock has it. */
export interface LockedPack {
  /** `namespace@name`. */
  readonly ref: string;
  readonly version: string;
  /**
   * A repository of packs (`aipack.ai` or its address), an address of an archive, a git repository, `file:` with an archive's
   * path in the workspace, or `elsewhere:` with the name of an archive that did not lie in it.
   */
  readonly source: string;
  /** Of the archive, when `source` is a repository of packs. */
  readonly url?: string;
  /** Of a git repository. */
  readonly commit?: string;
  /** Of its content; see `hashContent`. */
  readonly sha256: string;
}

export const lockName = 'packs.lock';
const lockVersion = 1;
const maxLockBytes = 1024 * 1024;
const maxPacks = 1000;
const maxValue = 4096;
const fields = ['version', 'source', 'url', 'commit', 'sha256'] as const;

/** By `namespace@name`. */
type Entries = ReadonlyMap<string, LockedPack>;

/** An entry that names no pack which could be installed. */
interface OddLockEntry {
  readonly name: string;
  /** As the file has it. */
  readonly value: unknown;
  /** What is wrong, with code `pack.bad-lock`. */
  readonly error: EngineError;
}

interface PacksLock {
  readonly packs: Entries;
  readonly odd: readonly OddLockEntry[];
}

/** Returns the packs of `readWholeLock`. */
export async function readPacksLock(workspace: string): Promise<Entries | undefined> {
  return (await readWholeLock(workspace))?.packs;
}

/**
 * Reads the lock of a workspace. An odd entry costs that pack only.
 * @param workspace absolute
 * @returns its packs in the order of the file; undefined = there is no lock
 * @throws EngineError `pack.bad-lock` (`line` where it is known) | `pack.newer-lock`
 */
export async function readWholeLock(workspace: string): Promise<PacksLock | undefined> {
  const file = join(workspace, lockName);
  const state = await lstat(file).catch((error: unknown) => {
    if (isMissing(error)) return undefined;
    throw error;
  });
  if (state === undefined) return undefined;
  // A link in somebody's repository must not say which file of a person is written.
  if (!state.isFile()) throw badLock(file, 'it is a link or no file at all. Delete it');
  return parseLock(await textOf(file), file);
}

async function textOf(file: string): Promise<string> {
  try {
    return await readTextFile(file, { maxBytes: maxLockBytes, shownPath: file });
  } catch (error) {
    if (EngineError.is(error))
      throw badLock(file, `it is larger than 1 MiB, or no text (${error.code})`, { cause: error });
    throw error;
  }
}

function parseLock(text: string, file: string): PacksLock {
  const table = parseToml(text, file);
  const { version, packs = {}, ...others } = table;
  if (typeof version === 'number' && Number.isInteger(version) && version > lockVersion) throw newerLock(file, version);
  if (version !== lockVersion) throw badLock(file, `its version must be ${lockVersion}`);
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) throw badLock(file, `there is no key ${shortened(unknown)}`);
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
  if (!isIdentity(name)) throw badLock(file, `${shortened(name)} is no name of a pack`);
  const bad = (problem: string): EngineError => badLock(file, `${name} ${problem}`);
  if (!isTable(value)) throw bad('must be a table');
  const unknown = Object.keys(value).find((key) => !fields.some((field) => field === key));
  if (unknown !== undefined) throw bad(`has a key ${shortened(unknown)}, which is not known`);
  const text = (field: (typeof fields)[number]): string | undefined => {
    const found = value[field];
    if (found === undefined) return undefined;
    if (typeof found === 'string' && found !== '' && found.length <= maxValue && !/\p{Cc}/u.test(found)) return found;
    throw bad(`must have a short text as its ${field}`);
  };
  const version = text('version');
  const source = text('source');
  const sha256 = text('sha256');
  const url = text('url');
  const commit = text('commit');
  if (version === undefined || !isPackVersion(version)) throw bad('needs a version such as 1.2.0');
  if (source === undefined) throw bad('needs a source');
  if (sha256 === undefined || !/^[0-9a-f]{64}$/.test(sha256)) throw bad('needs a sha256 of 64 hexadecimal digits');
  if (commit !== undefined && !/^[0-9a-f]{40}(?:[0-9a-f]{24})?$/.test(commit)) throw bad('has a commit that is none');
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
    message: `${file} has version ${version} of its format, and this program knows ${lockVersion}. Use a newer Millrace.`,
  });
}

/** Where the lock is and who may write it. */
export interface LockPlace {
  /** Absolute. */
  readonly workspace: string;
  readonly baseFolder: string;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/**
 * Whether packs that are installed in a folder are noted there. The home folder is nobody's project.
 * @param workspace absolute
 */
export function keepsLock(workspace: string): boolean {
  const way = relative(workspace, homedir());
  return way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way);
}

/**
 * Changes the lock of a workspace, one program at a time; readers see the old one or the new one. Odd entries of other packs stay.
 * @param change gives the packs that it is to have; the same map = nothing is written
 * @param dropped the pack of which an odd entry is removed; absent = none
 * @throws EngineError as `readPacksLock` does; `files.locked`; the system's error; the lock is then as it was
 */
export async function changePacksLock(
  place: LockPlace,
  change: (packs: Entries) => Entries,
  dropped?: string,
): Promise<void> {
  const { workspace, baseFolder } = place;
  const name = createHash('sha256').update(workspace).digest('hex').slice(0, 32);
  // Not beside it: what is left after a crash would stand in the person's git.
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

/** Sorted, so that two people who install the same write the same. */
function lockText(packs: Entries, odd: readonly OddLockEntry[]): string {
  const sorted = [...packs.values()].sort((left, right) => (left.ref < right.ref ? -1 : 1));
  const sections = sorted.map((pack) => {
    const lines = fields.flatMap((field) =>
      pack[field] === undefined ? [] : [`${field} = ${JSON.stringify(pack[field])}\n`],
    );
    return `\n[packs."${pack.ref}"]\n${lines.join('')}`;
  });
  return `# Written when packs are installed. Commit it: millrace install --frozen installs exactly these.\nversion = ${lockVersion}\n${sections.join('')}${oddText(odd)}`;
}

/** What somebody else wrote is theirs to fix: it stays as it is read. */
function oddText(odd: readonly OddLockEntry[]): string {
  if (odd.length === 0) return '';
  return `\n${stringify({ packs: Object.fromEntries(odd.map(({ name, value }) => [name, value])) })}`;
}

/** Equal entries are the same entry: nothing is to be written for it. */
export function isSameEntry(left: LockedPack | undefined, right: LockedPack): boolean {
  return left !== undefined && fields.every((field) => left[field] === right[field]);
}

/** How the lock names an archive on the disk: by its way in the workspace, else by nothing but its name. */
export async function lockedFileSource(file: string, workspace: string): Promise<string> {
  const inside = await findInWorkspace(workspace, file).catch(() => undefined);
  const source = inside === undefined ? `elsewhere:${file.split(/[/\\]/).at(-1)}` : `file:${inside.shown}`;
  // Names of files may have what no line of a lock can.
  return source.replace(/\p{Cc}/gu, '_').slice(0, maxValue);
}
