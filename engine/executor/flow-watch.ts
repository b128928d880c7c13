/**
 * One watch of the workspace's files for all who want to know; it runs only while somebody does.
 */
import type { Clock } from '../base/clock.ts';
import type { EngineError } from '../base/engine-error.ts';
import { Listeners } from '../base/listeners.ts';
import type { FlowWatch, WatchedChange } from '../files/flow-watcher.ts';
import { warn } from './warn.ts';

export interface FlowWatchOptions {
  /** The workspace folder, absolute. */
  readonly workspace: string;
  readonly clock: Clock;
  /** Told when the system gives no more notices of changes. */
  readonly onFailure: (error: EngineError) => void;
}

export interface SharedFlowWatch {
  /** Tells of flow files. Returns the subscription's end. */
  subscribe(listener: (changedPaths: readonly string[]) => void): () => void;
  /** Tells of all files. Returns the subscription's end. */
  subscribeToFiles(listener: (change: WatchedChange) => void): () => void;
  /** Ends the watch and all subscriptions. */
  close(): Promise<void>;
}

/** Makes a watch that has not begun. */
export function createSharedFlowWatch({ workspace, clock, onFailure }: FlowWatchOptions): SharedFlowWatch {
  const flowListeners = new Listeners<[readonly string[]]>();
  const fileListeners = new Listeners<[WatchedChange]>();
  let watch: Promise<FlowWatch> | undefined;
  let isClosed = false;

  /** The watcher is loaded here because the command line, which never watches, should not pay for it. */
  async function begin(): Promise<FlowWatch> {
    const { watchFlows } = await import('../files/flow-watcher.ts');
    return watchFlows({
      ...{ workspace, clock, onFailure },
      onChange: (paths) => flowListeners.tell(warn, paths),
      onFiles: (change) => fileListeners.tell(warn, change),
    });
  }

  async function end(): Promise<void> {
    const ending = watch;
    watch = undefined;
    await (await ending)?.end();
  }

  function leaving(leave: () => void): () => void {
    if (!isClosed) watch ??= begin();
    return () => {
      leave();
      if (flowListeners.count + fileListeners.count === 0) void end();
    };
  }

  return {
    subscribe: (listener) => leaving(flowListeners.add(listener)),
    subscribeToFiles: (listener) => leaving(fileListeners.add(listener)),
    async close() {
      isClosed = true;
      flowListeners.clear();
      fileListeners.clear();
      await end();
    },
  };
}
