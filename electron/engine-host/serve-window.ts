/**
 * One window's line to the engine: the engine itself answers the calls that the contract names. What the window is told is
 * limited here to what it can take.
 */
import type { Engine } from '../../engine/index.ts';
import type { Clock } from '../ipc/engine-base.ts';
import { engineContract } from '../ipc/engine-contract.ts';
import type { Handlers } from '../ipc/rpc.ts';
import { serve } from '../ipc/rpc-server.ts';
import type { Transport } from '../ipc/transport.ts';
import { createEventBatcher } from './event-batcher.ts';

const maxPathsAtOnce = 1_000;

/** Serves a window until its transport is cut; then nothing of it is left. */
export function serveWindow(engine: Engine, transport: Transport, clock: Clock): void {
  const handlers: Handlers<typeof engineContract> = {
    ...engine,
    readNotices: () => engine.notices,
    subscribe(push) {
      const batcher = createEventBatcher({
        clock,
        send: (events) => void push(events).then(() => batcher.acknowledge(events.length)),
        readEvents: engine.readEvents,
      });
      const unsubscribe = engine.subscribe(batcher.offer);
      return () => {
        unsubscribe();
        batcher.end();
      };
    },
    watchFiles: (push) =>
      engine.watchFiles(({ paths, isTree }) => {
        // Without paths, git's view has changed.
        for (let start = 0; start === 0 || start < paths.length; start += maxPathsAtOnce) {
          void push({ paths: paths.slice(start, start + maxPathsAtOnce), isTree });
        }
      }),
  };
  serve(engineContract, handlers, transport);
}
