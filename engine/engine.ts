/**
 * Defines the engine API for host programs: the desktop's engine process, the command line, and embedding programs.
 */

import type { RunId } from './base/ids.ts';
import type { PlannedConversation } from './conversations/host/conversation-permissions.ts';
import type { ConversationEngine } from './conversations/turns/conversation-engine.ts';
import type { EvaluationEngine } from './evaluation/evaluation-engine.ts';
import type { WorkRecord } from './history/store/work-store.ts';
import type { AgentEditing } from './host/agents/agent-service.ts';
import type { AssistantEngine } from './host/assistant/assistant.ts';
import type { ExecEvent } from './host/executor/actions.ts';
import type { EndedRun } from './host/executor/active-runs.ts';
import type { ResumeRun } from './host/executor/continuation.ts';
import type { ChangeOutput } from './host/executor/held-answers.ts';
import type { EngineNotice } from './host/executor/notices.ts';
import type { RerunFrom, StartAgent, StartRun } from './host/executor/start-request.ts';
import type { PermissionEngine } from './host/governance/permissions.ts';
import type { PolicyEngine } from './host/governance/policy-service.ts';
import type { SecretEngine } from './host/governance/secret-service.ts';
import type { WrittenEngine } from './host/governance/written-by-runs.ts';
import type { PublishingEngine } from './host/http/publishing-engine.ts';
import type { AllowWaiting, WaitingPermission } from './host/plans/permission-answers.ts';
import type { PermissionPlan, PlannedStart } from './host/plans/permission-plan.ts';
import type { RunPlans } from './host/plans/run-plans.ts';
import type { ProposalEngine } from './host/proposals/proposal.ts';
import type { RunHistoryReader } from './host/reads/history.ts';
import type { RunOverviewEngine } from './host/reads/run-overview.ts';
import type { RetentionEngine } from './host/retention/retention-engine.ts';
import type { SendEngine } from './host/send/send-engine.ts';
import type { TriggerEngine } from './host/triggers/trigger-engine.ts';
import type { UndoEngine } from './host/undo/changed-files.ts';
import type { LeftProcessEngine } from './host/wiring/left-processes.ts';
import type { ModelEngine } from './host/wiring/model-service.ts';
import type { SettingsEngine } from './host/wiring/settings-service.ts';
import type { TeamEngine } from './host/wiring/team-view.ts';
import type { ToolEngine } from './host/wiring/tool-listing.ts';
import type { FileEngine } from './host/workspace/file-service.ts';
import type { FlowInPlace } from './host/workspace/flow-findings.ts';
import type { Diagnostic } from './language/findings/diagnostic.ts';
import type { SchemaFile } from './language/flow/schema-files.ts';
import type { MissingNodeType, NodeTypeData } from './language/types/node-type-spec.ts';
import type { PackEngine } from './packs/pack-service.ts';
import type { Product, ProductFile } from './packs/product/product.ts';
import type { RunListener } from './runtime/kernel/hub/hub-core.ts';
import type { Breakpoint } from './runtime/kernel/hub/run-pause.ts';
import type { McpEngine } from './world/mcp/mcp-engine.ts';

/** The accepted run, or work that must be done first and needs a person's consent. */
export type AcceptedAgent = { readonly runId: RunId } | { readonly work: WorkRecord };

/**
 * Reads runs: their events, outputs, open requests and plans. Every result is a promise, because an engine's history
 * may be stored elsewhere.
 */
export interface RunReads extends RunHistoryReader, RunPlans {
  /** Subscribes to stored events of all runs, in order. Returns a function that unsubscribes. */
  subscribe(listener: RunListener): () => void;
  /**
   * Calls the listener within about a second when another process has written to the history, and immediately when a
   * run was deleted. Returns a function that unsubscribes.
   */
  watchHistory(listener: () => void): () => void;
}

