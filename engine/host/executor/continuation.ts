/**
 * Determines whether and where a run that stopped halfway can be resumed.
 */
import { EngineError } from '../../base/engine-error.ts';
import type { RunId } from '../../base/ids.ts';
import type { BudgetRaise } from '../../history/store/request-store.ts';
import type { RunRecord } from '../../history/store/run-row.ts';
import type { RunStore } from '../../history/store/run-store.ts';
import type { AutonomyLevel } from '../../language/flow/autonomy.ts';
import type { JsonMap, JsonValue } from '../../language/json/json-value.ts';
import { isValueHandle } from '../../language/json/value-handle.ts';
import { type BudgetDoc, budgetParts, raisedBudget } from '../../language/triggers/budget-doc.ts';
import type {
  EventEnvelope,
  RunEvent,
  RunPart,
  RunResumedEvent,
  RunStartEvent,
  SuspensionDecision,
} from '../../runtime/kernel/events/run-event.ts';
import type { RunSummary } from '../../runtime/kernel/events/run-state.ts';
import type { PauseAction } from '../../runtime/kernel/hub/run-pause.ts';
import { readResumePoint } from '../../runtime/kernel/resume/read-resume-point.ts';
import { type ResumePoint, waitingNames } from '../../runtime/kernel/resume/resume-point.ts';
import { readLog } from '../reads/read-log.ts';

/** How to resume a run that stopped halfway. */
export interface ResumeRun {
  readonly runId: RunId;
  /** Decision of a person about a suspended run. Absent after a crash. */
  readonly decision?: SuspensionDecision;
  /**
   * What a person has decided about a paused run. `skip` and `edit` are about a held node, which `nodeId` names if several
   * are held; the run then continues.
   */
  readonly action?: PauseAction;
  /** For `skip`: the output that the node gets instead of running. */
  readonly output?: JsonValue;
  /** For `edit`: the node's input. A mask of a secret stands for it where the file references it. */
  readonly input?: JsonMap;
  /** For `raise`: the new limits. */
  readonly raised?: BudgetDoc;
  /** The person's comment. */
  readonly comment?: string;
  /** The answer to a node's request, instead of `decision`: see `checkAnswer`. */
  readonly payload?: JsonMap;
  /** Identifies the request if a node has several. */
  readonly key?: string;
  /** Name of the person who answers; defaults to the system user. */
  readonly by?: string;
  /**
   * Selects the subject of the decision, including everything that waits below it: a node, an agent's input
   * (`input:<index>`), `BeforeAll` or `AfterAll`. For an agent called by a node: `<node>/input:<index>`.
   */
  readonly nodeId?: string;
}

/**
 * Checks that the request fits the run's state.
 * @throws EngineError `run.invalid-state` if it does not
 */
export function refuseUnfitting(run: RunSummary, { decision, nodeId }: ResumeRun): void {
  const { status } = run;
  // Claiming an active run in the history reports its owner.
  const goesOn = status === 'queued' || status === 'running';
  if (goesOn) return;
  if (status !== 'interrupted' && status !== 'suspended') {
    throw invalidState(run, 'Only an interrupted or suspended run can be resumed.');
  }
  if (status === 'interrupted' && decision !== undefined) {
    throw invalidState(run, 'The run has not requested anything yet. Resume it without an answer.');
  }
  if (nodeId !== undefined && decision === undefined) {
    throw invalidState(run, `Specify whether node "${nodeId}" is approved or rejected.`);
  }
}

/** The point at which an earlier process stopped, and a person's decision about it. */
export interface Continuation {
  readonly point: ResumePoint;
  readonly resumed: Omit<RunResumedEvent, 'type'>;
}

export interface StoredRun {
  /** Undefined if the run has no events yet and starts from the beginning. */
  readonly continuation: Continuation | undefined;
  /** Data about the run's origin, from its `run:start` event. */
  readonly start:
    | Pick<
        RunStartEvent,
        | 'redoOf'
        | 'redoCount'
        | 'rerunOf'
        | 'rerunFromNode'
        | 'rerunUntil'
        | 'scope'
        | 'pinned'
        | 'sessionId'
        | 'flowId'
        | 'budget'
      >
    | undefined;
}

/**
 * Reads where a run stopped.
 * @throws EngineError `run.invalid-state` if the answer is for a node that does not wait, or the selected part of its
 * flow is unknown
 */
export function readContinuation(store: RunStore, runId: RunId, answer: ResumeRun | undefined): StoredRun {
  const decision = answer?.decision;
  const nodeId = answer?.nodeId === undefined ? {} : { nodeId: answer.nodeId };
  let start: RunStartEvent | undefined;
  let budget: BudgetDoc | undefined;
  const events = noting(readLog(store, runId), ({ event, rootRunId }) => {
    if (event.type === 'run:start') start = event;
    if (rootRunId === undefined) budget = budgetAfter(budget, event);
  });
  const point = readResumePoint(events, {
    whole: (value) => (isValueHandle(value) ? (store.readValue(value.$value) ?? value) : value),
    readDefinition: (hash) => store.readDefinition(hash),
    ...(decision === undefined ? {} : { answer: { decision, ...nodeId } }),
  });
  // Without an answer, the run is resumed only in order to end.
  if (answer !== undefined) refuseLostPart(store.getRun(runId), start, point);
  if (start === undefined) return { continuation: undefined, start };
  if (answer?.action === undefined) refuseUnasked(runId, answer, waitingNames(point));
  const comment = answer?.comment === undefined ? {} : { comment: answer.comment };
  const decided = { ...(decision === undefined ? {} : { decision }), ...pausedFields(answer), ...comment, ...nodeId };
  const resumed = { ...decided, ...newRaise(budget, store.requests.raiseOf(runId)) };
  return {
    continuation: { point, resumed },
    start: lineageOf(start, budgetAfter(budget, { type: 'run:resumed', ...resumed })),
  };
}

