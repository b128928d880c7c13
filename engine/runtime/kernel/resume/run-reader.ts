/**
 * Reads one run's events and determines what is finished and what is open.
 */
import type { ErrorRecord, StageName } from '../../../base/engine-error.ts';
import { type RunId, taskNameOf } from '../../../base/ids.ts';
import type { JsonMap } from '../../../language/json/json-value.ts';
import { applyRequestEvent, applyStageEvent, isAskReason } from '../events/open-asks.ts';
import { applyCallEvent, type OpenDraft, startedTask, taskWithInput, wholeTask } from '../events/open-calls.ts';
import type { RunEndEvent, RunEvent, RunStartEvent, StageEvent } from '../events/run-event.ts';
import { WorkedTime } from '../events/worked-time.ts';
import type { PauseReason } from '../hub/run-pause.ts';
import { Spending } from '../hub/spending.ts';
import type {
  Orphan,
  PhaseStatus,
  ResumePoint,
  RunLogSource,
  SettledTask,
  StartedStage,
  SuspensionAnswer,
} from './resume-point.ts';
import { answerForChildRuns, reusedBy, skippedBy } from './resume-point.ts';

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };

interface RunReaderCaller {
  readonly reader: RunReader;
  readonly taskId: string | undefined;
  readonly agentName: string;
}

export class RunReader {
  readonly runId: RunId;
  readonly #source: RunLogSource;
  readonly #caller: RunReaderCaller | undefined;
  readonly #phases = new Map<string, PhaseStatus>();
  readonly #stages = new Map<StageName, Mutable<StartedStage>>();
  readonly #settled = new Map<string, SettledTask>();
  readonly #stepMetas = new Map<string, JsonMap>();
  readonly #open = new Map<string, OpenDraft>();
  readonly #held = new Map<string, PauseReason>();
  readonly #stopped = new Set<string>();
  readonly #edges = new Map<string, boolean>();
  readonly #failedNodes: string[] = [];
  readonly #spending = new Spending();
  readonly #time = new WorkedTime();
  readonly #calls = new Map<string, RunReader[]>();
  /** For a root run: open runs whose callers have ended. */
  readonly #orphans: RunReader[] = [];
  #phase: string | undefined;
  #start: RunStartEvent | undefined;
  #end: RunEndEvent | undefined;
  #error: ErrorRecord | undefined;
  #wasCancelled = false;
  #isReported = false;
  #lastSeq = -1;

  constructor(runId: RunId, source: RunLogSource, caller?: RunReaderCaller) {
    this.runId = runId;
    this.#source = source;
    this.#caller = caller;
  }

