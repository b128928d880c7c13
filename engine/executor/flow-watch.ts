/**
 * One watch of the workspace's flow files for all who want to know; it runs only while somebody does.
 */
import type { Clock } from '../base/clock.ts';
import type { EngineError } from '../base/engine-error.ts';
import { Listeners } from '../base/listeners.ts';
import type { FlowWatch } from '../files/flow-watcher.ts';
import { warn } from './warn.ts';

export interface FlowWatchWorld {
  /** The workspace folder, absolute. */
  readonly workspace: string;
  readonly clock: Clock;
  /** Told when the system gives no more notices of changes. */
  readonly onFailure: (error: EngineError) => void;
}

type FlowListener = (changedPaths: readonly string[]) => void;

export interface SharedFlowWatch {
  /** Returns the subscription's end. */
  subscribe(listener: FlowListener): () => void;
  /** Ends the watch and all subscriptions. */
  close(): Promise<void>;
}

/** Makes a watch that has not begun. */
export function createSharedFlowWatch({ workspace, clock, onFailure }: FlowWatchWorld): SharedFlowWatch {
  const listeners = new Listeners<[readonly string[]]>();
  let watch: Promise<FlowWatch> | undefined;

  /** The watcher is loaded here because the command line, which never watches, should not pay for it. */
  async function begin(): Promise<FlowWatch> {
    const { watchFlows } = await import('../files/flow-watcher.ts');
    return watchFlows({ workspace, clock, onFailure, onChange: (paths) => listeners.tell(warn, paths) });
  }

  async function end(): Promise<void> {
    const ending = watch;
    watch = undefined;
    await (await ending)?.end();
  }

  return {
    subscribe(listener) {
      const leave = listeners.add(listener);
      watch ??= begin();
      return () => {
        leave();
        if (listeners.count === 0) void end();
      };
    },
    async close() {
      listeners.clear();
      await end();
    },
  };
}
