/**
 * Going on with a run that stopped half-way: whether it may, and from where.
 */
import { EngineError } from '../base/engine-error.ts';
import type { RunId } from '../base/ids.ts';
import type { AutonomyLevel } from '../flowspec/autonomy.ts';
import type { JsonMap } from '../flowspec/json-value.ts';
import { isValueHandle } from '../flowspec/value-handle.ts';
import { readResumePoint } from '../kernel/read-resume-point.ts';
import { type ResumePoint, waitingNames } from '../kernel/resume-point.ts';
import type {
  EventEnvelope,
  RunPart,
  RunResumedEvent,
  RunStartEvent,
  SuspensionDecision,
} from '../kernel/run-event.ts';
import type { RunSummary } from '../kernel/run-state.ts';
import type { RunRecord, RunStore } from '../store/run-store.ts';
import { readLog } from './read-log.ts';

/** How a run that stopped half-way is to go on. */
export interface ResumeRun {
  readonly runId: RunId;
  /** For a suspended run: what the person decided. Absent after a crash. */
  readonly decision?: SuspensionDecision;
  /** What the person has to say. */
  readonly comment?: string;
  /** The answer to what a node asks, in place of `decision`: see `checkAnswer`. */
  readonly payload?: JsonMap;
  /** Where a node asks several things. */
  readonly key?: string;
  /** Who answers; the user of the system unless somebody else is named. */
  readonly by?: string;
  /**
   * Decides for one that waits, and for what waits below it: a node, an input of an agent (`input:<index>`) or its `BeforeAll` or
   * `AfterAll`. Behind a node that called the agent, `<node>/input:<index>`.
   */
  readonly nodeId?: string;
}

/**
 * Whether the request fits the run's state.
 * @throws EngineError `run.invalid-state` when it does not
 */
export function refuseUnfitting(run: RunSummary, { decision, nodeId }: ResumeRun): void {
  const { status } = run;
  // Whose it is while it goes on, the history tells when it is claimed.
  const goesOn = status === 'queued' || status === 'running';
  if (goesOn) return;
  if (status !== 'interrupted' && status !== 'suspended') {
    throw invalidState(run, 'Only an interrupted or a suspended run can go on.');
  }
  if (status === 'interrupted' && decision !== undefined) {
    throw invalidState(run, 'Nobody has been asked anything yet: resume it without an answer.');
  }
  if (nodeId !== undefined && decision === undefined) {
    throw invalidState(run, `Say whether node "${nodeId}" is approved or rejected.`);
  }
}

/** Where an earlier process stopped, and what a person said to it. */
export interface Continuation {
  readonly point: ResumePoint;
  readonly resumed: Omit<RunResumedEvent, 'type'>;
}

export interface StoredRun {
  /** Undefined when the run has no events yet: it starts from the beginning. */
  readonly continuation: Continuation | undefined;
  /** What its `run:start` says about its origin. */
  readonly start:
    | Pick<
        RunStartEvent,
        'redoOf' | 'redoCount' | 'rerunOf' | 'rerunFromNode' | 'scope' | 'pinned' | 'sessionId' | 'flowId'
      >
    | undefined;
}

/**
 * Reads where a run stopped.
 * @throws EngineError `run.invalid-state` when the answer is for a node that does not wait, or what of its flow it was about is lost
 */
