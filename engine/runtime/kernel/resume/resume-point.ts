/**
 * The completed and remaining work of a run and its child runs, so that they can be resumed; `read-resume-point.ts`
 * derives it from a log.
 */
import type { ErrorRecord, StageName } from '../../../base/engine-error.ts';
import type { RunId } from '../../../base/ids.ts';
import type { SkipReason } from '../../../language/bindings/markers.ts';
import type { WhenTrace } from '../../../language/bindings/when.ts';
import type { SuggestedAction } from '../../../language/flow/autonomy.ts';
import type { JsonMap, JsonValue } from '../../../language/json/json-value.ts';
import type { NodeEvent, RunEndEvent, RunStartEvent, SuspensionDecision } from '../events/run-event.ts';
import type { Spending } from '../hub/spending.ts';
import type { Ask } from '../requests/ask.ts';
import type { FinishedCall } from './call-keys.ts';

/** How a node, or an input of an agent, ended. */
export type SettledTask =
  | {
      readonly status: 'completed';
      readonly output: JsonValue;
      /** Whether it was reused from an earlier run, or pinned. */
      readonly isReused?: true;
      /** The run that it was reused from; absent if it is pinned. */
      readonly fromRunId?: RunId;
      /** Name of the node in that run, if it is different. */
      readonly fromNodeId?: string;
    }
  | { readonly status: 'failed'; readonly error: ErrorRecord; readonly attempts: number }
  | {
      readonly status: 'skipped';
      readonly reason: SkipReason;
      /** Values in its condition, or in those of the edges to it. */
      readonly detail?: WhenTrace | undefined;
      /** The reason given by its agent. */
      readonly words?: string;
      /** What it would have done, if an autonomy level held it back. */
      readonly suggestion?: SuggestedAction | undefined;
    };

/** A task that has started and not ended. */
export interface OpenTask {
  /** Number of failed attempts; the interrupted one is not counted. */
  readonly attemptsMade: number;
  /** Whether it waits for a person's answer. */
  readonly isWaiting: boolean;
  /** Whether the run was suspended after the task started, so that nothing in it was interrupted. */
  readonly isParked: boolean;
  /** The phase in which it started. */
  readonly phase: string | undefined;
  /** Whether it waits for answers to its own requests, and has not run since. */
  readonly isAsking: boolean;
  /** Its requests, by key. */
  readonly asks: ReadonlyMap<string, Ask>;
  /** Successful calls of its attempt, by call key. */
  readonly finished: ReadonlyMap<string, FinishedCall>;
  /** Tool calls with outside effects and without a result, by call key: how often each was started. */
  readonly cutTools: ReadonlyMap<string, number>;
  /** For an agent's input: the stage that has made a request, or has called a run that did. */
  readonly rest?: RestingStage;
}

/** Where an agent's input resumes after an answer. */
export interface RestingStage {
  readonly stage: StageName;
  /** Data that the stage resumes with. */
  readonly kept: JsonValue;
  /** Whether it runs again, so that an interruption from now on counts. */
  readonly hasBegun: boolean;
}

/** A part of an agent's run outside its inputs that has started: Before All or After All. */
export interface StartedStage {
  /** Result of its script; undefined if it was interrupted or failed. */
  readonly result: JsonValue | undefined;
  /** Whether it waits for a person's answer. */
  readonly isWaiting: boolean;
  /** Whether it waits for an answer to a request of a run that it called, and has not run since. */
  readonly isAsking: boolean;
}

export type PhaseStatus = 'open' | 'complete' | 'failed' | 'cancelled';

/** A person's decision, for one waiting node or, without a name, for all. */
export interface SuspensionAnswer {
  readonly decision: SuspensionDecision;
  readonly nodeId?: string;
}

/**
 * Where a run stopped. Nodes and edges are identified by their full name: `<loop>[<item>].<id>` in bodies; inputs of
 * agents by their tasks, `input:<index>`.
 */
