/**
 * The engine for host programs: the desktop's engine process, the command line, or a program of your own.
 */

import { existsSync } from 'node:fs';
import { isAbsolute, join, resolve } from 'node:path';
import { type Clock, systemClock } from './base/clock.ts';
import type { IdSource } from './base/ids.ts';
import type { CassetteMode } from './cassette/cassette-player.ts';
import type { FlowClass } from './dialogue/base-flow.ts';
import type { Engine } from './engine.ts';
import { createExecutor } from './executor/executor.ts';
import type { FindToolProblems } from './executor/flow-definitions.ts';
import type { FlowJobsOptions } from './executor/flow-jobs.ts';
import { createSharedFlowWatch } from './executor/flow-watch.ts';
import { createHistory, createHistoryWatch } from './executor/history.ts';
import { createIdSource } from './executor/id-source.ts';
import { createNotices } from './executor/notices.ts';
import { permissionsAmong } from './executor/permission-answers.ts';
import { actionsOf } from './executor/run-actions.ts';
import { readFlowText } from './files/read-flow.ts';
import { resolveInWorkspace } from './files/workspace-path.ts';
import { MAX_FLOW_TEXT_LENGTH } from './flowspec/flow-limits.ts';
import { productsFolder } from './flowspec/product-path.ts';
import { callKeyOf } from './flowspec/schema-files.ts';
import type { CallingFile } from './host/called-flows.ts';
import { createConversationAccess, flowClassesOf } from './host/conversation-access.ts';
import { withConversations } from './host/conversation-permissions.ts';
import { createFileService } from './host/file-service.ts';
import type { Home } from './host/home.ts';
import { createLeftProcesses } from './host/left-processes.ts';
import { createAgentTypes, modelsOf, toolsOf } from './host/loaded-later.ts';
import { openSpans } from './host/open-spans.ts';
import { createPackAdmission } from './host/pack-admission.ts';
import { createPolicyService } from './host/policy-service.ts';
import { programVersion } from './host/program-version.ts';
import type { PureAgentOptions } from './host/pure-agent-service.ts';
import { teamNotices } from './host/team-view.ts';
import { createWorld, type OpenedCapabilities } from './host/world.ts';
import { createInboxRouter } from './kernel/inbox.ts';
import type { RegistryOptions } from './nodes/node-registry.ts';
import type { findProductProblems } from './product/product-findings.ts';
import { inMemory, openWorkspaceStore } from './store/open-workspace-store.ts';
import { currentOwner } from './store/owner.ts';
import { openWorkspaceFlows } from './workspace-flows.ts';

export { type Clock, systemClock } from './base/clock.ts';
export type {
  ConversationEngine,
  ConversationListener,
  ConversationNotice,
  ToSay,
} from './conversation/conversation-engine.ts';
export type { AcceptedAgent, Engine, RunActions, RunReads } from './engine.ts';
export type { StartAgent } from './executor/agent-jobs.ts';
export type { LeftProcessEngine } from './host/left-processes.ts';
export type { OpenedCapabilities } from './host/world.ts';
export type { SessionRecord } from './store/session-row.ts';

