/**
 * What is done and what is left of a run and of the runs that it called, so that they can go on where they stopped;
 * `read-resume-point.ts` reads it from a log.
 */
import type { ErrorRecord, StageName } from '../base/engine-error.ts';
import type { RunId } from '../base/ids.ts';
import type { Suggestion } from '../flowspec/autonomy.ts';
import type { JsonMap, JsonValue } from '../flowspec/json-value.ts';
import type { SkipReason } from '../flowspec/markers.ts';
import type { WhenTrace } from '../flowspec/when.ts';
import type { Ask } from './ask.ts';
import type { FinishedCall } from './call-keys.ts';
import type { NodeEvent, RunEndEvent, RunStartEvent, SuspensionDecision } from './run-event.ts';
import type { Spending } from './spending.ts';

/** How a node, or an input of an agent, ended. */
export type SettledTask =
  | {
      readonly status: 'completed';
      readonly output: JsonValue;
      /** Taken over from an earlier run, or pinned. */
      readonly isReused?: true;
      /** The run that it was taken over from; absent when it is pinned. */
      readonly fromRunId?: RunId;
      /** The name that the node had there, where it differs. */
      readonly fromNodeId?: string;
    }
  | { readonly status: 'failed'; readonly error: ErrorRecord; readonly attempts: number }
  | {
      readonly status: 'skipped';
      readonly reason: SkipReason;
      /** What its condition, or those of the edges to it, saw. */
      readonly detail?: WhenTrace | undefined;
      /** What its agent said. */
      readonly words?: string;
      /** What it would have done, where a level of autonomy held it back. */
      readonly suggestion?: Suggestion | undefined;
    };

/** A task that has begun and not ended. */
export interface OpenTask {
  /** Attempts that failed before; the one that was cut is not counted. */
  readonly attemptsMade: number;
  /** It waits for a person's answer. */
  readonly isWaiting: boolean;
  /** The run was suspended after the task began, so that nothing of it was cut. */
  readonly isParked: boolean;
  /** The phase in which it began. */
  readonly phase: string | undefined;
  /** It waits for answers to what it asks itself, and nothing of it has run since. */
  readonly isAsking: boolean;
  /** What it has asked, by key. */
  readonly asks: ReadonlyMap<string, Ask>;
  /** What its attempt has called that gave something, by call key. */
  readonly finished: ReadonlyMap<string, FinishedCall>;
  /** Calls of tools that act outside and have no result, by call key: how often each was begun. */
  readonly cutTools: ReadonlyMap<string, number>;
  /** Of an input of an agent: the stage that has asked, or has called who asks. */
  readonly rest?: RestingStage;
}

/** Where an input of an agent goes on when it is answered. */
export interface RestingStage {
  readonly stage: StageName;
  /** What the stage goes on with. */
  readonly kept: JsonValue;
  /** It runs again: cut from now on, it has been cut. */
  readonly hasBegun: boolean;
}

/** A part of an agent's run that belongs to no input, and that has begun: Before All or After All. */
export interface BegunStage {
  /** What its script gave; undefined when it was cut, or failed. */
  readonly result: JsonValue | undefined;
  /** It waits for a person's answer. */
  readonly isWaiting: boolean;
  /** It waits for an answer to what a run asks that it called, and nothing of it has run since. */
  readonly isAsking: boolean;
}

export type PhaseStatus = 'open' | 'complete' | 'failed' | 'cancelled';

/** What a person decided, for one that waits or, without a name, for all. */
export interface Answer {
  readonly decision: SuspensionDecision;
  readonly nodeId?: string;
}

/**
 * Where a run stopped. Nodes and edges are named by their place in the run: `<loop>[<item>].<id>` in bodies; inputs of
 * agents by their tasks, `input:<index>`.
 */
