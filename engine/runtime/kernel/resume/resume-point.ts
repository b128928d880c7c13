/**
 * The completed and remaining work of a run and its child runs, needed to resume them; `read-resume-point.ts` derives
 * it from a log.
 */
import type { ErrorRecord, StageName } from '../../../base/engine-error.ts';
import type { RunId } from '../../../base/ids.ts';
import type { SkipReason } from '../../../language/bindings/markers.ts';
import type { WhenTrace } from '../../../language/bindings/when.ts';
import type { SuggestedAction } from '../../../language/flow/autonomy.ts';
import type { JsonMap, JsonValue } from '../../../language/json/json-value.ts';
import type { NodeEvent, RunEndEvent, RunStartEvent, SuspensionDecision } from '../events/run-event.ts';
import type { PauseReason } from '../hub/run-pause.ts';
import type { Spending } from '../hub/spending.ts';
import type { Ask } from '../requests/ask.ts';
import type { FinishedCall } from './call-keys.ts';

/** How a node or an agent's input ended. */
export type SettledTask =
  | {
      readonly status: 'completed';
      readonly output: JsonValue;
      /** Whether it was reused from an earlier run or pinned. */
      readonly isReused?: true;
      /** The run from which it was reused; absent if it is pinned. */
      readonly fromRunId?: RunId;
      /** The node's name in that run, if different. */
      readonly fromNodeId?: string;
      /** A person has given it this output. */
      readonly isGiven?: true;
    }
  | { readonly status: 'failed'; readonly error: ErrorRecord; readonly attempts: number }
  | {
      readonly status: 'skipped';
      readonly reason: SkipReason;
      /** Values in the node's condition or in the conditions of the edges to it. */
      readonly detail?: WhenTrace | undefined;
      /** The agent's reason. */
      readonly words?: string;
      /** The action it would have taken, if an autonomy level held it back. */
      readonly suggestion?: SuggestedAction | undefined;
    };

/** A task that has started and not ended. */
export interface OpenTask {
  /** Number of failed attempts, excluding the interrupted one. */
  readonly attemptsMade: number;
  /** Whether it waits for a person's answer. */
  readonly isWaiting: boolean;
  /** Whether the run was suspended after the task started, so that nothing in the task was interrupted. */
  readonly isParked: boolean;
  /** The phase in which the task started. */
  readonly phase: string | undefined;
  /** Whether the task waits for answers to its own requests and has not run since. */
  readonly isAsking: boolean;
  /** Its requests, by key. */
  readonly asks: ReadonlyMap<string, Ask>;
  /** Its attempt's successful calls, by call key. */
  readonly finished: ReadonlyMap<string, FinishedCall>;
  /** How often each tool call with outside effects and without a result was started, by call key. */
  readonly cutTools: ReadonlyMap<string, number>;
  /** The input that a person has given it. */
  readonly edited?: { readonly input: JsonMap; readonly by?: string | undefined };
  /** For an agent's input: the stage that made a request or has a child run that did. */
  readonly rest?: RestingStage;
}

/** Where an agent's input resumes after an answer. */
export interface RestingStage {
  readonly stage: StageName;
  /** Data with which the stage resumes. */
  readonly kept: JsonValue;
  /** Whether it runs again, so that an interruption from now on counts. */
  readonly hasBegun: boolean;
}

/** A started part of an agent's run outside its inputs: Before All or After All. */
export interface StartedStage {
  /** Its script's result; undefined if it was interrupted or failed. */
  readonly result: JsonValue | undefined;
  /** Whether it waits for a person's answer. */
  readonly isWaiting: boolean;
  /** Whether it waits for an answer to a child run's request and has not run since. */
  readonly isAsking: boolean;
}

export type PhaseStatus = 'open' | 'complete' | 'failed' | 'cancelled';

/** A person's decision for one waiting node or, without a name, for all of them. */
export interface SuspensionAnswer {
  readonly decision: SuspensionDecision;
  readonly nodeId?: string;
}

/**
 * Where a run stopped. Nodes and edges are identified by their full names: `<loop>[<item>].<id>` in bodies; agent
 * inputs by their tasks, `input:<index>`.
 */