/** Where an engine works, what it takes from the world, and which node types it has beside the built-in ones. */
export interface EngineOptions extends RegistryOptions, PureAgentOptions {
  /** The workspace folder. */
  readonly workspace: string;
  /** File for the history, or `:memory:` for one that ends with the engine; without it, `.millrace/runs.db` of the workspace. */
  readonly storeFile?: string;
  /** Folder with the person's packs and settings; without it, `MILLRACE_HOME`, else `.aipack-base` in their home folder. */
  readonly homeFolder?: string;
  /** Environment variables, for keys and settings; without it, those of this process. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Keys by the name of their variable, asked before the environment, such as those of a vault. */
  readonly keyOf?: (variable: string) => string | undefined;
  /** What a vault keeps, by variable: flows find their secrets there. */
  readonly vault?: () => Readonly<Record<string, string>>;
  /**
   * Sends keys of models only to hosts that the person's own settings name for them, that are known, or that `allowKey` was
   * called for: not to one that a workspace's settings name, though it is trusted.
   */
  readonly bindsKeys?: true;
  /**
   * Until the workspace is trusted, agents that are named by a path, files as inputs and definitions that are read again lie in the
   * workspace, the base folder or a pack: for a host whose callers are pages, which may have been taken over.
   */
  readonly confinesReading?: true;
  /** Folder with the packs that come with the program, absolute; without it there are none. */
  readonly builtInPacks?: string;
  /** Folder with flows to begin with and the files they work on, absolute; without it there are none. */
  readonly examplesFolder?: string;
  /** Folders (absolute) that scripts never see, whatever is trusted: where the program keeps what is the person's own. */
  readonly privateFolders?: readonly string[];
  /** Trusts the workspace whatever the person's list says, for this one engine. */
  readonly isTrusted?: true;
  /**
   * Nodes of flows that lack a permission wait for it instead of failing: for hosts that run flows for a person, who gives it in
   * a dialog of the system or at a terminal.
   */
  readonly asksPermission?: true;
  /** Milliseconds that each script of an agent may take; without it there is no limit. */
  readonly scriptTimeoutMs?: number;
  /**
   * Runs of the history that nobody has go on in this engine when they were answered, and their deadlines are kept; only in a
   * workspace that is trusted. Without it, the engine looks after the runs alone that it has started or was told to resume.
   */
  readonly resumesAnswered?: true;
  /**
   * Classes for the flows of conversations: each for the flow of a catalogue that its static `flowName` names or, without one, for all
   * other flows of its static `intent`. Their slots are those of the catalogue.
   */
  readonly flows?: readonly FlowClass[];
  readonly clock?: Clock;
  readonly ids?: IdSource;
  /** Records calls of models and HTTP to a file (absolute), or answers them from it; see `docs/cassettes.md`. */
  readonly cassette?: { readonly file: string; readonly mode: CassetteMode };
}

const maxConcurrentRuns = 4;

/** The options of an engine that concern what nodes may use of the world. */
export type CapabilityOptions = Omit<EngineOptions, 'storeFile' | 'examplesFolder' | 'flows'>;

/**
 * Opens what nodes may use of the world as an engine offers it, without its history: for runs on a host of another kind. Whoever opens it
 * closes it.
 * @throws EngineError `node-type.duplicate` | `node-pack.duplicate`; with `agents` `agent.no-base-agent` | `agent.bad-name` |
 *   `agent.duplicate`; with `cassette` as `createEngine` does
 */
export async function openCapabilities(options: CapabilityOptions): Promise<OpenedCapabilities> {
  const { clock = systemClock, ids = createIdSource(clock) } = options;
  const { capabilities, registry, close } = await createWorld(
    { ...options, workspace: resolve(options.workspace), clock, ids },
    () => undefined,
  );
  return { capabilities, registry, close };
}

/**
 * Opens the engine of one workspace. Whoever opens it closes it.
 * @throws EngineError `workspace.not-found` | `node-type.duplicate` | `node-pack.duplicate`; with `agents` also
 *   `agent.no-base-agent` | `agent.bad-name` | `agent.duplicate`; with `flows` `flow-class.invalid`; with `storeFile`
 *   `store.unreadable` | `store.newer-version` | `store.full` | `store.write-failed`; with `cassette` also
 *   `cassette.not-found` | `cassette.unreadable` | `cassette.newer-format` | `files.not-writable`
 */