export interface ResumePoint {
  readonly runId: RunId;
  /** Of a called run: as it was called. */
  readonly agentName: string;
  /** How it began; undefined when it has not. */
  readonly start: RunStartEvent | undefined;
  /** How it ended, for a called run that has. */
  readonly end: RunEndEvent | undefined;
  /** The end of a called run is told to its caller. */
  readonly isReported: boolean;
  /** The text that ran, of a called run; undefined when it is not known. */
  readonly definition: string | undefined;
  readonly phases: ReadonlyMap<string, PhaseStatus>;
  readonly stages: ReadonlyMap<StageName, BegunStage>;
  readonly settled: ReadonlyMap<string, SettledTask>;
  /** Of steps: what was noted about the call of their agent or tool. */
  readonly stepMetas: ReadonlyMap<string, JsonMap>;
  readonly open: ReadonlyMap<string, OpenTask>;
  /** Tasks that ended because something beside them had failed. */
  readonly stopped: ReadonlySet<string>;
  /** Whether an edge fired; absent = not decided yet. */
  readonly edges: ReadonlyMap<string, boolean>;
  readonly failedNodes: readonly string[];
  /** Why the phase failed. */
  readonly error: ErrorRecord | undefined;
  /** Somebody had asked to stop. */
  readonly wasCancelled: boolean;
  /** What the run has cost so far, with the runs that it called. */
  readonly spending: Spending;
  /**
   * Runs that what is open has called, in their order: by the name of the task, or by `''` for what an agent's run called
   * outside of its inputs.
   */
  readonly calls: ReadonlyMap<string, readonly ResumePoint[]>;
  /** Called runs that have no end, and whose callers have one: nobody goes on with them. */
  readonly orphans: readonly Orphan[];
  /** How long the run has worked so far, pauses left out, in milliseconds. */
  readonly activeMs: number;
  readonly lastSeq: number;
  /** What a person decided now. */
  readonly answer: Answer | undefined;
}

/** A called run that nobody goes on with. */
export interface Orphan {
  readonly point: ResumePoint;
  /** The runs above it, from the one that the root called on. */
  readonly callers: readonly RunId[];
  /** The task that called it. */
  readonly taskId: string | undefined;
}

/** Whether something that waits has now been answered; an answer that names nobody is for all that wait. */
export function isAnswered(name: string, resume: ResumePoint | undefined): boolean {
  if (resume?.answer === undefined || (resume.answer.nodeId ?? name) !== name) return false;
  return resume.open.get(name)?.isWaiting === true || resume.stages.get(name as StageName)?.isWaiting === true;
}

/** The full names of all that wait for a person: of what a called run asks, behind the node that called it and a `/`. */
export function waitingNames({ open, stages, calls }: ResumePoint): readonly string[] {
  const own = [...open, ...stages].flatMap(([name, { isWaiting }]) => (isWaiting ? [name] : []));
  const below = [...calls].flatMap(([task, runs]) =>
    runs.flatMap((run) => (run.end === undefined ? waitingNames(run).map((name) => `${task}/${name}`) : [])),
  );
  return [...own, ...below];
}

/** The part of an answer that is for the runs that a task has called; undefined when none is. */
export function answerBelow(answer: Answer | undefined, task: string): Answer | undefined {
  if (answer === undefined || answer.nodeId === undefined) return answer;
  const { decision, nodeId } = answer;
  if (nodeId === task) return { decision };
  return nodeId.startsWith(`${task}/`) ? { decision, nodeId: nodeId.slice(task.length + 1) } : undefined;
}

/** What reading a log needs. */
export interface LogSource {
  /** The value itself where a handle stands for it. */
  readonly whole: (value: JsonValue) => JsonValue;
  /** A stored text, by its hash. */
  readonly readDefinition?: (hash: string) => string | undefined;
}

/** How a node ended that took an output instead of running. */
export function reusedBy(
  { output, fromRunId, fromNodeId }: Extract<NodeEvent, { type: 'node:reused' }>,
  { whole }: Pick<LogSource, 'whole'>,
): SettledTask {
  return {
    ...{ status: 'completed', output: whole(output), isReused: true },
    ...(fromRunId === undefined ? {} : { fromRunId }),
    ...(fromNodeId === undefined ? {} : { fromNodeId }),
  };
}

/** How a node ended that the log says was skipped. */
export function skippedBy(
  { reason, detail, suggestion }: Extract<NodeEvent, { type: 'node:skipped' }>,
  { whole }: LogSource,
): SettledTask {
  if (suggestion === undefined) return { status: 'skipped', reason, detail };
  return { status: 'skipped', reason, suggestion: { ...suggestion, params: whole(suggestion.params) } };
}
