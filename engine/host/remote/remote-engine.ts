/**
 * An engine that shows the runs of a shared history, and answers and cancels them. Their workers run them, so nothing
 * else that would act is available.
 */
import type { Clock } from '../../base/clock.ts';
import { EngineError } from '../../base/engine-error.ts';
import { programVersion } from '../../base/program-version.ts';
import type { Engine } from '../../engine.ts';
import type { SharedHistory } from '../../history/postgres/shared-history.ts';
import { systemUser } from '../executor/decide-answer.ts';
import { permissionsAmong } from '../plans/permission-answers.ts';
import type { RunHistoryReader } from '../reads/history.ts';
import { answerSharedRun } from '../reads/shared-answers.ts';
import { createSharedReader } from '../reads/shared-history-reads.ts';
import { RemoteChanges } from './remote-changes.ts';
import { RemoteConnection } from './remote-connection.ts';
import { createRemoteFlows } from './remote-flows.ts';

export interface RemoteEngineOptions {
  /** An engine of an empty folder with a history in memory. Answers what concerns this computer, such as its settings. */
  readonly base: Engine;
  /** Opens the history. @throws EngineError `store.*` */
  readonly open: (password: string | undefined) => Promise<SharedHistory>;
  /** Returns the current password; undefined if none is stored. */
  readonly password: () => string | undefined;
  readonly clock: Clock;
}

/** Methods of the base engine that neither act nor depend on the history. All others are refused. */
const ownMethods = [
  ...(['listAgents', 'listStepAgents', 'listNodeTypes', 'checkAgent', 'checkScripts', 'listPacks'] as const),
  ...(['listModels', 'readModelSettings', 'checkModels', 'listSecrets', 'readTrust', 'readTeam'] as const),
  ...(['listConversations', 'watchConversation', 'listMcpServers', 'watchMcpServers', 'listAllowedTools'] as const),
  ...(['listPolicies', 'checkPolicy', 'listPrivateHosts', 'listTools', 'listExamples', 'listGallery'] as const),
  ...(['readGalleryPicture', 'listWritten', 'readGit', 'searchFiles', 'countMatches', 'listProducts'] as const),
  'watchActivity',
] as const satisfies readonly (keyof Engine)[];

/** Creates the engine. It connects when it is first used. Closing it closes the base engine. */
export function createRemoteEngine({ base, open, password, clock }: RemoteEngineOptions): Engine {
  const connection = new RemoteConnection({ open, password, clock });
  const changes = new RemoteChanges(connection, clock);
  const reader = lateReader(connection);
  const { subscribe, watchHistory, watchFlows, watchFiles } = changes;
  return {
    ...refusals(base),
    workspace: base.workspace,
    get notices() {
      const { problem } = connection;
      return problem === undefined ? base.notices : [...base.notices, lost(problem)];
    },
    ...Object.fromEntries(ownMethods.map((name) => [name, base[name]])),
    ...{ subscribe, watchHistory, watchFlows, watchFiles },
    watchAgent: async () => () => undefined,
    listProposals: async () => ({ proposals: [], problems: [] }),
    watchProposals: () => () => undefined,
    watchAssistance: () => () => undefined,
    watchTriggers: () => () => undefined,
    ...reader,
    ...createRemoteFlows(connection),
    // A plan compares a run with files of this computer.
    planRerun: async () => [],
    estimate: async () => undefined,
    latestOutput: async () => undefined,
    checkFlowInPlace: async () => [],
    whenRedone: async () => undefined,
    listLeftProcesses: async () => [],
    listRunLabels: async () => [],
    readRunStats: async (query) => (await import('../reads/run-stats.ts')).readRunStats(reader, query),
    readTaskTimes: async (runIds, limit) =>
      (await import('../reads/run-stats.ts')).readTaskTimes(reader, runIds, limit),
    waitingPermissions: async (runId) => permissionsAmong(await reader.waiting(runId)),
    resumeRun: (request) =>
      connection.use(async (history) => {
        await answerSharedRun(history, request, { now: clock.now(), policies: [] });
        return { runId: request.runId };
      }),
    async cancelRun(runId) {
      if (runId === undefined) throw refused();
      await connection.use((history) => history.requestCancel(runId, systemUser()));
    },
    exportRun: async (runId, to, format = 'bundle') =>
      (await import('../reads/export-trace.ts')).saveRunAs(reader, runId, { format, to, version: programVersion }),
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

/** Returns an object with all methods of the engine, each of which refuses. */
function refusals(base: Engine): Engine {
  const refuse = async (): Promise<never> => {
    throw refused();
  };
  return Object.fromEntries(Object.keys(base).map((name) => [name, refuse])) as unknown as Engine;
}

function refused(): EngineError {
  return new EngineError({
    code: 'engine.remote',
    message:
      'This window shows a remote history, in which you can watch, answer and cancel runs. Open a folder on this computer for anything else.',
  });
}

function lost({ code, message }: EngineError): { readonly code: string; readonly message: string } {
  const isTemporary = code === 'store.unreachable' || code === 'store.not-found';
  return { code, message: isTemporary ? `${message} Millrace reconnects automatically.` : message };
}
