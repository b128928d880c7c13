/**
 * Converts the log of a run to spans, each returned when it ends: run, phases, tasks, attempts, and calls of models and
 * tools. Only the state of active work is kept. A pause ends all spans, because waiting is not work. Work that
 * continues after the pause gets new spans in the same trace, below the run's first span.
 */
import { nodeNameOf, type RunId } from '../../base/ids.ts';
import type { JsonValue } from '../../language/json/json-value.ts';
import { type EventEnvelope, type RunEvent, rootOf } from '../../runtime/kernel/events/run-event.ts';
import { endedTask, outcomeOf, startedTask, type TaskEnd } from '../../runtime/kernel/events/task-events.ts';
import { agentAttributes, runAttributes } from './gen-ai-attributes.ts';
import { type Attributes, OpenSpan, runSpanOf, type SpanPlace, spanIdOf, type TraceSpan, traceIdOf } from './span.ts';
import { SpanCallLog } from './span-calls.ts';
import { endedAs, RunSpans, type SpanEnding, TaskSpans } from './span-scopes.ts';

export interface SpanLogOptions {
  /** Returns the name of a run with an unknown start. */
  readonly nameOf: (runId: RunId) => string | undefined;
  /** If set, spans contain model responses and tool inputs. */
  readonly content?: { readonly whole: (value: JsonValue) => JsonValue };
}

/** Converts events to spans. Accepts the events of several runs. Each run's events must be in order. */
export class SpanLog {
  readonly #options: SpanLogOptions;
  readonly #calls: SpanCallLog;
  readonly #runs = new Map<RunId, RunSpans>();
  readonly #names = new Map<RunId, string>();
  #done: TraceSpan[] = [];

  constructor(options: SpanLogOptions) {
    this.#options = options;
    this.#calls = new SpanCallLog(options.content);
  }

  /** Number of active runs, including child runs. */
  get openRuns(): number {
    return this.#runs.size;
  }

  /** Returns the spans that ended with the event. */
  add(envelope: EventEnvelope): readonly TraceSpan[] {
    // Most events are chunks of text.
    if (envelope.event.type === 'agent:text' || envelope.event.type === 'agent:thinking') return none;
    this.#tell(envelope);
    if (this.#done.length === 0) return none;
    const done = this.#done;
    this.#done = [];
    return done;
  }

  /** Ends all open spans, because no more events about them are known. */
  end(at: number): readonly TraceSpan[] {
    for (const root of [...this.#runs.values()].filter(({ parentRunId }) => !this.#runs.has(parentRunId as RunId))) {
      this.#endRun(root, { at, state: 'running' });
    }
    const done = this.#done;
    this.#done = [];
    return done;
  }

  #tell(envelope: EventEnvelope): void {
    const { event, at } = envelope;
    switch (event.type) {
      case 'run:start':
        this.#startRun(envelope, event);
        break;
      case 'run:refused':
        this.#endRun(this.#runOf(envelope), { at, state: 'refused', failure: event });
        break;
      case 'run:end':
        this.#tellRunEnd(envelope, event);
        break;
      case 'run:suspended':
        if (envelope.rootRunId === undefined) this.#endRun(this.#runOf(envelope), { at, state: 'suspended' });
        break;
      case 'run:resumed':
        this.#tellResumed(envelope);
        break;
      case 'phase:start':
        this.#phaseOf(envelope, event.name);
        break;
      case 'phase:complete':
      case 'phase:failed':
      case 'phase:cancelled':
        this.#endPhase(envelope, event);
        break;
      default:
        this.#tellTask(envelope);
    }
  }

  #startRun(envelope: EventEnvelope, event: Extract<RunEvent, { type: 'run:start' }>): void {
    const { runId, at } = envelope;
    this.#names.set(runId, event.name);
    const before = event.redoOf ?? event.rerunOf;
    const span = new OpenSpan(runSpanOf(rootOf(envelope), runId), {
      name: `${event.kind === 'flow' ? 'invoke_workflow' : 'invoke_agent'} ${event.name}`,
      startedAt: at,
      parent: this.#callerOf(envelope, event)?.id,
      attributes: { 'millrace.run.id': runId, ...runAttributes(event) },
      links: before === undefined ? [] : [runSpanOf(before)],
    });
    this.#runs.set(runId, new RunSpans(envelope, span));
  }

