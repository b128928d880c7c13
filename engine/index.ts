/**
 * Creates engines for host programs: the desktop's engine process, the command line, or your own program.
 */

export type { StartAgent } from './host/executor/start-request.ts';

import { existsSync } from 'node:fs';
import { isAbsolute, join, resolve } from 'node:path';
import { type Clock, systemClock } from './base/clock.ts';
import type { IdSource } from './base/ids.ts';
import type { FlowClass } from './conversations/catalog/base-flow.ts';
import { createConversationAccess, flowClassesOf } from './conversations/host/conversation-access.ts';
import { withConversations } from './conversations/host/conversation-permissions.ts';
import type { Engine } from './engine.ts';
import type { EvaluationEngine } from './evaluation/evaluation-engine.ts';
import { type TestedOptions, withEvaluation } from './evaluation/with-evaluation.ts';
import type { CassetteMode } from './history/cassette/cassette-player.ts';
import { inMemory, openWorkspaceStore } from './history/store/open-workspace-store.ts';
import { currentOwner } from './history/store/owner.ts';
import type { PureAgentOptions } from './host/agents/pure-agent-service.ts';
import type { AssistantEngine } from './host/assistant/assistant.ts';
import { withAssistant } from './host/assistant/assistant-service.ts';
import { createExecutor } from './host/executor/executor.ts';
import type { FindToolProblems } from './host/executor/flow-definitions.ts';
import { createSharedFlowWatch } from './host/executor/flow-watch.ts';
import { createIdSource } from './host/executor/id-source.ts';
import { createNotices } from './host/executor/notices.ts';
import { actionsOf } from './host/executor/run-actions.ts';
import { createPolicyService } from './host/governance/policy-service.ts';
import { type PublishingEngine, withPublishing } from './host/http/publishing-engine.ts';
import { permissionsAmong } from './host/plans/permission-answers.ts';
import { createProposalService } from './host/proposals/proposal-service.ts';
import { createHistory, createHistoryWatch } from './host/reads/history.ts';
import { logSource } from './host/reads/read-log.ts';
import { createRunOverview } from './host/reads/run-overview.ts';
import { createRetention } from './host/retention/retention-engine.ts';
import { createSendEngine } from './host/send/send-engine.ts';
import { type TriggerEngine, withTriggers } from './host/triggers/trigger-engine.ts';
import { type CaseWorld, timeIn } from './host/wiring/case-world.ts';
import { createLeftProcesses } from './host/wiring/left-processes.ts';
import { createAgentTypes, modelsOf, pricesOf, toolsOf } from './host/wiring/loaded-later.ts';
import { openSpans } from './host/wiring/open-spans.ts';
import { type SharedHistoryPlace, shareRuns } from './host/wiring/share-runs.ts';
import { teamNotices } from './host/wiring/team-view.ts';
import { createWorld, type OpenedCapabilities } from './host/wiring/world.ts';
import { createFileReader } from './host/workspace/file-reader.ts';
import { createFileService } from './host/workspace/file-service.ts';
import { MAX_FLOW_TEXT_LENGTH } from './language/flow/flow-limits.ts';
import { productsFolder } from './language/flow/product-path.ts';
import type { findProductProblems } from './packs/product/product-findings.ts';
import type { StartedBy } from './runtime/kernel/events/run-event.ts';
import { createInboxRouter } from './runtime/kernel/requests/agent-inbox.ts';
import type { RegistryOptions } from './runtime/nodes/node-registry.ts';
import { openWorkspaceFlows } from './workspace-flows.ts';
import { readFlowText } from './world/files/read-flow.ts';
import { resolveInWorkspace } from './world/files/workspace-path.ts';

export { type Clock, systemClock } from './base/clock.ts';
export type {
  ConversationEngine,
  ConversationListener,
  ConversationNotice,
  ToSay,
} from './conversations/turns/conversation-engine.ts';
export type { AcceptedAgent, Engine, RunActions, RunReads } from './engine.ts';
export { inMemory } from './history/store/open-workspace-store.ts';
export type { SessionRecord } from './history/store/session-row.ts';
export type { RunHistoryReader } from './host/reads/history.ts';
export type { LeftProcessEngine } from './host/wiring/left-processes.ts';
export type { OpenedCapabilities } from './host/wiring/world.ts';

