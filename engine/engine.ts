/**
 * What a host program (the engine process of the window, the command line, an embedding program) may ask of an engine.
 */

import type { RunId } from './base/ids.ts';
import type { ConversationEngine } from './conversation/conversation-engine.ts';
import type { ExecEvent } from './executor/actions.ts';
import type { EndedRun } from './executor/active-runs.ts';
import type { StartAgent } from './executor/agent-jobs.ts';
import type { ResumeRun } from './executor/continuation.ts';
import type { ExportFormat } from './executor/export-trace.ts';
import type { RerunFrom, StartRun } from './executor/flow-jobs.ts';
import type { History } from './executor/history.ts';
import type { EngineNotice } from './executor/notices.ts';
import type { AllowWaiting, WaitingPermission } from './executor/permission-answers.ts';
import type { PermissionPlan, PlannedStart } from './executor/permission-plan.ts';
import type { RunPlans } from './executor/run-plans.ts';
import type { Diagnostic } from './flowspec/diagnostic.ts';
import type { MissingNodeType, NodeTypeData } from './flowspec/node-type-spec.ts';
import type { SchemaFile } from './flowspec/schema-files.ts';
import type { AgentEditing } from './host/agent-service.ts';
import type { PlannedConversation } from './host/conversation-permissions.ts';
import type { FileEngine } from './host/file-service.ts';
import type { FlowInPlace } from './host/flow-findings.ts';
import type { LeftProcessEngine } from './host/left-processes.ts';
import type { ModelEngine } from './host/model-service.ts';
import type { PackEngine } from './host/pack-service.ts';
import type { PermissionEngine } from './host/permissions.ts';
import type { PolicyEngine } from './host/policy-service.ts';
import type { SecretEngine } from './host/secret-service.ts';
import type { SettingsEngine } from './host/settings-service.ts';
import type { TeamEngine } from './host/team-view.ts';
import type { ToolEngine } from './host/tool-listing.ts';
import type { WrittenEngine } from './host/written-by-runs.ts';
import type { RunListener } from './kernel/hub.ts';
import type { McpEngine } from './mcp/mcp-engine.ts';
import type { Product, ProductFile } from './product/product.ts';
import type { WorkRecord } from './store/work-store.ts';

/** Either the run was accepted, or a person has to agree to work that must be done first. */
export type AcceptedAgent = { readonly runId: RunId } | { readonly work: WorkRecord };

/**
 * What there is to read of runs: what they have told, what they gave, what waits, what they would do. Every result is a promise: the history
 * of an engine may lie elsewhere.
 */
export interface RunReads extends History, RunPlans {
  /** Stored events of all runs, in order. Returns the subscription's end. */
  subscribe(listener: RunListener): () => void;
  /** Tells, within about a second, when another process has written to the history, and at once when a run was deleted. Returns the subscription's end. */
  watchHistory(listener: () => void): () => void;
}

/** Whoever runs flows and agents: what is wanted of runs is asked for here, and comes as events. */
export interface RunActions {
  /**
   * Checks the definition and queues a run of it.
   * @throws EngineError `flow.invalid` with the diagnostics as `details`, `flow.bad-inputs` with those that do not fit, `secret.missing` | `secret.not-allowed` with
   *   `details: { names }`, before anything is recorded
   */
  startRun(request: StartRun): Promise<{ runId: RunId }>;
  /**
   * Finds and checks the agent and queues a run of it. When its pack is missing, nothing is queued: the work to install it
   * is returned, and `confirmWork` does both.
   * @throws EngineError `agent.not-found` | `agent.invalid` with the diagnostics as `details` | `agent.bad-inputs` |
   *   `files.*`
   */
  startAgent(request: StartAgent): Promise<AcceptedAgent>;
  /** Does the work, then what waited for it. @throws EngineError `work.not-found` | `work.done`, or why it failed */
  confirmWork(workId: string): Promise<AcceptedAgent>;
  /** Ends work that waits for an answer. @throws EngineError `work.not-found` | `work.done` */
  cancelWork(workId: string): Promise<void>;
  /**
   * Runs the definition of an earlier run again with its inputs: the text given here, else the file read anew. Without an
   * id, that of the last agent this engine has run.
   * @throws EngineError `run.not-found` | `files.not-found` | `flow.invalid` | `redo.nothing`, or what `startAgent` throws
   */
  redo(request: { runId?: RunId; text?: string }): Promise<{ runId: RunId }>;
  /**
   * Goes on with an interrupted run, or answers a suspended one. Nodes that have ended are not run again; the run keeps its
   * id and its definition.
   * @throws EngineError `run.not-found` | `run.invalid-state`
   */
  resumeRun(request: ResumeRun): Promise<{ runId: RunId }>;
  /** Lists the nodes of a run that wait for permissions. @throws EngineError `run.not-found` */
  waitingPermissions(runId: RunId): Promise<readonly WaitingPermission[]>;
  /**
   * Continues the nodes of a run that wait for these permissions and for no others, after `grantPermissions`. Only for permissions that a
   * person has agreed to in a dialog of the system or at a terminal.
   * @throws EngineError `run.not-found` | `run.invalid-state` when none of them waits for a permission
   */
  allowWaiting(request: AllowWaiting): Promise<{ runId: RunId }>;
  /**
   * Runs an earlier run again as a new one: nodes that neither stand behind the named one nor have changed give what they
   * gave. With a part, only that. @throws EngineError `run.not-found` | `node.not-found` | `files.not-found` | `flow.invalid`
   */
  rerunFrom(request: RerunFrom): Promise<{ runId: RunId }>;
  /**
   * Asks a run, or all of this engine, to stop. Returns at once; the end comes as events. A run that has ended is left
   * alone. One that another run has called stops with all that it called itself, and has failed for its caller
   * (`agent.cancelled`). @throws EngineError `run.elsewhere` for one that another process runs
   */
  cancelRun(runId?: RunId): void;
  /**
   * Takes a run out of the history, with the runs that it called and the values that only they hold. Its number is not given again.
   * @throws EngineError `run.not-found` | `run.invalid-state` for one that goes on, or whose results a run uses that has
   *   not ended
   */
  deleteRun(runId: RunId): Promise<void>;
  /**
   * Sends a message to an agent at work; `runId` is that of its `agent:start`, not the run's own.
   * @throws EngineError `inbox.no-such-run` when no agent reads messages under that id
   */
  sendMessage(runId: RunId, content: string): void;
  /**
   * Resolves when the run has ended and all its events are stored; at once, with what the history says, when this engine
   * does not run it. @throws EngineError `run.not-found`
   */
  whenEnded(runId: RunId): Promise<EndedRun>;
  /** The next run of a chain of redos; undefined when the run has ended without asking for one, or it was not redone. */
  whenRedone(runId: RunId): Promise<RunId | undefined>;
  /** Tells when the engine begins to have something to do, and when it has done all. Returns the subscription's end. */
  watchActivity(listener: (event: ExecEvent) => void): () => void;
}