/** Runs flows and agents. Results arrive as events. */
export interface RunActions {
  /**
   * Validates the definition and queues a run.
   * @throws EngineError `flow.invalid` with the diagnostics as `details`, `flow.bad-inputs` with the invalid inputs,
   * `secret.missing` | `secret.not-allowed` with `details: { names }`, before anything is recorded
   */
  startRun(request: StartRun): Promise<{ runId: RunId }>;
  /**
   * Finds and validates the agent and queues a run. If its pack is missing, nothing is queued. The function then
   * returns the installation as work, and `confirmWork` installs the pack and queues the run.
   * @throws EngineError `agent.not-found` | `agent.invalid` with the diagnostics as `details` | `agent.bad-inputs` |
   * `files.*`
   */
  startAgent(request: StartAgent): Promise<AcceptedAgent>;
  /** Performs the work, then the action that was waiting for it. */
  confirmWork(workId: string): Promise<AcceptedAgent>;
  /** Cancels work that waits for an answer. @throws EngineError `work.not-found` | `work.done` */
  cancelWork(workId: string): Promise<void>;
  /**
   * Runs the definition of an earlier run again with its inputs: the given text, or the current file. Without an id,
   * uses the last agent run of this engine.
   * @throws EngineError `run.not-found` | `files.not-found` | `flow.invalid` | `redo.nothing`, or errors of
   * `startAgent`
   */
  redo(request: { runId?: RunId; text?: string }): Promise<{ runId: RunId }>;
  /**
   * Resumes an interrupted run, answers a suspended one, or lets a paused one continue: everything, a step, or with an
   * output or input for a held node. Nodes that have ended are not run again. The run keeps its id and definition.
   * @throws EngineError `run.not-found` | `run.invalid-state`
   */
  resumeRun(request: ResumeRun): Promise<{ runId: RunId }>;
  /** Lists the nodes of a run that wait for permissions. @throws EngineError `run.not-found` */
  waitingPermissions(runId: RunId): Promise<readonly WaitingPermission[]>;
  /**
   * Continues a run's nodes that wait only for these permissions, after `grantPermissions`. Only for permissions to
   * which a person has agreed in a system dialog or terminal.
   * @throws EngineError `run.not-found` | `run.invalid-state` if none of them waits for a permission
   */
  allowWaiting(request: AllowWaiting): Promise<{ runId: RunId }>;
  /**
   * Runs an earlier run again as a new run. Nodes that have not changed and do not depend on the named node reuse their
   * outputs. With a part, runs only that part. @throws EngineError `run.not-found` | `node.not-found` |
   * `files.not-found` | `flow.invalid`
   */
  rerunFrom(request: RerunFrom): Promise<{ runId: RunId }>;
  /**
   * Cancels a run, or all runs of this engine. Returns immediately; events report the end. An ended run is unchanged. A
   * child run is canceled with its own child runs and counts as failed for its caller (`agent.cancelled`). A run in
   * another process gets a request, which its process handles within a second.
   * @throws EngineError `store.full` | `store.write-failed` for a run in another process
   */
  cancelRun(runId?: RunId): void;
  /**
   * Pauses a run: nothing new starts, and running work finishes. The run is then suspended with `waitStatus: PAUSED` until
   * `resumeRun` is called with an `action`. A run in another process gets a request, which its process handles within a
   * second.
   * @throws EngineError `run.not-found` | `run.invalid-state` for a run that is neither queued nor running | `store.full` |
   * `store.write-failed`
   */
  pauseRun(runId: RunId): Promise<void>;
  /**
   * Changes the output of a completed node of a paused run; nodes that start later use the new one. The log contains it at
   * once.
   * @throws EngineError `run.not-found`; `run.invalid-state` if the run is not paused, the node has not completed, or
   * others have used its output, which are then named; `node.bad-output` | `node.output-too-large`
   */
  changeOutput(request: ChangeOutput): Promise<void>;
  /**
   * Replaces the breakpoints in a file. They act at once, in the active and later runs of this engine that the person
   * started or is attached to, also in child runs. They are never written to the file.
   * @param path relative to the workspace with `/`, or absolute if it is outside
   * @throws EngineError `breakpoint.invalid` for a condition that cannot be parsed, or another invalid breakpoint. The
   * former breakpoints then stay
   */
  setBreakpoints(path: string, breakpoints: readonly Breakpoint[]): Promise<void>;
  /** Lets the breakpoints that are set act in a run that a trigger, a request or another program started. */
  attachRun(runId: RunId): Promise<void>;
  /**
   * Deletes a run from the history, with its child runs and the values that only they use. Its number is not reused.
   * @throws EngineError `run.not-found` | `run.invalid-state` for an active run, or one with results used by a run that
   * has not ended
   */
  deleteRun(runId: RunId): Promise<void>;
  /**
   * Sends a message to a running agent. `runId` is the id in its `agent:start` event, not the id of the run.
   * @throws EngineError `inbox.no-such-run` if no agent reads messages under that id
   */
  sendMessage(runId: RunId, content: string): void;
  /**
   * Resolves when the run has ended and all its events are stored. If this engine does not run it, resolves immediately
   * with the data in the history. @throws EngineError `run.not-found`
   */
  whenEnded(runId: RunId): Promise<EndedRun>;
  /**
   * Resolves to the next run of a chain of redos; undefined if the run has ended without requesting one, or the redo
   * did not start.
   */
  whenRedone(runId: RunId): Promise<RunId | undefined>;
  /**
   * Calls the listener when the engine becomes active and when it becomes idle. Returns a function that unsubscribes.
   */
  watchActivity(listener: (event: ExecEvent) => void): () => void;
}