/** Options of an engine: its folders, its environment, and additional node types. */
export interface EngineOptions extends RegistryOptions, PureAgentOptions {
  /** The workspace folder. */
  readonly workspace: string;
  /**
   * History file, or `:memory:` for a history that ends with the engine. Defaults to `.millrace/runs.db` in the
   * workspace.
   */
  readonly storeFile?: string;
  /**
   * Also copies runs to a history in PostgreSQL that several machines share, in the background, and takes answers and
   * cancel requests from there. The engine's own history stays first.
   */
  readonly sharedHistory?: SharedHistoryPlace;
  /** Folder with the user's packs and settings. Defaults to `MILLRACE_HOME`, or `.aipack-base` in the home folder. */
  readonly homeFolder?: string;
  /** Environment variables for keys and settings. Defaults to this process's environment. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Returns a key by the name of its variable, for example from a vault. Takes precedence over the environment. */
  readonly keyOf?: (variable: string) => string | undefined;
  /** Returns the content of a vault by variable. Flows find their secrets there. */
  readonly vault?: () => Readonly<Record<string, string>>;
  /**
   * Sends model keys only to hosts that are known, that the user's own settings name, or for which `allowKey` was
   * called. Hosts in a workspace's settings do not count, even if it is trusted.
   */
  readonly bindsKeys?: true;
  /**
   * Restricts reading until the workspace is trusted: agents named by a path, input files, and definitions that are
   * read again must be in the workspace, the base folder or a pack. For hosts whose callers are web pages, which may be
   * compromised.
   */
  readonly confinesReading?: true;
  /** Absolute path of the folder with bundled packs; absent if there are none. */
  readonly builtInPacks?: string;
  /** Absolute path of the folder with example flows and their files; absent if there are none. */
  readonly examplesFolder?: string;
  /** Absolute path of the gallery of examples; absent if there is none. */
  readonly galleryFolder?: string;
  /** Absolute path of the folder with the prompt and the tools of the assistant. Absent: requests to it are refused. */
  readonly assistantFolder?: string;
  /** Absolute paths of folders that scripts can never access, even if trusted: the program's private data. */
  readonly privateFolders?: readonly string[];
  /** Overrides the user's list and trusts the workspace, for this engine only. */
  readonly isTrusted?: true;
  /**
   * Makes nodes that lack a permission wait for it instead of failing. For hosts that run flows for a person, who
   * grants permissions in a system dialog or terminal.
   */
  readonly asksPermission?: true;
  /** Time limit for each agent script in milliseconds; absent for no limit. */
  readonly scriptTimeoutMs?: number;
  /**
   * Resumes runs in the history that no process owns when they are answered, and applies their deadlines; only in a
   * trusted workspace. Otherwise, the engine handles only runs that it has started or resumed on request.
   */
  readonly resumesAnswered?: true;
  /**
   * Classes for the flows of conversations. A class applies to the catalog flow named by its static `flowName` or,
   * without one, to all other flows with its static `intent`. Their slots are those of the catalog.
   */
  readonly flows?: readonly FlowClass[];
  /** Who starts the runs of this engine, for their history; `library` by default. */
  readonly startedBy?: StartedBy;
  readonly clock?: Clock;
  readonly ids?: IdSource;
  /** Records model and HTTP calls in a file (absolute path), or replays them from it; see `docs/cassettes.md`. */
  readonly cassette?: { readonly file: string; readonly mode: CassetteMode };
}

const maxConcurrentRuns = 4;

type PartsAddedLater = keyof (AssistantEngine & TriggerEngine & PublishingEngine & EvaluationEngine);

const byLibrary: StartedBy = { kind: 'library' };

/** The engine options that concern node capabilities. */
export type CapabilityOptions = Omit<
  EngineOptions,
  'storeFile' | 'sharedHistory' | 'examplesFolder' | 'galleryFolder' | 'flows'
>;

/**
 * Opens the same node capabilities as an engine, but without a history, for runs on a different kind of host. The
 * caller must close them.
 * @throws EngineError `node-type.duplicate` | `node-pack.duplicate`; with `agents` `agent.no-base-agent` |
 * `agent.bad-name` | `agent.duplicate`; with `cassette` as `createEngine` does
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
 * Opens the engine of one workspace. The caller must close it.
 * @throws EngineError `workspace.not-found` | `node-type.duplicate` | `node-pack.duplicate`; with `agents` also
 * `agent.no-base-agent` | `agent.bad-name` | `agent.duplicate`; with `flows` `flow-class.invalid`; with `storeFile`
 * `store.unreadable` | `store.newer-version` | `store.full` | `store.write-failed`; with `cassette` also
 * `cassette.not-found` | `cassette.unreadable` | `cassette.newer-format` | `files.not-writable`; with `sharedHistory`
 * `store.bad-url`
 */