export interface ResumePoint {
  readonly runId: RunId;
  /** A child run's name, as used in the call. */
  readonly agentName: string;
  /** Its start event; undefined if it has not started. */
  readonly start: RunStartEvent | undefined;
  /** The end event of a child run that has ended. */
  readonly end: RunEndEvent | undefined;
  /** Whether a child run's end was reported to its caller. */
  readonly isReported: boolean;
  /** The text executed by a child run; undefined if unknown. */
  readonly definition: string | undefined;
  readonly phases: ReadonlyMap<string, PhaseStatus>;
  readonly stages: ReadonlyMap<StageName, StartedStage>;
  readonly settled: ReadonlyMap<string, SettledTask>;
  /** For steps: notes about their agent or tool calls. */
  readonly stepMetas: ReadonlyMap<string, JsonMap>;
  readonly open: ReadonlyMap<string, OpenTask>;
  /** Why nodes and inputs were held before they started. */
  readonly held: ReadonlyMap<string, PauseReason>;
  /** Tasks that ended because another task failed. */
  readonly stopped: ReadonlySet<string>;
  /** Whether each edge fired; absent if not evaluated yet. */
  readonly edges: ReadonlyMap<string, boolean>;
  readonly failedNodes: readonly string[];
  /** Why the phase failed. */
  readonly error: ErrorRecord | undefined;
  /** Whether cancellation was requested. */
  readonly wasCancelled: boolean;
  /** The run's cost so far, including child runs. */
  readonly spending: Spending;
  /** Child runs of open tasks, in order: by task name, or by `''` for runs that an agent started outside its inputs. */
  readonly calls: ReadonlyMap<string, readonly ResumePoint[]>;
  /** Child runs without an end whose callers have ended. They are not resumed. */
  readonly orphans: readonly Orphan[];
  /** The run's active time so far in milliseconds, without pauses. */
  readonly activeMs: number;
  readonly lastSeq: number;
  /** The decision that a person has just made. */
  readonly answer: SuspensionAnswer | undefined;
}

/** A child run that is not resumed. */
export interface Orphan {
  readonly point: ResumePoint;
  /** The runs above it, starting with the one that the root called. */
  readonly callers: readonly RunId[];
  /** The task that started it. */
  readonly taskId: string | undefined;
}

/** Whether a waiting node has now been answered. An answer without a name applies to all nodes. */
export function isAnswered(name: string, resume: ResumePoint | undefined): boolean {
  if (resume?.answer === undefined || (resume.answer.nodeId ?? name) !== name) return false;
  return resume.open.get(name)?.isWaiting === true || resume.stages.get(name as StageName)?.isWaiting === true;
}

/**
 * Returns the full names of all nodes that wait for a person. The name of a node in a child run follows the calling
 * node's name and a `/`.
 */
export function waitingNames({ open, stages, calls }: ResumePoint): readonly string[] {
  const own = [...open, ...stages].flatMap(([name, { isWaiting }]) => (isWaiting ? [name] : []));
  const below = [...calls].flatMap(([task, runs]) =>
    runs.flatMap((run) => (run.end === undefined ? waitingNames(run).map((name) => `${task}/${name}`) : [])),
  );
  return [...own, ...below];
}

/** Returns the full names of all nodes that are held, in the form of `waitingNames`. */
export function heldNames({ held, open, settled, calls }: ResumePoint): readonly string[] {
  const own = [...held.keys()].filter((name) => !open.has(name) && !settled.has(name));
  const below = [...calls].flatMap(([task, runs]) =>
    runs.flatMap((run) => (run.end === undefined ? heldNames(run).map((name) => `${task}/${name}`) : [])),
  );
  return [...own, ...below];
}

/** Returns the part of an answer for a task's child runs; undefined if there is none. */
export function answerForChildRuns(answer: SuspensionAnswer | undefined, task: string): SuspensionAnswer | undefined {
  if (answer === undefined || answer.nodeId === undefined) return answer;
  const { decision, nodeId } = answer;
  if (nodeId === task) return { decision };
  return nodeId.startsWith(`${task}/`) ? { decision, nodeId: nodeId.slice(task.length + 1) } : undefined;
}

/** The dependencies for reading a log. */
export interface RunLogSource {
  /** Returns the value, resolving a handle. */
  readonly whole: (value: JsonValue) => JsonValue;
  /** Returns a stored text by its hash. */
  readonly readDefinition?: (hash: string) => string | undefined;
}

/**
 * Returns the end of a node that used an existing output instead of running, or whose output a person has changed.
 * @param former how it had ended before
 */
export function reusedBy(
  { output, fromRunId, fromNodeId, given }: Extract<NodeEvent, { type: 'node:reused' }>,
  former: SettledTask | undefined,
  { whole }: Pick<RunLogSource, 'whole'>,
): SettledTask {
  return {
    ...{ status: 'completed', output: whole(output) },
    ...(former?.status === 'completed' && former.isReused === undefined ? {} : { isReused: true }),
    ...(fromRunId === undefined ? {} : { fromRunId }),
    ...(fromNodeId === undefined ? {} : { fromNodeId }),
    ...(given === undefined ? {} : { isGiven: true }),
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
