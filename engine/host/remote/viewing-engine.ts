/**
 * The parts of engines that show runs which this computer did not run: those of a shared history, and runs that people
 * have sent. Everything else is refused.
 */
import type { EngineError } from '../../base/engine-error.ts';
import { programVersion } from '../../base/program-version.ts';
import type { Engine } from '../../engine.ts';
import type { StoredDefinition } from '../../language/flow/stored-definition.ts';
import { permissionsAmong } from '../plans/permission-answers.ts';
import type { RunHistoryReader } from '../reads/history.ts';

/** Methods of the base engine that neither act nor depend on the history. All others are refused. */
const ownMethods = [
  ...(['listAgents', 'listStepAgents', 'listNodeTypes', 'checkAgent', 'checkScripts', 'listPacks'] as const),
  ...(['listModels', 'readModelSettings', 'checkModels', 'listSecrets', 'readTrust', 'readTeam'] as const),
  ...(['listConversations', 'watchConversation', 'listMcpServers', 'watchMcpServers', 'listAllowedTools'] as const),
  ...(['listPolicies', 'checkPolicy', 'listPrivateHosts', 'listTools', 'listExamples', 'listGallery'] as const),
  ...(['readGalleryPicture', 'listWritten', 'readGit', 'searchFiles', 'countMatches', 'listProducts'] as const),
  'watchActivity',
] as const satisfies readonly (keyof Engine)[];

/**
 * Creates an engine that reads runs. All its other methods refuse, except those that concern this computer.
 * @param base an engine of an empty folder
 */
export function createViewingEngine(base: Engine, reader: RunHistoryReader, refused: () => EngineError): Engine {
  return {
    ...refusals(base, refused),
    workspace: base.workspace,
    ...Object.fromEntries(ownMethods.map((name) => [name, base[name]])),
    watchAgent: async () => () => undefined,
    listProposals: async () => ({ proposals: [], problems: [] }),
    watchProposals: () => () => undefined,
    watchAssistance: () => () => undefined,
    watchTriggers: () => () => undefined,
    ...reader,
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
    exportRun: async (runId, to, format = 'bundle') =>
      (await import('../reads/export-trace.ts')).saveRunAs(reader, runId, { format, to, version: programVersion }),
  };
}

/** Returns an object with all methods of the engine, each of which refuses. */
function refusals(base: Engine, refused: () => EngineError): Engine {
  const refuse = async (): Promise<never> => {
    throw refused();
  };
  return Object.fromEntries(Object.keys(base).map((name) => [name, refuse])) as unknown as Engine;
}

/** The methods of an engine that list and read flows. */
export type RecordedFlows = Pick<
  Engine,
  'listFlows' | 'readFlow' | 'readSchemas' | 'listFolder' | 'findFiles' | 'readFile' | 'readAgent'
>;

/** The definitions that runs executed. */
interface DefinitionSource {
  listPaths(): Promise<readonly string[]>;
  /** @throws EngineError `files.not-found` */
  read(path: string): Promise<StoredDefinition>;
  /** Explains in the window why a flow is read-only. */
  readonly readOnly: string;
}

/** Shows the definitions that runs executed in place of the files of a workspace. */
export function createRecordedFlows({ listPaths, read, readOnly }: DefinitionSource): RecordedFlows {
  return {
    listFlows: async () => (await listPaths()).map((path) => ({ path, change: null })),
    readFlow: async (path) => ({ text: (await read(path)).text, loss: readOnly }),
    readFile: async (path) => ({ text: (await read(path)).text, isWritable: false }),
    readAgent: async (agent) => ({ text: (await read(agent)).text, file: agent, path: null, isWritable: false }),
    async readSchemas({ path, names }) {
      const { schemas } = await read(path);
      return names.flatMap((name) => {
        const file = schemas.get(name);
        return file === undefined ? [] : [[name, file] as const];
      });
    },
    listFolder: async (folder) => ({ entries: entriesIn(await listPaths(), folder), isCut: false }),
    findFiles: async () => ({ paths: [...(await listPaths())], isCut: false }),
  };
}

type FolderEntry = Awaited<ReturnType<Engine['listFolder']>>['entries'][number];

/** @param folder path without a slash at its end; empty for all flows */
function entriesIn(paths: readonly string[], folder: string): readonly FolderEntry[] {
  const start = folder === '' ? '' : `${folder}/`;
  const entries = new Map<string, FolderEntry>();
  for (const path of paths) {
    if (!path.startsWith(start)) continue;
    const [name = '', ...rest] = path.slice(start.length).split('/');
    const entry = { name, path: `${start}${name}`, change: null };
    entries.set(name, rest.length === 0 ? { ...entry, kind: 'file' } : { ...entry, kind: 'folder' });
  }
  const rank = ({ kind }: FolderEntry): number => (kind === 'folder' ? 0 : 1);
  return [...entries.values()].sort((a, b) => rank(a) - rank(b) || a.name.localeCompare(b.name));
}
