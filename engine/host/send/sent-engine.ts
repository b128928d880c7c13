/**
 * An engine that shows a run that someone sent, and replays it. It runs no code from the file, writes nothing, and asks for
 * nothing.
 */
import type { Clock } from '../../base/clock.ts';
import { EngineError } from '../../base/engine-error.ts';
import { Listeners } from '../../base/listeners.ts';
import type { Engine } from '../../engine.ts';
import type { RunListener } from '../../runtime/kernel/hub/hub-core.ts';
import { warn } from '../executor/warn.ts';
import type { RunHistoryReader } from '../reads/history.ts';
import { createRecordedFlows, createViewingEngine } from '../remote/viewing-engine.ts';
import type { ReceivedRun } from './received-run.ts';
import type { Replays } from './replays.ts';

/** Explains in the window why a flow is read-only. */
const readOnly = 'This is the version that the sent run executed.';

/**
 * Creates the engine. Closing it closes the base engine and the run's history.
 * @param base an engine of an empty folder with a history in memory
 */
export function createSentEngine(base: Engine, received: ReceivedRun, clock: Clock): Engine {
  let replays: Promise<Replays> | undefined;
  const listeners = new Listeners<Parameters<RunListener>>();
  const { store, history, problems } = received;
  const reader: RunHistoryReader = {
    ...history,
    // No answer can be given here.
    waiting: async () => [],
    listWaiting: async () => [],
    listWaitingRequests: async () => [],
  };
  const never = () => () => undefined;
  return {
    ...createViewingEngine(base, reader, refused),
    get notices() {
      const damaged = { code: 'sent.damaged', message: problems.join(' ') };
      return problems.length === 0 ? base.notices : [...base.notices, damaged];
    },
    ...{ watchHistory: never, watchFlows: never, watchFiles: never },
    subscribe: (listener) => listeners.add(listener),
    async replayRun() {
      replays ??= import('./replays.ts').then((loaded) => {
        const made = new loaded.Replays(received, clock);
        made.subscribe((events) => listeners.tell(warn, events));
        return made;
      });
      return { runId: (await replays).start().runId };
    },
    async cancelRun(runId) {
      const active = await replays;
      if (runId === undefined || active?.has(runId) !== true) throw refused();
      active.cancel(runId);
    },
    ...sentFlows(received),
    async close() {
      await (await replays)?.close();
      listeners.clear();
      await base.close();
      store.close();
    },
  };
}

function sentFlows({ definitions }: ReceivedRun) {
  return createRecordedFlows({
    readOnly,
    listPaths: async () => [...definitions.keys()].filter((path) => !path.endsWith('.aip')),
    async read(path) {
      const found = definitions.get(path);
      if (found !== undefined) return found;
      throw new EngineError({ code: 'files.not-found', message: `The sent run has no definition of ${path}.` });
    },
  });
}

function refused(): EngineError {
  return new EngineError({
    code: 'engine.sent',
    message: 'This window shows a sent run, which is read-only. Open a folder for anything else.',
  });
}
