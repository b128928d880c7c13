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

/**
 * A watch needs a while to begin, so the first that each listener is told, without any path, is that everything may have
 * changed up to now; from then on nothing is missed.
 */
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

  /** @param tellAll tells this one listener that everything may have changed */
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
