/**
 * Opens the history of a workspace folder.
 */
import { randomUUID } from 'node:crypto';
import { closeSync, lstatSync, mkdirSync, openSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../../base/clock.ts';
import { EngineError, toErrorRecord } from '../../base/engine-error.ts';
import { explainSystemError } from '../../base/system-trouble.ts';
import type { Owner } from './owner.ts';
import type { RunStore } from './run-store.ts';
import { openRunStore } from './sqlite-run-store.ts';

/** A notice about the history, which the engine passes on to people. */
interface StoreNotice {
  readonly code: 'store.in-memory' | 'store.unreadable';
  readonly message: string;
}

interface WorkspaceStore {
  readonly store: RunStore;
  readonly notices: readonly StoreNotice[];
}

interface WorkspaceStoreOptions {
  /** Absolute path of the workspace. */
  readonly workspace: string;
  readonly clock: Clock;
  readonly owner: Owner;
  /** Absolute path of the history file named by the user, or `:memory:`; defaults to the workspace's own file. */
  readonly storeFile?: string;
}

/** A history in memory that ends with its engine. */
export const inMemory = ':memory:';

/**
 * Opens `.millrace/runs.db` of the workspace and makes Git ignore it. If it cannot be used, the history is kept in
 * memory and a notice states the reason; an existing file is not changed. Symbolic links are not followed, because they
 * came with the workspace and could point to any of the user's files.
 * @throws EngineError if the file named by the user cannot be used: `store.newer-version` | `store.unreadable` |
 * `store.full` | `store.write-failed`
 */
export async function openWorkspaceStore(options: WorkspaceStoreOptions): Promise<WorkspaceStore> {
  const { workspace, clock, owner, storeFile } = options;
  if (storeFile === inMemory) return { store: await openRunStore({ file: null, clock, owner }), notices: [] };
  if (storeFile !== undefined) {
    refuseOtherThanFile(storeFile);
    return { store: await openRunStore({ file: storeFile, clock, owner }), notices: [] };
  }
  try {
    const file = prepareFolder(workspace);
    const store = await openRunStore({ file, clock, owner });
    try {
      // SQLite opens its files by name, so this check detects symbolic links that were created in the meantime.
      refuseLinks(workspace);
    } catch (error) {
      store.close();
      throw error;
    }
    return { store, notices: [] };
  } catch (error) {
    if (!EngineError.is(error)) {
      throw error;
    }
    return { store: await openRunStore({ file: null, clock, owner }), notices: [noticeFor(error)] };
  }
}

/** Creates `.millrace` with its `.gitignore`. Returns the path of the history. */
function prepareFolder(workspace: string): string {
  const folder = join(workspace, folderName);
  refuseLinks(workspace);
  try {
    mkdirSync(folder, { recursive: true });
    ignoreInGit(folder);
    makeEmpty(join(folder, databaseName));
  } catch (error) {
    throw new EngineError({
      code: 'store.write-failed',
      message: `${folder} cannot be written. ${explainSystemError(error) ?? toErrorRecord(error).message}`,
      cause: error,
    });
  }
  return join(folder, databaseName);
}

const folderName = '.millrace';
const databaseName = 'runs.db';
/** Suffixes of the files that SQLite stores next to a database. */
const endings = ['', '-wal', '-shm', '-journal'];

/** @throws EngineError `store.write-failed` for symbolic links and special files; opening a pipe would block */
function refuseLinks(workspace: string): void {
  const folder = join(workspace, folderName);
  refuseOther(folder, 'folder');
  for (const ending of endings) refuseOther(join(folder, `${databaseName}${ending}`), 'file');
}

/**
 * Rejects everything except regular files. The user's own file may be a symbolic link, but a pipe would block the
 * program.
 */
function refuseOtherThanFile(file: string): void {
  const state = statSync(file, { throwIfNoEntry: false });
  if (state === undefined || state.isFile()) return;
  throw new EngineError({
    code: 'store.write-failed',
    message: `${file} is not a file. Choose a file for the history.`,
  });
}

function refuseOther(path: string, wanted: 'file' | 'folder'): void {
  const state = lstatSync(path, { throwIfNoEntry: false });
  if (state === undefined || (wanted === 'folder' ? state.isDirectory() : state.isFile())) return;
  const problem = state.isSymbolicLink() ? 'a link, and links are not followed here' : `no ${wanted}`;
  throw new EngineError({
    code: 'store.write-failed',
    message: `${path} is ${problem}. Remove it, or choose another file for the history with --store.`,
  });
}

/** Creates an empty file if nothing exists at the path. SQLite would follow a broken symbolic link. */
function makeEmpty(file: string): void {
  if (lstatSync(file, { throwIfNoEntry: false }) !== undefined) return;
  try {
    closeSync(openSync(file, 'wx'));
  } catch (error) {
    // Another program that uses the same workspace has created the file.
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    refuseOther(file, 'file');
  }
}

/**
 * Writes the `.gitignore` of the folder atomically, because with a partial file, the history could get into the user's
 * repository.
 */
export function ignoreInGit(folder: string): void {
  const target = join(folder, '.gitignore');
  if (lstatSync(target, { throwIfNoEntry: false })?.isFile()) {
    return;
  }
  // A random name, which no symbolic link in the workspace can have.
  const draft = join(folder, `.${randomUUID()}.tmp`);
  try {
    writeFileSync(draft, '*\n', { flag: 'wx' });
    renameSync(draft, target);
  } finally {
    rmSync(draft, { force: true });
  }
}

function noticeFor({ code, message }: EngineError): StoreNotice {
  const isUnreadable = code === 'store.unreadable' || code === 'store.newer-version';
  return {
    code: isUnreadable ? 'store.unreadable' : 'store.in-memory',
    message: `Runs are kept only in memory and are lost when Millrace closes. ${message}`,
  };
}
