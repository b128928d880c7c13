/**
 * One window's line to the engine: answers its calls, and tells it what happens.
 */
import type { Engine } from '../../engine/index.ts';
import type { Clock } from '../ipc/engine-base.ts';
import { engineContract, type enginePushes } from '../ipc/engine-contract.ts';
import { createPushSender, serve } from '../ipc/rpc.ts';
import type { Transport } from '../ipc/transport.ts';
import { createEngineHandlers } from './engine-handlers.ts';
import { createEventBatcher } from './event-batcher.ts';

const maxPushedPaths = 1_000;

/** Serves a window until its transport is cut; then nothing of it is left. */
export function serveWindow(engine: Engine, transport: Transport, clock: Clock): void {
  const push = createPushSender<typeof enginePushes>(transport);
  const batcher = createEventBatcher({
    clock,
    send: (events) => push('run.events', { events }),
    readEvents: (runId, afterSeq, limit) => engine.readEvents(runId, afterSeq, limit),
  });
  const handlers = createEngineHandlers(engine, batcher.acknowledge);
  const ends = [
    serve(engineContract, handlers, transport),
    () => void handlers['file.endSearch']({}),
    engine.subscribe(batcher.offer),
    engine.watchFlows((paths) => push('flow.changed', { paths })),
    engine.watchFiles(({ paths, isTree }) => {
      // Without paths, git's view has changed.
      for (let start = 0; start === 0 || start < paths.length; start += maxPushedPaths) {
        push('file.changed', { paths: paths.slice(start, start + maxPushedPaths), isTree });
      }
    }),
    engine.watchHistory(() => push('history.changed', {})),
    batcher.end,
  ];
  transport.onClose(() => {
    for (const end of ends) end();
  });
}
