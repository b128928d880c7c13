/**
 * Watches the folder of proposals.
 */
import { watch } from 'chokidar';
import type { Clock } from '../../base/clock.ts';
import { EngineError, toErrorRecord } from '../../base/engine-error.ts';
import { makeProposalFolder, proposalFolder } from './proposal-files.ts';

interface WatchWorld {
  /** Absolute path. */
  readonly workspace: string;
  readonly clock: Clock;
  readonly onFailure: (error: EngineError) => void;
}

/** Changes within this time, in milliseconds, are reported together. */
const gatherMs = 50;

/**
 * Returns a function that starts a watch and resolves to a function that ends it. Creates the folder, because only an
 * existing folder can be watched.
 */
export function watchProposals({ workspace, clock, onFailure }: WatchWorld) {
  return async (listener: () => void): Promise<() => Promise<void>> => {
    let endTimer: (() => void) | undefined;
    let isEnded = false;
    const tell = (): void => {
      endTimer = undefined;
      if (!isEnded) listener();
    };
    try {
      await makeProposalFolder(workspace);
      const folder = await proposalFolder(workspace);
      const watcher = watch(folder, { ignoreInitial: true, followSymlinks: false, depth: 0 });
      watcher.on('all', () => {
        if (!isEnded) endTimer ??= clock.setTimer(tell, gatherMs);
      });
      watcher.on('error', (cause) => onFailure(watchFailed(cause)));
      watcher.once('ready', tell);
      return async () => {
        isEnded = true;
        endTimer?.();
        await watcher.close();
      };
    } catch (cause) {
      onFailure(watchFailed(cause));
      tell();
      return async () => {
        isEnded = true;
      };
    }
  };
}

function watchFailed(cause: unknown): EngineError {
  return new EngineError({
    code: 'proposal.watch-failed',
    message: `New proposals are not detected while this window is open. ${toErrorRecord(cause).message}`,
    cause,
  });
}