/** A flow file in the workspace. */
export interface FlowFile {
  /** Path relative to the workspace, with `/`. */
  readonly path: string;
  /** Difference from git's HEAD; null if there is none, or without git. */
  readonly change: 'modified' | 'untracked' | null;
}

/** The engine of one workspace. */
export interface Engine
  extends RunReads,
    RunActions,
    AgentEditing,
    AssistantEngine,
    FileEngine,
    ProposalEngine,
    PackEngine,
    SettingsEngine,
    SecretEngine,
    ModelEngine,
    McpEngine,
    TeamEngine,
    ToolEngine,
    PolicyEngine,
    LeftProcessEngine,
    RetentionEngine,
    RunOverviewEngine,
    SendEngine,
    UndoEngine,
    WrittenEngine,
    PermissionEngine,
    TriggerEngine,
    PublishingEngine,
    EvaluationEngine,
    ConversationEngine {
  /** Finds the permissions that a run or a conversation lacks before it starts. */
  findPermissions(start: PlannedStart | PlannedConversation): Promise<PermissionPlan>;
  /** Absolute path of the workspace folder. */
  readonly workspace: string;
  /** The engine's current notices. Read them again to get updates. */
  readonly notices: readonly EngineNotice[];

  /** Lists the workspace's products by name, including invalid ones. */
  listProducts(): Promise<readonly Product[]>;
  /**
   * Lists the agents of all products by the names that steps use. Finds classes in the text without running any code.
   */
  listStepAgents(): Promise<readonly ProductFile[]>;
  /** Lists the workspace's `*.flow.yaml|yml` files and its products' flows, sorted by path. */
  listFlows(): Promise<readonly FlowFile[]>;
  /**
   * Returns a flow's text, exactly as `readFile` does. For a file that is too large or not text, returns as much as
   * validation needs to reject it, and in `loss` a sentence that explains why it must not be written back.
   * @throws EngineError `files.outside` | `files.not-found` | `files.not-text` for a folder | `files.not-readable`
   */
  readFlow(path: string): Promise<{ text: string; loss?: string }>;
  /**
   * Returns problems and notes that cannot be found in the text alone: named tools and agents that do not exist, belong
   * to other products, or are risky. Starts nothing.
   */
  checkFlowInPlace(flow: FlowInPlace): Promise<readonly Diagnostic[]>;
  /**
   * Returns the content of the schema files named in a definition, for its validation. For a file that is unreadable or
   * not a schema, returns the reason instead of throwing.
   * @param request `path` of the definition, relative to the workspace; it need not exist. `names` as written in the
   * definition
   */
  readSchemas(request: {
    readonly path: string;
    readonly names: readonly string[];
  }): Promise<readonly (readonly [name: string, file: SchemaFile])[]>;

  /**
   * Lists the agents of the workspace and its packs that are node types. Invalid agents, and missing ones in `named`,
   * include the reason. The embedding program already knows built-in types and those of node packs.
   */
  listNodeTypes(request: { readonly named: readonly string[] }): Promise<readonly (NodeTypeData | MissingNodeType)[]>;

  /**
   * Calls the listener shortly after the last of several changes to an agent's file, its scripts or its pack. Resolves
   * to a function that unsubscribes. @throws EngineError `agent.not-found` | `pack.not-found`
   */
  watchAgent(agent: string, listener: () => void): Promise<() => void>;
  /**
   * Calls the listener when flow files are created, changed or deleted. A call without paths means that any file may
   * have changed: after a git status change, and once at the start for earlier changes. Returns a function that
   * unsubscribes.
   */
  watchFlows(listener: (changedPaths: readonly string[]) => void): () => void;
  /** Cancels active runs, waits for them, and closes the store. */
  close(): Promise<void>;
}
