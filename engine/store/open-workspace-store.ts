/**
 * The history that belongs to a workspace folder.
 */
import { randomUUID } from 'node:crypto';
import { closeSync, lstatSync, mkdirSync, openSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../base/clock.ts';
import { EngineError, toErrorRecord } from '../base/engine-error.ts';
import { systemTrouble } from '../base/system-trouble.ts';
import type { Owner } from './owner.ts';
import type { RunStore } from './run-store.ts';
import { openRunStore } from './sqlite-run-store.ts';

/** Something about the history that a person should know; the engine passes it on as its own notice. */
interface StoreNotice {
  readonly code: 'store.in-memory' | 'store.unreadable';
  readonly message: string;
}

interface WorkspaceStore {
  readonly store: RunStore;
  readonly notices: readonly StoreNotice[];
}

interface WorkspaceStoreOptions {
  /** The workspace folder, absolute. */
  readonly workspace: string;
  readonly clock: Clock;
  readonly owner: Owner;
  /** The file that the user named for the history, absolute, or `:memory:`; without it, the workspace's own. */
  readonly storeFile?: string;
}

/** In place of a file: a history that ends with its engine. */
export const inMemory = ':memory:';

/**
 * Opens `.millrace/runs.db` of the workspace, which git is told to ignore. When that cannot be used the history stays in
 * memory and a notice says why; a file that is there is left as it is. A link there is not followed: it came with the
 * workspace, and would say where in a person's files a history is written.
 * @throws EngineError when the file that the user named cannot be used: `store.newer-version` | `store.unreadable` |
 *   `store.full` | `store.write-failed`
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
      // The database opens its files by their names; what came there while it did is seen now.
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

/** Makes `.millrace` with its `.gitignore`. Returns the path of the history in it. */
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
      message: `${folder} cannot be written. ${systemTrouble(error) ?? toErrorRecord(error).message}`,
      cause: error,
    });
  }
  return join(folder, databaseName);
}

const folderName = '.millrace';
const databaseName = 'runs.db';
/** What SQLite keeps beside a database, under these endings. */
const endings = ['', '-wal', '-shm', '-journal'];

/** @throws EngineError `store.write-failed` for what is a link, or no file; opening a pipe would wait for its other end */
function refuseLinks(workspace: string): void {
  const folder = join(workspace, folderName);
  refuseOther(folder, 'folder');
  for (const ending of endings) refuseOther(join(folder, `${databaseName}${ending}`), 'file');
}

/** The user's own file may be a link, but a pipe would keep the program waiting. */
function refuseOtherThanFile(file: string): void {
  const state = statSync(file, { throwIfNoEntry: false });
  if (state === undefined || state.isFile()) return;
  throw new EngineError({ code: 'store.write-failed', message: `${file} is no file. Name a file for the history.` });
}

function refuseOther(path: string, wanted: 'file' | 'folder'): void {
  const state = lstatSync(path, { throwIfNoEntry: false });
  if (state === undefined || (wanted === 'folder' ? state.isDirectory() : state.isFile())) return;
  const problem = state.isSymbolicLink() ? 'a link, and links are not followed there' : `no ${wanted}`;
  throw new EngineError({
    code: 'store.write-failed',
    message: `${path} is ${problem}. Take it away, or name another file for the history with --store.`,
  });
}

/** Made here and not by SQLite, which would follow a link that leads to nothing yet. */
function makeEmpty(file: string): void {
  if (lstatSync(file, { throwIfNoEntry: false }) !== undefined) return;
  try {
    closeSync(openSync(file, 'wx'));
  } catch (error) {
    // Another program that opens the same workspace has made it.
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    refuseOther(file, 'file');
  }
}

/** Whole or not at all: a half-written ignore file would let the history into the user's repository. */
function ignoreInGit(folder: string): void {
  const target = join(folder, '.gitignore');
  if (lstatSync(target, { throwIfNoEntry: false })?.isFile()) {
    return;
  }
  // A name that no link in the workspace can have been given.
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
    message: `Runs are kept in memory only and are gone when Millrace closes. ${message}`,
  };
}