export interface ResumePoint {
  readonly runId: RunId;
  /** Name of a called run, as it was called. */
  readonly agentName: string;
  /** Its start event; undefined if it has not started. */
  readonly start: RunStartEvent | undefined;
  /** The end event of a called run that has ended. */
  readonly end: RunEndEvent | undefined;
  /** Whether the end of a called run was reported to its caller. */
  readonly isReported: boolean;
  /** The text executed by a called run; undefined if unknown. */
  readonly definition: string | undefined;
  readonly phases: ReadonlyMap<string, PhaseStatus>;
  readonly stages: ReadonlyMap<StageName, StartedStage>;
  readonly settled: ReadonlyMap<string, SettledTask>;
  /** For steps: notes about the calls of their agents or tools. */
  readonly stepMetas: ReadonlyMap<string, JsonMap>;
  readonly open: ReadonlyMap<string, OpenTask>;
  /** Tasks that ended because another one had failed. */
  readonly stopped: ReadonlySet<string>;
  /** Whether each edge fired; absent = not decided yet. */
  readonly edges: ReadonlyMap<string, boolean>;
  readonly failedNodes: readonly string[];
  /** Why the phase failed. */
  readonly error: ErrorRecord | undefined;
  /** Whether a cancel was requested. */
  readonly wasCancelled: boolean;
  /** Cost of the run so far, including child runs. */
  readonly spending: Spending;
  /**
   * Runs called by open tasks, in order: by the name of the task, or by `''` for runs that an agent called outside its
   * inputs.
   */
  readonly calls: ReadonlyMap<string, readonly ResumePoint[]>;
  /** Called runs without an end, with callers that have ended. They are not resumed. */
  readonly orphans: readonly Orphan[];
  /** Active time of the run so far, without pauses, in milliseconds. */
  readonly activeMs: number;
  readonly lastSeq: number;
  /** The decision that a person has made now. */
  readonly answer: SuspensionAnswer | undefined;
}

/** A called run that is not resumed. */
export interface Orphan {
  readonly point: ResumePoint;
  /** The runs above it, starting with the one that the root called. */
  readonly callers: readonly RunId[];
  /** The task that called it. */
  readonly taskId: string | undefined;
}

/** Returns whether a waiting node has now been answered. An answer without a name applies to all. */
export function isAnswered(name: string, resume: ResumePoint | undefined): boolean {
  if (resume?.answer === undefined || (resume.answer.nodeId ?? name) !== name) return false;
  return resume.open.get(name)?.isWaiting === true || resume.stages.get(name as StageName)?.isWaiting === true;
}

/**
 * Returns the full names of all nodes that wait for a person. For a node in a called run, the name follows the calling
 * node and a `/`.
 */
export function waitingNames({ open, stages, calls }: ResumePoint): readonly string[] {
  const own = [...open, ...stages].flatMap(([name, { isWaiting }]) => (isWaiting ? [name] : []));
  const below = [...calls].flatMap(([task, runs]) =>
    runs.flatMap((run) => (run.end === undefined ? waitingNames(run).map((name) => `${task}/${name}`) : [])),
  );
  return [...own, ...below];
}

/** Returns the part of an answer for runs that a task has called; undefined if there is none. */
export function answerForChildRuns(answer: SuspensionAnswer | undefined, task: string): SuspensionAnswer | undefined {
  if (answer === undefined || answer.nodeId === undefined) return answer;
  const { decision, nodeId } = answer;
  if (nodeId === task) return { decision };
  return nodeId.startsWith(`${task}/`) ? { decision, nodeId: nodeId.slice(task.length + 1) } : undefined;
}

/** What reading a log requires. */
export interface RunLogSource {
  /** Returns the value, resolving a handle. */
  readonly whole: (value: JsonValue) => JsonValue;
  /** Returns a stored text by its hash. */
  readonly readDefinition?: (hash: string) => string | undefined;
}

/** Returns the end of a node that took an output instead of running. */
export function reusedBy(
  { output, fromRunId, fromNodeId }: Extract<NodeEvent, { type: 'node:reused' }>,
  { whole }: Pick<RunLogSource, 'whole'>,
): SettledTask {
  return {
    ...{ status: 'completed', output: whole(output), isReused: true },
    ...(fromRunId === undefined ? {} : { fromRunId }),
    ...(fromNodeId === undefined ? {} : { fromNodeId }),
  };
}

/** Returns the end of a node that was skipped according to the log. */
export function skippedBy(
  { reason, detail, suggestion }: Extract<NodeEvent, { type: 'node:skipped' }>,
  { whole }: RunLogSource,
): SettledTask {
  if (suggestion === undefined) return { status: 'skipped', reason, detail };
  return { status: 'skipped', reason, suggestion: { ...suggestion, params: whole(suggestion.params) } };
}