export async function createEngine(options: TestedOptions<EngineOptions>): Promise<Engine> {
  const [workspace, flowClasses] = [resolve(options.workspace), flowClassesOf(options.flows)];
  const flows = openWorkspaceFlows(workspace);
  const clock = timeIn(options.caseWorld, options.clock ?? systemClock);
  const inboxes = createInboxRouter({ clock });
  const place = { ...options, workspace, clock, ids: options.ids ?? createIdSource(clock) };
  const { registry, home, agents, secrets, mcp, policies, tools, ...world } = await createWorld(place, (note) =>
    notices.note(note),
  );
  const { store, notices: storeNotices } = await openStore(place);
  const notices = createNotices([...storeNotices, ...teamNotices(home.team())]);
  const agentTypes = createAgentTypes({ ...agents.source, workspace, baseFolder: home.baseFolder });
  const types = { readAgentType: agentTypes.read, catalog: registry };
  const reading = createFileReader(place, { ...home, ...types });
  const findProblems = problemFinder(workspace, [world.pureAgents, tools]);
  const readText = textReader(place, home.isTrustedNow, options.caseWorld?.textOf);
  const readSeen = world.written.readingSeen(readText);
  const held = { store, registry, policies: policies.current, flowClasses };
  const { model } = world.capabilities;
  const models = { ...home, clock, workspace, resolveModel: (name?: string) => model.resolve(name) };
  const executor = createExecutor({
    ...{ openSecrets: secrets.open, admitSecret: secrets.admit },
    ...{ ...agents.source, ...world, ...held, inboxes, workspace, maxConcurrentRuns },
    ...{ agentRuns: agents.runs, listInputFiles: agents.listInputs, compileScripts: agents.compileScripts },
    ...{ findToolProblems: findProblems, isPriced: pricesOf(models) },
    ...{ installPack: home.installMissing, onRecordFailure: notices.noteRecordFailure },
    ...{ onRefusedRedo: notices.note, onRefusedResume: notices.note, startedBy: options.startedBy ?? byLibrary },
    onReminded: () => historyWatch.tell(),
    // A history that came with a folder starts nothing by itself before the folder is trusted.
    resumesAnswered: options.resumesAnswered === true ? home.isTrusted : undefined,
    readDefinition: readText,
    ...reading,
  });
  const { cancelRun, pauseRun, cancelWork, whenRedone, subscribe, watchActivity } = executor;
  world.cassetteAnswers?.follow(subscribe, { ...logSource(store), onFailure: notices.note });
  const watch = createSharedFlowWatch({ workspace, clock, onFailure: notices.note });
  const historyWatch = createHistoryWatch(store, clock);
  const proposals = createProposalService({ workspace, clock, onFailure: notices.note, readFlow: flows.readFlow });
  const history = createHistory(store);
  const copies = world.undo.open({ store, history, note: notices.note, tell: historyWatch.tell });
  const retention = createRetention({ ...place, ...home, ...copies, store, note: notices.note });
  const conversations = createConversationAccess({ ...world, ...held, executor, historyWatch, readText: readSeen });
  const spans = await openSpans({ env: home.env, clock, store, notices, subscribe });
  const shared = await shareRuns({ ...place, place: options.sharedHistory, store, executor, notices });
  const engine: Omit<Engine, PartsAddedLater> = {
    workspace,
    get notices() {
      return notices.list();
    },
    ...history,
    ...{ ...createLeftProcesses(history), ...retention.engine, ...world.undo.engine },
    ...createRunOverview(history, store, historyWatch.tell),
    ...{ ...home.engine, ...secrets.engine, ...world.written.engine, ...mcp.engine, ...world.permissions },
    ...createPolicyService({ ...home, policies, history, serverEffects: mcp.tools.serverEffects }),
    ...{ ...modelsOf(models), ...toolsOf({ ...world, workspace, tools }) },
    ...actionsOf(executor, notices, secrets.mask),
    ...withConversations(executor.plans, { ...held, readText: readSeen }),
    ...{ ...conversations.engine, ...createSendEngine({ ...home, workspace, history, secrets }) },
    waitingPermissions: async (runId) => permissionsAmong(await history.waiting(runId)),
    ...{ ...flows, cancelRun, pauseRun, cancelWork, whenRedone, subscribe, watchActivity },
    deleteRun: (runId) => executor.deleteRun(runId).then(() => copies.onDeleted([runId])),
    listProducts: async () => (await import('./packs/product/find-products.ts')).findProducts(workspace),
    listStepAgents: async () => (await import('./packs/product/list-agents.ts')).listStepAgents(workspace),
    checkFlowInPlace: async (flow) =>
      (await import('./host/workspace/flow-findings.ts')).checkFlowInPlace(flow, { workspace, findProblems }),
    readSchemas: async ({ path, names }) => [...(await reading.readSchemas(path, names))],
    listNodeTypes: ({ named }) => agentTypes.list(named),
    ...createFileService({ ...place, ...home, ...types, onRenamed: conversations.moved }),
    ...{ ...proposals.engine, ...agents.forEditors },
    whenEnded: async (runId) => (await executor.whenActiveEnded(runId)) ?? history.getRun(runId),
    sendMessage: (runId, content) => inboxes.send(runId, content),
    watchAgent: (agent, listener) => agents.watch(agent, listener),
    ...{ watchFlows: watch.subscribe, watchFiles: watch.subscribeToFiles },
    watchHistory: (listener) => historyWatch.subscribe(listener),
    async close() {
      await conversations.close();
      historyWatch.close();
      await watch.close();
      for (const part of [retention, proposals, executor, world.cassetteAnswers, shared, spans]) await part?.close();
      await world.close();
      store.close();
    },
  };
  const tested = withEvaluation(engine, { ...home, clock, options, open: createEngine, secrets: secrets.values });
  const extended = withStarts(tested, { ...place, ...home, ...executor, store, callers: world.callers });
  return withAssistant(extended, { ...world, ...held, policies: policies.current, models, options });
}

