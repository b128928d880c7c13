/**
 * An engine that shows the runs of a shared history, and answers, pauses and cancels them. Their workers run them, so nothing
 * else that would act is available.
 */
import type { Clock } from '../../base/clock.ts';
import { EngineError } from '../../base/engine-error.ts';
import type { Engine } from '../../engine.ts';
import type { SharedHistory } from '../../history/postgres/shared-history.ts';
import { systemUser } from '../executor/decide-answer.ts';
import type { RunHistoryReader } from '../reads/history.ts';
import { answerSharedRun, pauseSharedRun } from '../reads/shared-answers.ts';
import { createSharedReader } from '../reads/shared-history-reads.ts';
import { RemoteChanges } from './remote-changes.ts';
import { RemoteConnection } from './remote-connection.ts';
import { createRemoteFlows } from './remote-flows.ts';
import { createViewingEngine } from './viewing-engine.ts';

export interface RemoteEngineOptions {
  /** An engine of an empty folder with a history in memory. Answers what concerns this computer, such as its settings. */
  readonly base: Engine;
  /** Opens the history. @throws EngineError `store.*` */
  readonly open: (password: string | undefined) => Promise<SharedHistory>;
  /** Returns the current password; undefined if none is stored. */
  readonly password: () => string | undefined;
  readonly clock: Clock;
}

/** Creates the engine. It connects when it is first used. Closing it closes the base engine. */
export function createRemoteEngine({ base, open, password, clock }: RemoteEngineOptions): Engine {
  const connection = new RemoteConnection({ open, password, clock });
  const changes = new RemoteChanges(connection, clock);
  const reader = lateReader(connection);
  const { subscribe, watchHistory, watchFlows, watchFiles } = changes;
  return {
    ...createViewingEngine(base, reader, refused),
    get notices() {
      const { problem } = connection;
      return problem === undefined ? base.notices : [...base.notices, lost(problem)];
    },
    ...{ subscribe, watchHistory, watchFlows, watchFiles },
    ...createRemoteFlows(connection),
    resumeRun: (request) =>
      connection.use(async (history) => {
        await answerSharedRun(history, request, { now: clock.now(), policies: [] });
        return { runId: request.runId };
      }),
    pauseRun: (runId) => connection.use((history) => pauseSharedRun(history, runId)),
    async cancelRun(runId) {
      if (runId === undefined) throw refused();
      await connection.use((history) => history.request(runId, 'cancel', systemUser()));
    },
    async close() {
      changes.close();
      await connection.close();
      await base.close();
    },
  };
}

/** Returns a reader that connects at each call if necessary. */
function lateReader(connection: RemoteConnection): RunHistoryReader {
  type Read = (...args: readonly unknown[]) => Promise<unknown>;
  const names = Object.keys(createSharedReader({} as SharedHistory)) as (keyof RunHistoryReader)[];
  const late = (name: keyof RunHistoryReader): Read => {
    return async (...args) =>
      await connection.use(async (history) => await (createSharedReader(history)[name] as unknown as Read)(...args));
  };
  return Object.fromEntries(names.map((name) => [name, late(name)])) as unknown as RunHistoryReader;
}

function refused(): EngineError {
  return new EngineError({
    code: 'engine.remote',
    message:
      'This window shows a remote history, in which you can watch, answer, pause and cancel runs. Open a folder on this computer for anything else.',
  });
}

function lost({ code, message }: EngineError): { readonly code: string; readonly message: string } {
  const isTemporary = code === 'store.unreachable' || code === 'store.not-found';
  return { code, message: isTemporary ? `${message} Millrace reconnects automatically.` : message };
}
