/**
 * Watches the folder of proposals. While it does not exist, the folder in which it would appear is watched instead.
 */
import { lstat } from 'node:fs/promises';
import path from 'node:path';
import { type FSWatcher, watch } from 'chokidar';
import type { Clock } from '../../base/clock.ts';
import { EngineError, toErrorRecord } from '../../base/engine-error.ts';
import { proposalFolder } from './proposal-files.ts';

interface WatchWorld {
  /** Absolute path. */
  readonly workspace: string;
  readonly clock: Clock;
  readonly onFailure: (error: EngineError) => void;
}

/** Changes within this time, in milliseconds, are reported together. */
const gatherMs = 50;

/** Returns a function that starts a watch and resolves to a function that ends it. */
export function watchProposals(world: WatchWorld) {
  return async (listener: () => void): Promise<() => Promise<void>> => {
    const proposals = new ProposalWatch(world, listener);
    try {
      await proposals.start(await proposalFolder(world.workspace));
    } catch (cause) {
      world.onFailure(watchFailed(cause));
      listener();
    }
    return () => proposals.end();
  };
}

class ProposalWatch {
  readonly #world: WatchWorld;
  readonly #listener: () => void;
  #watcher: FSWatcher | undefined;
  #endTimer: (() => void) | undefined;
  #isEnded = false;

  constructor(world: WatchWorld, listener: () => void) {
    this.#world = world;
    this.#listener = listener;
  }

  /** Watches the folder, or the nearest existing one around it. */
  async start(folder: string): Promise<void> {
    const [watched, next] = await nearestFolder(folder);
    const identity = await identityOf(watched);
    if (this.#isEnded) return;
    const ignored = next === undefined ? [] : [(name: string) => name !== watched && name !== next];
    const watcher = watch(watched, { ignoreInitial: true, followSymlinks: false, depth: 0, ignored });
    this.#watcher = watcher;
    watcher.on('all', (event, name) => {
      if (event === 'addDir' && name === next) void this.#restart(watcher, folder);
      else this.#tell();
    });
    // A folder that was removed, or removed and made again, sends no further events.
    watcher.on('raw', () => {
      void identityOf(watched).then((now) => (now === identity ? undefined : this.#restart(watcher, folder)));
    });
    watcher.on('error', (cause) => this.#world.onFailure(watchFailed(cause)));
    watcher.once('ready', () => {
      this.#tell();
      // It may have appeared before the watch was ready.
      if (next !== undefined)
        void isFolder(next).then((exists) => (exists ? this.#restart(watcher, folder) : undefined));
    });
  }

  async #restart(watcher: FSWatcher, folder: string): Promise<void> {
    if (this.#watcher !== watcher) return;
    this.#watcher = undefined;
    try {
      await watcher.close();
      if (!this.#isEnded) await this.start(folder);
    } catch (cause) {
      this.#world.onFailure(watchFailed(cause));
    }
  }

  #tell(): void {
    if (this.#isEnded) return;
    this.#endTimer ??= this.#world.clock.setTimer(() => {
      this.#endTimer = undefined;
      if (!this.#isEnded) this.#listener();
    }, gatherMs);
  }

  async end(): Promise<void> {
    this.#isEnded = true;
    this.#endTimer?.();
    await this.#watcher?.close();
  }
}

/** Returns the folder, or the nearest existing one around it with the path that is missing in it. */
async function nearestFolder(folder: string, missing?: string): Promise<readonly [string, string | undefined]> {
  const parent = path.dirname(folder);
  return parent === folder || (await isFolder(folder)) ? [folder, missing] : nearestFolder(parent, folder);
}

/** Returns a text that another folder with the same path does not have. Undefined if there is none. */
function identityOf(folder: string): Promise<string | undefined> {
  return lstat(folder, { bigint: true }).then(
    ({ ino, birthtimeNs }) => `${ino} ${birthtimeNs}`,
    () => undefined,
  );
}

/** Links are not followed. */
function isFolder(name: string): Promise<boolean> {
  return lstat(name).then(
    (found) => found.isDirectory(),
    () => false,
  );
}

function watchFailed(cause: unknown): EngineError {
  return new EngineError({
    code: 'proposal.watch-failed',
    message: `New proposals are not detected while this window is open. ${toErrorRecord(cause).message}`,
    cause,
  });
}
