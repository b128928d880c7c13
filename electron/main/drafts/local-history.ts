/**
 * Stores earlier versions of files: one plain file per version, in one folder per workspace file.
 */
import { existsSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { maxDraftLength, type VersionReason } from '../../ipc/contracts/draft-contract.ts';
import { type Clock, EngineError } from '../../ipc/engine-base.ts';
import { readOwnFile, writeOwnFile } from '../own-file.ts';
import { isAtOrBelow, makePrivateFolder, movedPath, nameFor, privateFileMode } from './private-folder.ts';

export interface FileVersion {
  readonly id: string;
  /** Time when it was stored, in epoch milliseconds. */
  readonly at: number;
  readonly why: VersionReason;
  readonly sizeBytes: number;
}

const maxVersions = 50;
const maxAgeMs = 30 * 24 * 60 * 60 * 1000;
/** Number of versions that are kept regardless of age. */
const minVersions = 5;

const idPattern = /^(\d{1,15})-(opened|saved|elsewhere)$/;
const reasons: Readonly<Record<string, VersionReason>> = {
  opened: 'opened',
  saved: 'saved',
  elsewhere: 'changed elsewhere',
};
const marks: Readonly<Record<VersionReason, string>> = {
  opened: 'opened',
  saved: 'saved',
  'changed elsewhere': 'elsewhere',
};
/** Name of the file with the path that the folder belongs to. It is used when a workspace folder is renamed. */
const pathFile = 'path';

/** The earlier versions of a workspace's files. Paths are relative to the workspace, with `/`. */
export class LocalHistory {
  readonly #folder: string;
  readonly #clock: Clock;

  /** @param folder contains this workspace's versions; created when the first one is stored */
  constructor(folder: string, clock: Clock) {
    this.#folder = folder;
    this.#clock = clock;
  }

  /**
   * Stores text, unless it equals the newest version or is too long. Deletes excess and old versions. @throws the
   * system's error
   */
  keep(file: string, text: string, why: VersionReason): void {
    const folder = this.#folderOf(file);
    const [newest] = this.list(file);
    if (text.length > maxDraftLength) return;
    if (newest !== undefined && readOwnFile(textFile(folder, newest.id)) === text) return;
    makePrivateFolder(folder);
    if (newest === undefined) writeOwnFile(path.join(folder, pathFile), file, privateFileMode);
    // Ids increase in the order of storage, even within a millisecond and after the clock was set back.
    const at = Math.max(this.#clock.now(), (newest?.at ?? 0) + 1);
    writeOwnFile(textFile(folder, `${at}-${marks[why]}`), text, privateFileMode);
    this.#prune(file);
  }

  /** Returns the versions, newest first. @throws the system's error */
  list(file: string): FileVersion[] {
    const folder = this.#folderOf(file);
    const versions = namesIn(folder).flatMap((name): FileVersion[] => {
      const id = name.replace(/\.txt$/, '');
      const [, at, mark] = idPattern.exec(id) ?? [];
      const why = reasons[mark ?? ''];
      if (at === undefined || why === undefined || id === name) return [];
      return [{ id, at: Number(at), why, sizeBytes: statSync(path.join(folder, name)).size }];
    });
    return versions.sort((a, b) => b.at - a.at);
  }

  /** @throws EngineError `version.not-found` */
  read(file: string, id: string): string {
    const text = idPattern.test(id) ? readOwnFile(textFile(this.#folderOf(file), id)) : undefined;
    if (text !== undefined) return text;
    throw new EngineError({
      code: 'version.not-found',
      message: `This version of ${file} is not kept any more. Open the list of versions again to see those that are.`,
    });
  }

  /**
   * Moves the versions of a renamed file or folder, and keeps versions that already exist at the new name. @throws the
   * system's error
   */
  move(from: string, to: string): void {
    for (const name of namesIn(this.#folder)) {
      const file = readOwnFile(path.join(this.#folder, name, pathFile));
      if (file !== undefined && isAtOrBelow(file, from)) this.#moveFile(file, movedPath(file, { from, to }));
    }
  }

  #moveFile(from: string, to: string): void {
    const target = this.#folderOf(to);
    makePrivateFolder(target);
    writeOwnFile(path.join(target, pathFile), to, privateFileMode);
    for (const { id, at, why } of this.list(from)) {
      renameSync(textFile(this.#folderOf(from), id), freeTextFile(target, at, why));
    }
    rmSync(this.#folderOf(from), { recursive: true });
    this.#prune(to);
  }

  #prune(file: string): void {
    const oldest = this.#clock.now() - maxAgeMs;
    const superfluous = this.list(file).filter(
      ({ at }, index) => index >= maxVersions || (index >= minVersions && at < oldest),
    );
    for (const { id } of superfluous) rmSync(textFile(this.#folderOf(file), id));
  }

  #folderOf(file: string): string {
    return path.join(this.#folder, nameFor(file));
  }
}

function textFile(folder: string, id: string): string {
  return path.join(folder, `${id}.txt`);
}

/** Returns the first unused file name for a version at or after a time. */
function freeTextFile(folder: string, at: number, why: VersionReason): string {
  let free = at;
  while (existsSync(textFile(folder, `${free}-${marks[why]}`))) free++;
  return textFile(folder, `${free}-${marks[why]}`);
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}