export function readContinuation(store: RunStore, runId: RunId, answer: ResumeRun | undefined): StoredRun {
  const decision = answer?.decision;
  const nodeId = answer?.nodeId === undefined ? {} : { nodeId: answer.nodeId };
  let start: RunStartEvent | undefined;
  const events = noting(readLog(store, runId), ({ event }) => {
    if (event.type === 'run:start') start = event;
  });
  const point = readResumePoint(events, {
    whole: (value) => (isValueHandle(value) ? (store.readValue(value.$value) ?? value) : value),
    readDefinition: (hash) => store.readDefinition(hash),
    ...(decision === undefined ? {} : { answer: { decision, ...nodeId } }),
  });
  // Without an answer it goes on only to end.
  if (answer !== undefined) refuseLostPart(store.getRun(runId), start, point);
  if (start === undefined) return { continuation: undefined, start };
  refuseUnasked(runId, answer, waitingNames(point));
  const comment = answer?.comment === undefined ? {} : { comment: answer.comment };
  const resumed = { ...(decision === undefined ? {} : { decision }), ...comment, ...nodeId };
  return { continuation: { point, resumed }, start: lineageOf(start) };
}

/** What a run does less than its flow says. */
interface Narrowed {
  readonly part?: RunPart;
  readonly pins?: Readonly<Record<string, unknown>>;
  readonly autonomy?: AutonomyLevel;
}

/**
 * A name that no node has: stands among the settings of a run of a part of its flow, with pins, or at a lower level, until its first event
 * says so.
 */
const partNote = '';

/** The settings of the nodes of a run, as they are recorded. */
export function withPartNote(
  settings: Readonly<Record<string, string>>,
  { part, pins = {}, autonomy }: Narrowed,
): Readonly<Record<string, string>> {
  const isWhole = part === undefined && autonomy === undefined && Object.keys(pins).length === 0;
  return isWhole ? settings : { ...settings, [partNote]: 'part' };
}

/**
 * What of its flow a run was about, and what was pinned, stands in its first events; it must not run more than that.
 * @throws EngineError `run.invalid-state` for one that was cut before these were there
 */
function refuseLostPart(run: RunRecord | undefined, start: RunStartEvent | undefined, { settled }: ResumePoint): void {
  const hasNote = run !== undefined && Object.hasOwn(run.nodeSettings, partNote);
  const isLost = start === undefined ? hasNote : start.pinned?.some((id) => !settled.has(id));
  if (isLost !== true || run === undefined) return;
  throw invalidState(run, 'It was cut before anything of it had begun. Start it anew, or cancel it.');
}

/** @throws EngineError `run.invalid-state` when the answer is for somebody who does not wait */
function refuseUnasked(runId: RunId, answer: ResumeRun | undefined, waiting: readonly string[]): void {
  const { nodeId } = answer ?? {};
  if (nodeId === undefined || waiting.some((name) => name === nodeId || name.startsWith(`${nodeId}/`))) return;
  throw notWaiting(runId, nodeId, waiting);
}

function lineageOf(start: RunStartEvent): StoredRun['start'] {
  const { redoOf, redoCount, rerunOf, rerunFromNode, scope, pinned, sessionId, flowId } = start;
  return {
    ...(redoOf === undefined ? {} : { redoOf }),
    ...(redoCount === undefined ? {} : { redoCount }),
    ...(rerunOf === undefined ? {} : { rerunOf }),
    ...(rerunFromNode === undefined ? {} : { rerunFromNode }),
    ...(scope === undefined ? {} : { scope }),
    ...(pinned === undefined ? {} : { pinned }),
    ...(sessionId === undefined ? {} : { sessionId }),
    ...(flowId === undefined ? {} : { flowId }),
  };
}

function* noting(events: Iterable<EventEnvelope>, note: (event: EventEnvelope) => void): Generator<EventEnvelope> {
  for (const event of events) {
    note(event);
    yield event;
  }
}

/** The run is in a state in which this cannot be done. */
export function invalidState({ runId, status }: RunSummary, advice: string): EngineError {
  return new EngineError({ code: 'run.invalid-state', message: `Run ${runId} is ${status}. ${advice}` });
}

function notWaiting(runId: RunId, nodeId: string, waiting: readonly string[]): EngineError {
  const message = `Node "${nodeId}" of run ${runId} does not wait for an answer. These do: ${waiting.join(', ')}.`;
  return new EngineError({ code: 'run.invalid-state', message, nodeId });
}
