/**
 * Tracks the active parts of a run while its log is read: its phases, its tasks with their attempts, and their calls.
 */

import type { ErrorRecord } from '../../base/engine-error.ts';
import type { RunId } from '../../base/ids.ts';
import type { EventEnvelope } from '../../runtime/kernel/events/run-event.ts';
import type { OpenSpan, TraceSpan } from './span.ts';

/** How spans end together, innermost first. */
export interface SpanEnding {
  /** Time in epoch milliseconds. */
  readonly at: number;
  /** Result: `completed`, `failed`, `cancelled`, `skipped`, `suspended` or `interrupted`. */
  readonly state: string;
  readonly failure?: Pick<ErrorRecord, 'code' | 'message'> | undefined;
}

/** Ends a span and records the result in an attribute. */
export function endedAs(span: OpenSpan, { at, state, failure }: SpanEnding): TraceSpan {
  span.set({ 'millrace.state': state });
  return span.ended(at, failure);
}

/** Model and tool calls by key. */
export class CallSpans {
  readonly #open = new Map<string, OpenSpan>();

  start(key: string, span: OpenSpan): void {
    // Without keys, there is only one call at a time.
    this.#open.set(key, span);
  }

  get(key: string): OpenSpan | undefined {
    return this.#open.get(key);
  }

  take(key: string): OpenSpan | undefined {
    const span = this.#open.get(key);
    this.#open.delete(key);
    return span;
  }

  end(ending: SpanEnding): TraceSpan[] {
    const ended = [...this.#open.values()].map((span) => endedAs(span, ending));
    this.#open.clear();
    return ended;
  }
}

/** A task: a node, or an input of an agent. */
export class TaskSpans {
  readonly span: OpenSpan;
  readonly calls = new CallSpans();
  /** The attempt of a node; inputs have no attempts. */
  attempt: OpenSpan | undefined;
  /** Number of the current or last attempt, starting at 1. */
  attempts = 0;
  /** When the next attempt starts, unless the work ends earlier. */
  nextAt: number | undefined;

  constructor(span: OpenSpan) {
    this.span = span;
  }

  /** Returns the innermost open span, which contains current events. */
  get inner(): OpenSpan {
    return this.attempt ?? this.span;
  }

  endAttempt(ending: SpanEnding): TraceSpan[] {
    const { attempt } = this;
    this.attempt = undefined;
    return [...this.calls.end(ending), ...(attempt === undefined ? [] : [endedAs(attempt, ending)])];
  }

  end(ending: SpanEnding): TraceSpan[] {
    return [...this.endAttempt(ending), endedAs(this.span, ending)];
  }
}

/** A run, or the part of it after a pause. */
export class RunSpans {
  readonly runId: RunId;
  readonly parentRunId: RunId | undefined;
  readonly span: OpenSpan;
  readonly phases = new Map<string, OpenSpan>();
  readonly tasks = new Map<string, TaskSpans>();
  /** Calls outside of tasks. */
  readonly calls = new CallSpans();

  constructor({ runId, parentRunId }: Pick<EventEnvelope, 'runId' | 'parentRunId'>, span: OpenSpan) {
    this.runId = runId;
    this.parentRunId = parentRunId;
    this.span = span;
  }

  /** Returns the span that contains a task: its loop's span, otherwise its phase's, otherwise the run's. */
  around(taskId: string, phase: string | undefined): OpenSpan {
    const end = taskId.lastIndexOf('[');
    const loop = end === -1 ? undefined : this.tasks.get(taskId.slice(0, end));
    return loop?.inner ?? this.phaseOrRun(phase);
  }

  phaseOrRun(phase: string | undefined): OpenSpan {
    return (phase === undefined ? undefined : this.phases.get(phase)) ?? this.span;
  }

  end(ending: SpanEnding): TraceSpan[] {
    // Tasks in the body of a loop started after the loop.
    const tasks = [...this.tasks.values()].reverse();
    const inner = [...tasks.flatMap((task) => task.end(ending)), ...this.calls.end(ending)];
    const phases = [...this.phases.values()].map((phase) => endedAs(phase, ending));
    return [...inner, ...phases, endedAs(this.span, ending)];
  }
}