  /** Returns the caller's span in which the run was called. */
  #callerOf(envelope: EventEnvelope, event: Extract<RunEvent, { type: 'run:start' }>): OpenSpan | undefined {
    const { parentRunId, context } = envelope;
    if (parentRunId === undefined) return undefined;
    const caller = this.#runs.get(parentRunId);
    const task = event.parentTaskId === undefined ? undefined : caller?.tasks.get(event.parentTaskId);
    const call = event.callKey === undefined ? undefined : (task?.calls ?? caller?.calls)?.get(event.callKey);
    return call ?? task?.inner ?? caller?.phaseOrRun(context.phase?.name);
  }

  #tellRunEnd(envelope: EventEnvelope, event: Extract<RunEvent, { type: 'run:end' }>): void {
    const { status, costUsd, error } = event;
    const run = this.#runOf(envelope);
    if (costUsd !== undefined) run.span.set({ 'millrace.cost_usd': costUsd });
    this.#endRun(run, { at: envelope.at, state: status, failure: status === 'failed' ? error : undefined });
  }

  /** Ends a run and its child runs, inner ones first. */
  #endRun(run: RunSpans, ending: SpanEnding): void {
    for (const called of [...this.#runs.values()].filter(({ parentRunId }) => parentRunId === run.runId)) {
      const isCut = ending.state !== 'suspended' && ending.state !== 'running';
      this.#endRun(called, isCut ? { at: ending.at, state: 'interrupted' } : ending);
    }
    this.#runs.delete(run.runId);
    if (ending.state !== 'suspended') this.#names.delete(run.runId);
    this.#done.push(...run.end(ending));
  }

  #tellResumed(envelope: EventEnvelope): void {
    if (envelope.rootRunId !== undefined) return;
    // The run was interrupted at an unknown time.
    const cut = this.#runs.get(envelope.runId);
    if (cut !== undefined) this.#endRun(cut, { at: envelope.at, state: 'interrupted' });
    this.#runOf(envelope);
  }

  /** Returns the run of an event. A run that continues after a pause gets new spans. */
  #runOf(envelope: EventEnvelope): RunSpans {
    const { runId, parentRunId, at, event } = envelope;
    const found = this.#runs.get(runId);
    if (found !== undefined) return found;
    const root = rootOf(envelope);
    const name = this.#names.get(runId) ?? this.#options.nameOf(runId) ?? runId;
    const isFirst = event.type === 'run:refused';
    const above = parentRunId === undefined ? undefined : this.#runs.get(parentRunId)?.span.id;
    const span = new OpenSpan(isFirst ? runSpanOf(root, runId) : this.#placeOf(envelope, 'run'), {
      name: isFirst ? name : `resume ${name}`,
      startedAt: at,
      parent: isFirst ? undefined : (above ?? runSpanOf(root).spanId),
      attributes: { 'millrace.run.id': runId },
    });
    const run = new RunSpans(envelope, span);
    this.#runs.set(runId, run);
    return run;
  }

  #placeOf(envelope: EventEnvelope, kind: string, ...more: readonly (string | number)[]): SpanPlace {
    const root = rootOf(envelope);
    return { traceId: traceIdOf(root), spanId: spanIdOf(root, kind, envelope.seq, ...more) };
  }

  #phaseOf(envelope: EventEnvelope, name: string): OpenSpan {
    const run = this.#runOf(envelope);
    const found = run.phases.get(name);
    if (found !== undefined) return found;
    const span = this.#opened(envelope, { name, kind: 'phase', parent: run.span, attributes: {} });
    run.phases.set(name, span);
    return span;
  }

  #endPhase(
    envelope: EventEnvelope,
    event: Extract<RunEvent, { type: 'phase:complete' | 'phase:failed' | 'phase:cancelled' }>,
  ): void {
    const span = this.#phaseOf(envelope, event.name);
    this.#runOf(envelope).phases.delete(event.name);
    const state = event.type.slice('phase:'.length).replace('complete', 'completed');
    this.#done.push(endedAs(span, { at: envelope.at, state, failure: 'error' in event ? event.error : undefined }));
  }

  #opened(
    { at, ...envelope }: EventEnvelope,
    { name, kind, parent, attributes }: { name: string; kind: string; parent: OpenSpan; attributes: Attributes },
  ): OpenSpan {
    const place = this.#placeOf({ at, ...envelope }, kind, name);
    return new OpenSpan(place, { name, startedAt: at, parent: parent.id, attributes });
  }

  #tellTask(envelope: EventEnvelope): void {
    const { event, context } = envelope;
    const started = startedTask(event);
    const ended = endedTask(event);
    const taskId = (started ?? ended)?.taskId ?? context.task?.id;
    const run = this.#runOf(envelope);
    if (started !== undefined) this.#cutBefore(run, envelope, started.taskId);
    const task = taskId === undefined ? undefined : this.#taskOf(run, envelope, taskId);
    if (started !== undefined) return;
    if (ended === undefined) this.#tellInside(envelope, task, run);
    else if (task !== undefined) this.#endTask(run, task, { envelope, ended });
  }

  /** Ends a task that starts again as interrupted. */
  #cutBefore(run: RunSpans, { at }: EventEnvelope, taskId: string): void {
    const cut = run.tasks.get(taskId);
    run.tasks.delete(taskId);
    if (cut !== undefined) this.#done.push(...cut.end({ at, state: 'interrupted' }));
  }

  #taskOf(run: RunSpans, envelope: EventEnvelope, taskId: string): TaskSpans {
    const found = run.tasks.get(taskId);
    if (found !== undefined) return found;
    const { event, context } = envelope;
    if (context.phase !== undefined) this.#phaseOf(envelope, context.phase.name);
    const node = nodeNameOf(taskId);
    const type = startedTask(event)?.nodeType;
    const span = this.#opened(envelope, {
      name: [type, node ?? taskId].filter(Boolean).join(' '),
      kind: 'task',
      parent: run.around(taskId, context.phase?.name),
      attributes: {
        ...(node === undefined ? { 'millrace.task.id': taskId } : { 'millrace.node.id': node }),
        ...(type === undefined ? {} : { 'millrace.node.type': type }),
      },
    });
    const task = new TaskSpans(span);
    run.tasks.set(taskId, task);
    if (node !== undefined) this.#startAttempt(task, envelope);
    return task;
  }

  #startAttempt(task: TaskSpans, envelope: EventEnvelope): void {
    const startedAt = Math.min(task.nextAt ?? envelope.at, envelope.at);
    task.attempts += 1;
    task.nextAt = undefined;
    const number = task.attempts;
    const place = this.#placeOf(envelope, 'attempt', task.span.id, number);
    const attributes = { 'millrace.attempt': number };
    task.attempt = new OpenSpan(place, { name: `attempt ${number}`, startedAt, parent: task.span.id, attributes });
  }

  #tellInside(envelope: EventEnvelope, task: TaskSpans | undefined, run: RunSpans): void {
    const { event, at } = envelope;
    if (event.type === 'node:retry') {
      if (task === undefined) return;
      this.#done.push(...task.endAttempt({ at, state: 'failed', failure: event.error }));
      task.nextAt = at + event.delayMs;
      return;
    }
    if (task?.nextAt !== undefined) this.#startAttempt(task, envelope);
    const within = task?.inner ?? run.phaseOrRun(envelope.context.phase?.name);
    if (event.type === 'agent:start') within.set(agentAttributes(event.agentName));
    const ended = this.#calls.tell(envelope, { within, calls: task?.calls ?? run.calls });
    if (ended !== undefined) this.#done.push(ended);
  }

  #endTask(
    run: RunSpans,
    task: TaskSpans,
    { envelope, ended }: { readonly envelope: EventEnvelope; readonly ended: TaskEnd },
  ): void {
    const state = outcomeOf(ended);
    // Without an active attempt, only a canceled task ends between two attempts.
    if (task.nextAt !== undefined && state !== 'cancelled') this.#startAttempt(task, envelope);
    run.tasks.delete(ended.taskId);
    this.#done.push(...task.end({ at: envelope.at, state, failure: 'error' in ended ? ended.error : undefined }));
  }
}

const none: readonly TraceSpan[] = [];