export async function createEngine(options: EngineOptions): Promise<Engine> {
  const [workspace, flowClasses] = [resolve(options.workspace), flowClassesOf(options.flows)];
  const flows = openWorkspaceFlows(workspace);
  const { clock = systemClock } = options;
  const inboxes = createInboxRouter({ clock });
  const place = { ...options, workspace, clock, ids: options.ids ?? createIdSource(clock) };
  const { registry, home, agents, secrets, mcp, policies, tools, ...world } = await createWorld(place, (note) =>
    notices.note(note),
  );
  const { store, notices: storeNotices } = await openStore(place);
  const notices = createNotices([...storeNotices, ...teamNotices(home.team())]);
  const agentTypes = createAgentTypes({ ...agents.source, workspace, baseFolder: home.baseFolder });
  const types = { readAgentType: agentTypes.read, catalog: registry };
  const reading = fileReader(place, { ...home, ...types });
  const findProblems = problemFinder(workspace, [world.pureAgents, tools]);
  const readText = textReader(place, home.isTrustedNow);
  const readSeen = world.written.readingSeen(readText);
  const held = { store, registry, policies: policies.current, flowClasses };
  const executor = createExecutor({
    ...{ openSecrets: secrets.open, admitSecret: secrets.admit },
    ...{ ...agents.source, ...world, ...held, inboxes, workspace, maxConcurrentRuns },
    ...{ agentRuns: agents.runs, listInputFiles: agents.listInputs, compileScripts: agents.compileScripts },
    findToolProblems: findProblems,
    installPack: home.installMissing,
    onRecordFailure: notices.noteRecordFailure,
    ...{ onRefusedRedo: notices.note, onRefusedResume: notices.note },
    onReminded: () => historyWatch.tell(),
    // A history that came with a folder starts nothing by itself before its person trusts it.
    resumesAnswered: options.resumesAnswered === true ? home.isTrusted : undefined,
    readDefinition: readText,
    ...reading,
  });
  const watch = createSharedFlowWatch({ workspace, clock, onFailure: notices.note });
  const historyWatch = createHistoryWatch(store, clock);
  const history = createHistory(store);
  const conversations = createConversationAccess({ ...world, ...held, executor, historyWatch, readText: readSeen });
  const spans = await openSpans({ env: home.env, clock, store, notices, subscribe: executor.subscribe });
  return {
    workspace,
    get notices() {
      return notices.list();
    },
    ...history,
    ...createLeftProcesses(history),
    ...{ ...home.engine, ...secrets.engine, ...world.written.engine, ...mcp.engine, ...world.permissions },
    ...createPolicyService({ ...home, policies, history, serverEffects: mcp.tools.serverEffects }),
    ...modelsOf({ ...home, workspace, resolveModel: (model) => world.capabilities.model.resolve(model) }),
    ...toolsOf({ ...world, workspace, tools }),
    ...actionsOf(executor, notices),
    ...withConversations(executor.plans, { ...held, readText: readSeen }),
    ...conversations.engine,
    waitingPermissions: async (runId) => permissionsAmong(await history.waiting(runId)),
    cancelRun: executor.cancelRun,
    deleteRun: (runId) => executor.deleteRun(runId).then(historyWatch.tell),
    exportRun: async (runId, to, format = 'bundle') =>
      (await import('./executor/export-trace.ts')).saveRunAs(history, runId, { format, to, version: programVersion }),
    cancelWork: executor.cancelWork,
    whenRedone: executor.whenRedone,
    subscribe: executor.subscribe,
    watchActivity: executor.watchActivity,
    ...flows,
    listProducts: async () => (await import('./product/find-products.ts')).findProducts(workspace),
    listStepAgents: async () => (await import('./product/list-agents.ts')).listStepAgents(workspace),
    checkFlowInPlace: async (flow) =>
      (await import('./host/flow-findings.ts')).checkFlowInPlace(flow, { workspace, findProblems }),
    readSchemas: async ({ path, names }) => [...(await reading.readSchemas(path, names))],
    listNodeTypes: ({ named }) => agentTypes.list(named),
    ...createFileService({ ...place, ...types, env: home.env, onRenamed: conversations.moved }),
    ...agents.forEditors,
    whenEnded: async (runId) => (await executor.whenActiveEnded(runId)) ?? history.getRun(runId),
    sendMessage: (runId, content) => inboxes.send(runId, content),
    watchAgent: (agent, listener) => agents.watch(agent, listener),
    watchFlows: (listener) => watch.subscribe(listener),
    watchFiles: (listener) => watch.subscribeToFiles(listener),
    watchHistory: (listener) => historyWatch.subscribe(listener),
    async close() {
      await conversations.close();
      historyWatch.close();
      await watch.close();
      await executor.close();
      await spans?.close();
      await world.close();
      store.close();
    },
  };
}