/** A flow file of the workspace. */
export interface FlowFile {
  /** Relative to the workspace, with `/`. */
  readonly path: string;
  /** How it differs from git's HEAD; null = it does not, or there is no git. */
  readonly change: 'modified' | 'untracked' | null;
}

/** The engine of one workspace. */
export interface Engine
  extends RunReads,
    RunActions,
    AgentEditing,
    FileEngine,
    PackEngine,
    SettingsEngine,
    SecretEngine,
    ModelEngine,
    McpEngine,
    TeamEngine,
    ToolEngine,
    PolicyEngine,
    LeftProcessEngine,
    WrittenEngine,
    PermissionEngine,
    ConversationEngine {
  /** Finds the permissions that a run or a conversation lacks, before it starts. @throws EngineError as the start does */
  findPermissions(start: PlannedStart | PlannedConversation): Promise<PermissionPlan>;
  /** The workspace folder, absolute. */
  readonly workspace: string;
  /** What is true at present; read anew to learn of more. */
  readonly notices: readonly EngineNotice[];

  /**
   * Writes a run to a file (absolute) that needs nothing else to be read, or that holds its spans; a file that is there is replaced in one
   * step. With the format `trace` it is a folder, in which that of the run is made, or replaced where an earlier export made it.
   * @param format without it, `bundle`
   * @returns what was written
   * @throws EngineError `run.not-found` | `files.not-writable` | `export.not-own`
   */
  exportRun(runId: RunId, to: string, format?: ExportFormat): Promise<string>;

  /** The products of the workspace by name, those that cannot be used among them. */
  listProducts(): Promise<readonly Product[]>;
  /** The agents of all products by the names that steps have for them. No code is run: classes are found by what their text says. */
  listStepAgents(): Promise<readonly ProductFile[]>;
  /** `*.flow.yaml|yml` of the workspace and flows of its products, in path order. */
  listFlows(): Promise<readonly FlowFile[]>;
  /**
   * A flow's text, byte for byte as `readFile` gives it; of a file that is too large or no text, as much as a check needs to refuse it,
   * and in `loss` a sentence that says why it must not be written back.
   * @throws EngineError `files.outside` | `files.not-found` | `files.not-text` for a folder | `files.not-readable`
   */
  readFlow(path: string): Promise<{ text: string; loss?: string }>;
  /**
   * What is wrong with a flow beside what its text alone says, or worth knowing: names of tools and agents that nobody has, that belong to
   * other products, or that are risky. Nothing is started for it.
   */
  checkFlowInPlace(flow: FlowInPlace): Promise<readonly Diagnostic[]>;
  /**
   * What the schema files hold that a definition names, for its check. A file that cannot be read, or holds no schema, says why; nothing
   * is thrown.
   * @param request `path` of the definition, relative to the workspace; it need not exist. `names` as they stand in it
   */
  readSchemas(request: {
    readonly path: string;
    readonly names: readonly string[];
  }): Promise<readonly (readonly [name: string, file: SchemaFile])[]>;

  /**
   * Types of nodes that are agents: of the workspace, and of its packs. One that is broken, and of `named` those that are
   * not there, say why. (Built-in types, and those of node packs, are known to who embeds the engine.)
   */
  listNodeTypes(request: { readonly named: readonly string[] }): Promise<readonly (NodeTypeData | MissingNodeType)[]>;

  /**
   * Tells, shortly after the last of several changes, that an agent's file, its scripts or its pack have changed. Resolves
   * with the subscription's end. @throws EngineError `agent.not-found` | `pack.not-found`
   */
  watchAgent(agent: string, listener: () => void): Promise<() => void>;
  /**
   * Tells when flow files appear, change or go; without paths when any may have: when git's view of them does, and once at
   * first for what changed before the watch began. Returns the subscription's end.
   */
  watchFlows(listener: (changedPaths: readonly string[]) => void): () => void;
  /** Cancels what runs, waits for it, closes the store. */
  close(): Promise<void>;
}