/** Adds the ways in which others than the user start runs. */
function withStarts<Base extends Parameters<typeof withTriggers>[0]>(
  engine: Base,
  world: Parameters<typeof withTriggers>[1],
): Base & TriggerEngine & PublishingEngine {
  return withPublishing(withTriggers(engine, world), world);
}

/** Returns a function that finds problems with the products, agents and tools that a flow references. */
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

/** Loaded only for product flows, and for flows that reference product tools or agents. */
async function productProblems(...[flow, workspace]: Parameters<typeof findProductProblems>) {
  if (!existsSync(join(workspace, productsFolder))) return [];
  const { findProductProblems: find } = await import('./packs/product/product-findings.ts');
  return (await find(flow, workspace)).filter(({ severity }) => severity === 'error');
}

type ResolvedEngineOptions = EngineOptions & { readonly clock: Clock; readonly ids: IdSource };

function openStore({ workspace, clock, storeFile }: ResolvedEngineOptions): ReturnType<typeof openWorkspaceStore> {
  const file = storeFile === undefined ? {} : { storeFile: storeFile === inMemory ? storeFile : resolve(storeFile) };
  return openWorkspaceStore({ workspace, clock, owner: currentOwner(), ...file });
}

function readFlow(file: string, shownPath: string): Promise<string> {
  return readFlowText(file, { shownPath, maxLength: MAX_FLOW_TEXT_LENGTH });
}

/** Reads definitions. A command-line run may have executed a file outside the workspace. */
function textReader(
  place: Parameters<typeof definitionFile>[1],
  isTrusted: () => boolean,
  textOf: CaseWorld['textOf'] = () => undefined,
) {
  return async (path: string): Promise<string> =>
    textOf(path) ?? (await readFlow(await definitionFile(path, place, isTrusted()), path));
}

/** In an untrusted workspace, a symbolic link to a definition outside it is not followed. */
async function definitionFile(
  path: string,
  { workspace, confinesReading }: Pick<EngineOptions, 'workspace' | 'confinesReading'>,
  isTrusted: boolean,
): Promise<string> {
  const mayLieOutside = isTrusted || (isAbsolute(path) && confinesReading === undefined);
  return mayLieOutside ? resolve(workspace, path) : (await resolveInWorkspace(workspace, path)).real;
}