function pausedFields(answer: ResumeRun | undefined): Pick<RunResumedEvent, 'action' | 'by'> {
  if (answer?.action === undefined) return {};
  const { action, by } = answer;
  return { action, ...(by === undefined ? {} : { by }) };
}

/** Returns how a person has raised the budget, unless the run's log contains that already. */
function newRaise(budget: BudgetDoc | undefined, raise: BudgetRaise | undefined): Partial<BudgetRaise> {
  if (budget === undefined || raise === undefined) return {};
  const raised = raisedBudget(budget, raise.raised);
  return budgetParts.some((part) => raised[part] !== budget[part]) ? raise : {};
}

/** Returns the budget of a root run after one of its events. */
export function budgetAfter(budget: BudgetDoc | undefined, event: RunEvent): BudgetDoc | undefined {
  if (event.type === 'run:start') return event.budget;
  const raised = event.type === 'run:resumed' ? event.raised : undefined;
  return raised === undefined || budget === undefined ? budget : raisedBudget(budget, raised);
}

/** Restrictions of a run compared with its flow. */
interface Narrowed {
  readonly part?: RunPart;
  readonly pins?: Readonly<Record<string, unknown>>;
  readonly autonomy?: AutonomyLevel;
}

/**
 * A name that no node has. It is stored in the settings of a run that executes only a part of its flow, has pins, or
 * has a lower level, until the run's first event contains these.
 */
const partNote = '';

/** Returns the node settings of a run as recorded. */
export function withPartNote(
  settings: Readonly<Record<string, string>>,
  { part, pins = {}, autonomy }: Narrowed,
): Readonly<Record<string, string>> {
  const isWhole = part === undefined && autonomy === undefined && Object.keys(pins).length === 0;
  return isWhole ? settings : { ...settings, [partNote]: 'part' };
}

/**
 * Rejects a run if its part or its pins are unknown. They are stored in the run's first events, and the run must not
 * execute more than its part.
 * @throws EngineError `run.invalid-state` for a run that was interrupted before they were stored
 */
function refuseLostPart(run: RunRecord | undefined, start: RunStartEvent | undefined, { settled }: ResumePoint): void {
  const hasNote = run !== undefined && Object.hasOwn(run.nodeSettings, partNote);
  const isLost = start === undefined ? hasNote : start.pinned?.some((id) => !settled.has(id));
  if (isLost !== true || run === undefined) return;
  throw invalidState(run, 'It was interrupted before its first step. Start it again, or cancel it.');
}

/** @throws EngineError `run.invalid-state` if the answer is for something that does not wait */
function refuseUnasked(runId: RunId, answer: ResumeRun | undefined, waiting: readonly string[]): void {
  const { nodeId } = answer ?? {};
  if (nodeId === undefined || waiting.some((name) => name === nodeId || name.startsWith(`${nodeId}/`))) return;
  throw notWaiting(runId, nodeId, waiting);
}

/** @param budget as far as it was raised */
function lineageOf(start: RunStartEvent, budget: BudgetDoc | undefined): StoredRun['start'] {
  const { redoOf, redoCount, rerunOf, rerunFromNode, rerunUntil, scope, pinned, sessionId, flowId } = start;
  return {
    ...(redoOf === undefined ? {} : { redoOf }),
    ...(redoCount === undefined ? {} : { redoCount }),
    ...(rerunOf === undefined ? {} : { rerunOf }),
    ...(rerunFromNode === undefined ? {} : { rerunFromNode }),
    ...(rerunUntil === undefined ? {} : { rerunUntil }),
    ...(scope === undefined ? {} : { scope }),
    ...(pinned === undefined ? {} : { pinned }),
    ...(sessionId === undefined ? {} : { sessionId }),
    ...(flowId === undefined ? {} : { flowId }),
    ...(budget === undefined ? {} : { budget }),
  };
}

/** Returns what is known about a run that has no events yet. */
export function originIn({
  redoOf,
  rerunOf,
  startedBy,
}: RunRecord): Pick<RunStartEvent, 'redoOf' | 'rerunOf' | 'startedBy' | 'scope' | 'pinned'> {
  return {
    ...(redoOf === undefined ? {} : { redoOf }),
    ...(rerunOf === undefined ? {} : { rerunOf }),
    ...(startedBy === undefined ? {} : { startedBy }),
  };
}

function* noting(events: Iterable<EventEnvelope>, note: (event: EventEnvelope) => void): Generator<EventEnvelope> {
  for (const event of events) {
    note(event);
    yield event;
  }
}

/** Creates the error for an action that is not possible in the run's state. */
export function invalidState({ runId, status }: RunSummary, advice: string): EngineError {
  return new EngineError({ code: 'run.invalid-state', message: `Run ${runId} is ${status}. ${advice}` });
}

function notWaiting(runId: RunId, nodeId: string, waiting: readonly string[]): EngineError {
  const others =
    waiting.length === 0 ? '`millrace inbox` lists open requests.' : `Waiting nodes: ${waiting.join(', ')}.`;
  const message = `Node "${nodeId}" of run ${runId} is not waiting for an answer. ${others}`;
  return new EngineError({ code: 'run.invalid-state', message, nodeId });
}