  point(answer: SuspensionAnswer | undefined): ResumePoint {
    const isOpen = this.#caller !== undefined && this.#end === undefined;
    return {
      runId: this.runId,
      agentName: this.#caller?.agentName ?? '',
      start: this.#start,
      end: this.#end,
      isReported: this.#isReported,
      definition: isOpen && this.#start ? this.#source.readDefinition?.(this.#start.definitionHash) : undefined,
      phases: this.#phases,
      stages: this.#stages,
      settled: this.#settled,
      stepMetas: this.#stepMetas,
      open: new Map([...this.#open].map(([name, task]) => [name, wholeTask(task, this.#source.whole)])),
      held: this.#held,
      stopped: this.#stopped,
      edges: this.#edges,
      failedNodes: this.#failedNodes,
      error: this.#error,
      wasCancelled: this.#wasCancelled,
      spending: this.#spending,
      calls: new Map(
        [...this.#calls].map(([task, runs]) => [task, runs.map((run) => run.point(answerForChildRuns(answer, task)))]),
      ),
      orphans: this.#orphans.map((run) => run.#asOrphan()),
      activeMs: this.#time.ms,
      lastSeq: this.#lastSeq,
      answer,
    };
  }

  /** Records a child run of this one. For a flow, the only record of the call is the child's own start event. */
  call(runId: RunId, { agentName, taskId }: Omit<RunReaderCaller, 'reader'>): RunReader {
    const called = new RunReader(runId, this.#source, { reader: this, taskId, agentName });
    const task = taskNameOf(taskId ?? '');
    this.#calls.set(task, [...(this.#calls.get(task) ?? []), called]);
    return called;
  }

  /** Records an event's sequence number in the log, regardless of the run to which it belongs. */
  note(seq: number): void {
    this.#lastSeq = seq;
  }

  /** Restores the state in which a child run and the runs below it stopped. */
  adopt(point: ResumePoint, taskId: string | undefined, note: (reader: RunReader) => void): void {
    const { runId, agentName, start, end, isReported, phases, open, calls, activeMs } = point;
    const { settled, stepMetas, edges, stages, held, stopped, failedNodes, spending } = point;
    const called = this.call(runId, { agentName, taskId });
    for (const [name, status] of phases) called.#phases.set(name, status);
    for (const [name, task] of open)
      called.#open.set(name, { ...task, finished: new Map(task.finished), cutTools: new Map(task.cutTools) });
    for (const [name, task] of settled) called.#settled.set(name, task);
    for (const [name, meta] of stepMetas) called.#stepMetas.set(name, meta);
    for (const [id, isFired] of edges) called.#edges.set(id, isFired);
    for (const [name, stage] of stages) called.#stages.set(name, { ...stage });
    for (const [name, reason] of held) called.#held.set(name, reason);
    for (const name of stopped) called.#stopped.add(name);
    called.#failedNodes.push(...failedNodes);
    called.#spending.addAll(spending.total());
    for (const [task, below] of calls) for (const one of below) called.adopt(one, task === '' ? undefined : task, note);
    called.#start = start;
    called.#end = end;
    called.#isReported = isReported;
    called.#time.add(activeMs);
    note(called);
  }

  /**
   * Processes an event and returns the reader of the run that the event starts, if any. @param at epoch milliseconds
   */
  take(event: RunEvent, at: number, taskId: string | undefined): RunReader | undefined {
    this.#time.take(event.type, at);
    if (event.type === 'agent:start') return this.call(event.runId, { agentName: event.agentName, taskId });
    if (event.type === 'node:held') this.#held.set(event.nodeId, event.reason);
    else this.#takeEvent(event, at);
    if (taskId !== undefined) applyCallEvent(this.#open.get(taskNameOf(taskId)), event);
    return undefined;
  }

  #takeEvent(event: RunEvent, at: number): void {
    switch (event.type) {
      case 'run:start':
        this.#start = { ...event, inputs: this.#source.whole(event.inputs) };
        break;
      case 'run:end':
        this.#end = event.output === undefined ? event : { ...event, output: this.#source.whole(event.output) };
        for (const task of [...this.#calls.keys()]) this.#leaveCalls(task);
        break;
      case 'run:suspended':
      case 'run:resumed':
        for (const task of this.#open.values()) task.isParked = event.type === 'run:suspended';
        break;
      case 'phase:start':
        this.#phases.set(event.name, 'open');
        this.#phase = event.name;
        break;
      case 'phase:complete':
      case 'phase:cancelled':
        this.#phases.set(event.name, event.type === 'phase:complete' ? 'complete' : 'cancelled');
        break;
      case 'phase:failed':
        this.#phases.set(event.name, 'failed');
        this.#error = event.error;
        break;
      case 'stage:start':
      case 'stage:end':
        if (event.taskId === undefined) this.#takeStage(event);
        else applyStageEvent(this.#open.get(event.taskId), event, this.#source);
        break;
      case 'agent:complete':
      case 'agent:failed':
        this.#report(event.runId);
        break;
      case 'step:meta':
        this.#stepMetas.set(event.nodeId, event.meta);
        break;
      case 'edge:fired':
      case 'edge:skipped':
        this.#edges.set(event.edgeId, event.type === 'edge:fired');
        break;
      case 'model:response':
        for (let run: RunReader | undefined = this; run !== undefined; run = run.#caller?.reader) {
          run.#spending.add(event);
        }
        break;
      default:
        this.#takeTask(event, at);
    }
  }

  #takeStage(event: StageEvent): void {
    const former = this.#stages.get(event.stage);
    if (event.type === 'stage:start') {
      this.#stages.set(event.stage, { result: undefined, isWaiting: false, isAsking: false });
    } else if (former !== undefined) {
      former.result = event.result === undefined ? undefined : this.#source.whole(event.result);
      this.#leaveCalls('');
    }
  }

  #takeTask(event: RunEvent, at: number): void {
    switch (event.type) {
      case 'task:start':
        this.#begin(taskNameOf(event.taskId));
        break;
      case 'task:complete': {
        const output = this.#source.whole(event.result);
        this.#settle(taskNameOf(event.taskId), { status: 'completed', output });
        break;
      }
      case 'task:failed': {
        const { error, attempts } = event;
        this.#settle(taskNameOf(event.taskId), { status: 'failed', error, attempts });
        break;
      }
      case 'task:cancelled':
        this.#close(taskNameOf(event.taskId));
        if (event.reason === 'fail-fast') this.#stopped.add(taskNameOf(event.taskId));
        this.#wasCancelled ||= event.reason === 'cancel';
        break;
      case 'task:skipped':
        this.#settle(taskNameOf(event.taskId), { status: 'skipped', reason: 'directive', words: event.reason });
        break;
      case 'node:skipped':
        // If an agent requested the skip, the preceding event has the reason.
        if (event.reason === 'directive' && this.#settled.has(event.nodeId)) break;
        this.#settle(event.nodeId, skippedBy(event, this.#source));
        break;
      case 'node:reused':
        this.#settle(event.nodeId, reusedBy(event, this.#settled.get(event.nodeId), this.#source));
        break;
      case 'node:retry':
        // The failed attempt's child runs end with it.
        this.#leaveCalls(event.nodeId);
        this.#note(event.nodeId, { attemptsMade: event.attempt, finished: new Map(), cutTools: new Map() });
        break;
      case 'node:suspended':
        // A node's own questions are answered by events in the log, not by the caller that resumes the run.
        this.#note(event.nodeId, isAskReason(event.request.reason) ? { isAsking: true } : { isWaiting: true });
        break;
      case 'approval:requested':
      case 'input:requested':
      case 'approval:resolved':
      case 'input:received':
        applyRequestEvent(this.#open.get(event.nodeId), event, { at, whole: this.#source.whole });
        break;
      // If the node is interrupted after this, a new question is needed.
      case 'node:input':
        this.#note(event.nodeId, taskWithInput(event, this.#source.whole));
        break;
      default:
    }
  }

  #begin(name: string): void {
    this.#open.set(name, startedTask(this.#open.get(name), this.#phase));
  }

  #note(name: string, news: Partial<OpenDraft>): void {
    const task = this.#open.get(name);
    if (task !== undefined) Object.assign(task, news);
    const stage = this.#stages.get(name as StageName);
    if (stage !== undefined && news.isWaiting !== undefined) stage.isWaiting = news.isWaiting;
    if (stage !== undefined && news.isAsking !== undefined) stage.isAsking = news.isAsking;
  }

  #settle(name: string, end: SettledTask): void {
    this.#close(name);
    this.#settled.set(name, end);
    if (end.status === 'failed') this.#failedNodes.push(name);
  }

  #close(name: string): void {
    this.#open.delete(name);
    this.#leaveCalls(name);
  }

  /** These runs' callers have ended, so their results are no longer needed. A model call has no run, only a report. */
  #leaveCalls(task: string): void {
    const calls = this.#calls.get(task) ?? [];
    this.#calls.delete(task);
    this.#root().#orphans.push(...calls.filter((run) => run.#end === undefined && !run.#isReported));
  }

  #report(runId: RunId): void {
    for (const run of [...this.#calls.values()].flat()) if (run.runId === runId) run.#isReported = true;
  }

  #root(): RunReader {
    return this.#caller === undefined ? this : this.#caller.reader.#root();
  }

  #asOrphan(): Orphan {
    const callers: RunId[] = [];
    // The root run has no caller and is not included.
    for (let at = this.#caller; at !== undefined; at = at.reader.#caller) callers.unshift(at.reader.runId);
    callers.shift();
    return { point: this.point(undefined), callers, taskId: this.#caller?.taskId };
  }
}