/** What is wrong with the products, agents and tools that a flow names. */
function problemFinder(
  workspace: string,
  others: readonly { readonly findProblems: FindToolProblems }[],
): FindToolProblems {
  return async (flow) => {
    const found = [await productProblems(flow, workspace)];
    for (const { findProblems } of others) found.push([...(await findProblems(flow))]);
    return found.flat();
  };
}

/** Loaded for flows of products, and those that name something of one. */
async function productProblems(...[flow, workspace]: Parameters<typeof findProductProblems>) {
  if (!existsSync(join(workspace, productsFolder))) return [];
  const { findProductProblems: find } = await import('./product/product-findings.ts');
  return (await find(flow, workspace)).filter(({ severity }) => severity === 'error');
}

type Place = EngineOptions & { readonly clock: Clock; readonly ids: IdSource };

function openStore({ workspace, clock, storeFile }: Place): ReturnType<typeof openWorkspaceStore> {
  const file = storeFile === undefined ? {} : { storeFile: storeFile === inMemory ? storeFile : resolve(storeFile) };
  return openWorkspaceStore({ workspace, clock, owner: currentOwner(), ...file });
}

function readFlow(file: string, shownPath: string): Promise<string> {
  return readFlowText(file, { shownPath, maxLength: MAX_FLOW_TEXT_LENGTH });
}

/** Reads definitions; a run of the command line may have executed a file from outside the workspace. */
function textReader(place: Parameters<typeof definitionFile>[1], isTrusted: () => boolean) {
  return async (path: string): Promise<string> => readFlow(await definitionFile(path, place, isTrusted()), path);
}

/** A link of a workspace that is not trusted leads to no definition outside of it. */
async function definitionFile(
  path: string,
  { workspace, confinesReading }: Pick<EngineOptions, 'workspace' | 'confinesReading'>,
  isTrusted: boolean,
): Promise<string> {
  const mayLieOutside = isTrusted || (isAbsolute(path) && confinesReading === undefined);
  return mayLieOutside ? resolve(workspace, path) : (await resolveInWorkspace(workspace, path)).real;
}

/** Reads the files that a definition names: those of one that may not be read itself neither. */
function fileReader(
  { workspace, confinesReading }: Pick<EngineOptions, 'workspace' | 'confinesReading'>,
  home: Pick<Home, 'isTrustedNow' | 'baseFolder' | 'team'> & Pick<CallingFile, 'readAgentType' | 'catalog'>,
): Pick<FlowJobsOptions, 'readSchemas' | 'readCalledFlow'> {
  const { isTrustedNow, baseFolder, team, readAgentType, catalog } = home;
  const admitPack = createPackAdmission(baseFolder, team);
  const ownerOf = (path: string): CallingFile => {
    const mayLieOutside = isTrustedNow() || confinesReading === undefined;
    const place = { file: resolve(workspace, path), workspace, baseFolder };
    return { ...place, mayLieOutside, isTrusted: isTrustedNow(), catalog, admitPack, readAgentType };
  };
  // Loaded here, because few flows have such files.
  const loaded = () => import('./host/called-flows.ts');
  return {
    readSchemas: async (path, names) => await (await loaded()).readNamedFiles(names, ownerOf(path)),
    async readCalledFlow(path, name, above) {
      const key = callKeyOf(name);
      const found = await (await loaded()).readCalledFlows([key], { ...ownerOf(path), above });
      return found.get(key) ?? { problem: `There is no flow ${JSON.stringify(name)}.` };
    },
  };
}
