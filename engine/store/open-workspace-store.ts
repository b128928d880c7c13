/**
 * The history that belongs to a workspace folder.
 */
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../base/clock.ts';
import { EngineError } from '../base/engine-error.ts';
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
  /** The file that the user named for the history, absolute; without it, the workspace's own. */
  readonly storeFile?: string;
}

/**
 * Opens `.millrace/runs.db` of the workspace, which git is told to ignore. When that cannot be used the history stays in
 * memory and a notice says why; a file that is there is left as it is.
 * @throws EngineError when the file that the user named cannot be used: `store.newer-version` | `store.unreadable` |
 *   `store.full` | `store.write-failed`
 */
export async function openWorkspaceStore(options: WorkspaceStoreOptions): Promise<WorkspaceStore> {
  const { workspace, clock, owner, storeFile } = options;
  if (storeFile !== undefined) {
    return { store: await openRunStore({ file: storeFile, clock, owner }), notices: [] };
  }
  try {
    const file = prepareFolder(workspace);
    return { store: await openRunStore({ file, clock, owner }), notices: [] };
  } catch (error) {
    if (!EngineError.is(error)) {
      throw error;
    }
    return { store: await openRunStore({ file: null, clock, owner }), notices: [noticeFor(error)] };
  }
}

/** Makes `.millrace` with its `.gitignore`. Returns the path of the history in it. */
function prepareFolder(workspace: string): string {
  const folder = join(workspace, '.millrace');
  try {
    mkdirSync(folder, { recursive: true });
    ignoreInGit(folder);
  } catch (error) {
    throw new EngineError({
      code: 'store.write-failed',
      message: `${folder} cannot be written (${error instanceof Error ? error.message : String(error)}). Check that you may write to this folder.`,
      cause: error,
    });
  }
  return join(folder, 'runs.db');
}

/** Whole or not at all: a half-written ignore file would let the history into the user's repository. */
function ignoreInGit(folder: string): void {
  const target = join(folder, '.gitignore');
  if (existsSync(target)) {
    return;
  }
  const draft = `${target}.${process.pid}.tmp`;
  try {
    writeFileSync(draft, '*\n');
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
