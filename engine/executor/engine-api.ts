/**
 * What a host program (the engine process of the window, the command line, an embedding program) may ask of an engine.
 */
import type { RunId } from '../base/ids.ts';
import type { CheckedFlow } from '../flowspec/check-flow.ts';
import type { JsonValue } from '../flowspec/json-value.ts';
import type { RunListener } from '../kernel/hub.ts';
import type { EventEnvelope, SuspensionDecision } from '../kernel/run-event.ts';
import type { RunSummary } from '../kernel/run-state.ts';
import type { ExecEvent } from './actions.ts';
import type { EndedRun } from './active-runs.ts';
import type { AgentEngine } from './agent-api.ts';
import type { FileEngine } from './file-api.ts';
import type { PackEngine, SettingsEngine } from './pack-api.ts';

/** A run that is asked for. */
export interface StartRun {
  /** Where the definition stands: relative to the workspace with `/`, or absolute when it lies outside. */
  readonly path: string;
  /** The definition itself, as it is on screen or on disk. */
  readonly text: string;
  readonly inputs: Readonly<Record<string, JsonValue>>;
  /** Overrides `flow.policy.maxParallel`. */
  readonly maxParallel?: number;
  /** The check of this very text with this engine's node types, where the caller has made it: spares a second one. */
  readonly checked?: CheckedFlow;
}

/** How a run that stopped half-way is to go on. */
export interface ResumeRun {
  readonly runId: RunId;
  /** For a suspended run: what the person decided. Absent after a crash. */
  readonly decision?: SuspensionDecision;
  /** What the person has to say. */
  readonly comment?: string;
  /** Decides for one of several waiting nodes only. */
  readonly nodeId?: string;
}

/** An earlier run that is to run again from one node on. */
export interface RerunFrom {
  readonly runId: RunId;
  /** This node and all behind it run again. */
  readonly nodeId: string;
  /** The definition as it is now; without it the file is read. */
  readonly text?: string;
}

/** What a rerun would do with one node. */
export interface RerunStep {
  readonly nodeId: string;
  /** `maybe`: reused if the nodes before it give what they gave. */
  readonly fate: 'reused' | 'runs' | 'maybe';
  /** Why it does not simply take over its result; empty for `reused`. */
  readonly why: string;
}

/** Which runs of the history. */
export interface RunQuery {
  /** Only runs of this definition. */
  readonly sourcePath?: string;
  /** Only those that wait for a person. */
  readonly status?: 'suspended';
  readonly limit: number;
}

/** A flow file of the workspace. */
export interface FlowFile {
  /** Relative to the workspace, with `/`. */
  readonly path: string;
  /** How it differs from git's HEAD; null = it does not, or there is no git. */
  readonly change: 'modified' | 'untracked' | null;
}

/** Something a person should know of the engine as a whole. */
export interface EngineNotice {
  /** Stable: `store.in-memory`, `store.unreadable`, or the code of what stopped the recording or the watching. */
  readonly code: string;
  readonly message: string;
}

/** The engine of one workspace. */
export interface Engine extends AgentEngine, FileEngine, PackEngine, SettingsEngine {
  /** The workspace folder, absolute. */
  readonly workspace: string;
  /** What is true at present; read anew to learn of more. */
  readonly notices: readonly EngineNotice[];

  /**
   * Checks the definition and queues a run of it.
   * @throws EngineError `flow.invalid` with the diagnostics as `details`, before anything is recorded
   */
  startRun(request: StartRun): Promise<{ runId: RunId }>;
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
  /**
   * Runs an earlier run again as a new one: nodes that neither stand behind the named one nor have changed give what they
   * gave. @throws EngineError `run.not-found` | `node.not-found` | `files.not-found` | `flow.invalid`
   */
  rerunFrom(request: RerunFrom): Promise<{ runId: RunId }>;
  /** What `rerunFrom` would do, node by node in start order; nothing runs. @throws EngineError as `rerunFrom` does */
  planRerun(request: RerunFrom): Promise<readonly RerunStep[]>;
  /**
   * Asks a run, or all of this engine, to stop. Returns at once; the end comes as events. A run that has ended is left
   * alone. @throws EngineError `run.elsewhere` for one that another process runs
   */
  cancelRun(runId?: RunId): void;
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

  /** Newest first. */
  listRuns(query: RunQuery): readonly RunSummary[];
  /** @throws EngineError `run.not-found` */
  getRun(runId: RunId): RunSummary;
  /** The text that a run executed. @throws EngineError `run.not-found` */
  readDefinition(runId: RunId): string;
  /** Stored events in `seq` order, from `afterSeq` (exclusive; -1 = from the start) on. */
  readEvents(runId: RunId, afterSeq: number, limit: number): readonly EventEnvelope[];
  /** The JSON value behind a handle. @throws EngineError `value.not-found` */
  readValue(hash: string): JsonValue;

  /** `*.flow.yaml|yml` of the workspace, in path order. */
  listFlows(): Promise<readonly FlowFile[]>;
  /**
   * A flow's text, byte for byte as `readFile` gives it; of a file that is too large or no text, as much as a check needs to refuse it,
   * and in `loss` a sentence that says why it must not be written back.
   * @throws EngineError `files.outside` | `files.not-found` | `files.not-text` for a folder | `files.not-readable`
   */
  readFlow(path: string): Promise<{ text: string; loss?: string }>;

  /** Stored events of all runs, in order. Returns the subscription's end. */
  subscribe(listener: RunListener): () => void;
  /** Tells when the engine begins to have something to do, and when it has done all. Returns the subscription's end. */
  watchActivity(listener: (event: ExecEvent) => void): () => void;
  /**
   * Tells, shortly after the last of several changes, that an agent's file, its scripts or its pack have changed. Resolves
   * with the subscription's end. @throws EngineError `agent.not-found` | `pack.not-found`
   */
  watchAgent(agent: string, listener: () => void): Promise<() => void>;
  /** Tells when flow files appear, change or go, or git's view of them does. Returns the subscription's end. */
  watchFlows(listener: (changedPaths: readonly string[]) => void): () => void;
  /** Tells, within about a second, when another process has written to the history. Returns the subscription's end. */
  watchHistory(listener: () => void): () => void;
  /** Cancels what runs, waits for it, closes the store. */
  close(): Promise<void>;
}
