/**
 * The first event of a run.
 */
import type { RunId, SessionId } from '../../../base/ids.ts';
import type { AutonomyLevel } from '../../../language/flow/autonomy.ts';
import type { JsonValue } from '../../../language/json/json-value.ts';
import type { BudgetDoc } from '../../../language/triggers/budget-doc.ts';

export type RunKind = 'flow' | 'agent';

/** The part of a flow that runs: only one node, or one node with all its dependencies. */
export type RunPart = { readonly only: string } | { readonly to: string };

/** Kinds of what starts a run. */
export const startKinds = ['person', 'trigger', 'http', 'cli', 'mcp', 'assistant', 'library', 'test'] as const;

/** Who or what started a run. `name` is that of a trigger, a client or an API key. */
export interface StartedBy {
  readonly kind: (typeof startKinds)[number];
  readonly name?: string;
}

/** A run started. */
export interface RunStartEvent {
  readonly type: 'run:start';
  readonly kind: RunKind;
  readonly name: string;
  /** Path of the definition relative to the workspace, with forward slashes. */
  readonly sourcePath: string;
  /** SHA-256 hash of the definition's text, in hexadecimal. */
  readonly definitionHash: string;
  readonly inputs: JsonValue;
  /** Absent for child runs, and for runs of earlier versions. */
  readonly startedBy?: StartedBy;
  readonly redoCount?: number;
  readonly redoOf?: RunId;
  /** The earlier run that supplies unchanged results, and the node from which everything runs again. */
  readonly rerunOf?: RunId;
  readonly rerunFromNode?: string;
  /** For a rerun from a moment of that run: `seq` of the last event after which results are reused. */
  readonly rerunUntil?: number;
  /** Absent if the entire flow runs. */
  readonly scope?: RunPart;
  /** IDs of the nodes that do not run because the caller supplied their outputs. */
  readonly pinned?: readonly string[];
  /** Set for a conversation's policy run: the conversation (also the session of its events) and its flow. */
  readonly sessionId?: SessionId;
  readonly flowId?: string;
  /** The run's autonomy level from start to end; absent if none applies. */
  readonly autonomy?: AutonomyLevel;
  /** What the run and its child runs may use before it is paused; absent for no limit. */
  readonly budget?: BudgetDoc;
  /** For a child run: the parent's task that started it; absent if the parent started it outside a task. */
  readonly parentTaskId?: string;
  /** For a child run that an agent started outside its inputs: the stage that started it. */
  readonly parentStage?: 'BeforeAll' | 'AfterAll';
  /**
   * Identifies the call that started a child run. For a script: the request and the number of identical earlier calls
   * by the input or stage. For a tool: the tool call.
   */
  readonly callKey?: string;
}
