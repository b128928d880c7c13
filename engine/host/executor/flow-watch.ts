/**
 * Provides a single watch of the workspace's files for all subscribers, which is active only while there are any.
 */
import type { Clock } from '../../base/clock.ts';
import type { EngineError } from '../../base/engine-error.ts';
import { Listeners } from '../../base/listeners.ts';
import type { FlowWatch, WatchedChange } from '../../world/files/flow-watcher.ts';
import { warn } from './warn.ts';

export interface FlowWatchOptions {
  /** Absolute path of the workspace folder. */
  readonly workspace: string;
  readonly clock: Clock;
  /** Called when the system stops reporting changes. */
  readonly onFailure: (error: EngineError) => void;
}

/**
 * A shared watch. It takes a while to start and anything may change in the meantime, so each listener is first called
 * without paths. No change is missed afterwards.
 */
export interface SharedFlowWatch {
  /** Subscribes to changes of flow files. Returns a function that unsubscribes. */
  subscribe(listener: (changedPaths: readonly string[]) => void): () => void;
  /** Subscribes to changes of all files. Returns a function that unsubscribes. */
  subscribeToFiles(listener: (change: WatchedChange) => void): () => void;
  /** Ends the watch and all subscriptions. */
  close(): Promise<void>;
}

/** Creates a watch that has not started. */
export function createSharedFlowWatch({ workspace, clock, onFailure }: FlowWatchOptions): SharedFlowWatch {
  const flowListeners = new Listeners<[readonly string[]]>();
  const fileListeners = new Listeners<[WatchedChange]>();
  let watch: Promise<FlowWatch> | undefined;
  let isClosed = false;

  /** Starts watching. The watcher is loaded on demand, because the command line never watches files. */
  async function begin(): Promise<FlowWatch> {
    const { watchFlows } = await import('../../world/files/flow-watcher.ts');
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

  /** @param tellAll notifies this listener that anything may have changed */
  function leaving(leave: () => void, tellAll: () => void): () => void {
    if (!isClosed) watch ??= begin();
    let isHeard = true;
    void watch
      ?.then(({ ready }) => ready)
      .then(() => {
        if (isHeard && !isClosed) tellAll();
      });
    return () => {
      isHeard = false;
      leave();
      if (flowListeners.count + fileListeners.count === 0) void end();
    };
  }

  return {
    subscribe: (listener) => leaving(flowListeners.add(listener), () => listener([])),
    subscribeToFiles: (listener) => leaving(fileListeners.add(listener), () => listener({ paths: [], isTree: true })),
    async close() {
      isClosed = true;
      flowListeners.clear();
      fileListeners.clear();
      await end();
    },
  };
}
