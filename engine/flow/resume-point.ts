/**
 * A stored log → what is done and what is left, so that a run can go on where it stopped.
 */
import type { ErrorRecord } from '../base/engine-error.ts';
import { nodeNameOf } from '../base/ids.ts';
import type { JsonValue } from '../flowspec/json-value.ts';
import type { SkipReason } from '../flowspec/markers.ts';
import { isValueHandle } from '../flowspec/value-handle.ts';
import type { EventEnvelope, SuspensionDecision } from '../kernel/run-event.ts';
import { Spending } from '../kernel/spending.ts';
import { type OpenChild, OpenChildren } from './open-children.ts';

/** How a node ended. */
export type SettledNode =
  | { readonly status: 'completed'; readonly output: JsonValue }
  | { readonly status: 'failed'; readonly error: ErrorRecord; readonly attempts: number }
  | { readonly status: 'skipped'; readonly reason: SkipReason };

/** A task that has begun and not ended. */
export interface OpenTask {
  /** Attempts that failed before; the one that was cut is not counted. */
  readonly attemptsMade: number;
  /** The node waits for a person's answer. */
  readonly isWaiting: boolean;
  /** The run was suspended after the task began, so that nothing of it was cut. */
  readonly isParked: boolean;
}

/** Where a run stopped. Nodes and edges are named by their place in the run: `<loop>[<item>].<id>` in bodies. */
export interface ResumePoint {
  /** How the flow's phase stands. */
  readonly phase: 'none' | 'open' | 'complete' | 'failed' | 'cancelled';
  readonly settled: ReadonlyMap<string, SettledNode>;
  readonly open: ReadonlyMap<string, OpenTask>;
  /** Nodes whose tasks ended because something beside them had failed. */
  readonly stopped: ReadonlySet<string>;
  /** Whether an edge fired; absent = not decided yet. */
  readonly edges: ReadonlyMap<string, boolean>;
  readonly failedNodes: readonly string[];
  /** Why the phase failed. */
  readonly error: ErrorRecord | undefined;
  /** Somebody had asked to stop. */
  readonly wasCancelled: boolean;
  readonly spending: Spending;
  /** Runs that this one had called and that have no end; those that others called stand before their callers. */
  readonly openChildren: readonly OpenChild[];
  /** How long the run has worked so far, pauses left out, in milliseconds. */
  readonly activeMs: number;
  readonly lastSeq: number;
  /** What a person decided now. */
  readonly answer: { readonly decision: SuspensionDecision; readonly nodeId?: string } | undefined;
}

/** Whether a node that waits has now been answered; an answer that names no node is for all that wait. */
export function isAnswered(nodeName: string, resume: ResumePoint | undefined): boolean {
  const answer = resume?.answer;
  return (
    answer !== undefined && (answer.nodeId ?? nodeName) === nodeName && resume?.open.get(nodeName)?.isWaiting === true
  );
}

type ReadValue = (hash: string) => JsonValue | undefined;

/**
 * Reads a run's whole log.
 * @param readValue gives the value behind a handle
 */
export function readResumePoint(
  events: Iterable<EventEnvelope>,
  { readValue, answer }: { readonly readValue: ReadValue; readonly answer?: ResumePoint['answer'] },
): ResumePoint {
  const reader = new LogReader(readValue);
  for (const envelope of events) reader.take(envelope);
  return reader.point(answer);
}

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };

class LogReader {
  readonly #readValue: ReadValue;
  readonly #settled = new Map<string, SettledNode>();
  readonly #open = new Map<string, Mutable<OpenTask>>();
  readonly #stopped = new Set<string>();
  readonly #edges = new Map<string, boolean>();
  readonly #failedNodes: string[] = [];
  readonly #spending = new Spending();
  readonly #children = new OpenChildren();
  #phase: ResumePoint['phase'] = 'none';
  #error: ErrorRecord | undefined;
  #wasCancelled = false;
  #activeMs = 0;
  #sessionStart = 0;
  #lastAt = 0;
  #lastSeq = -1;

  constructor(readValue: ReadValue) {
    this.#readValue = readValue;
  }

  point(answer: ResumePoint['answer']): ResumePoint {
    return {
      phase: this.#phase,
      settled: this.#settled,
      open: this.#open,
      stopped: this.#stopped,
      edges: this.#edges,
      failedNodes: this.#failedNodes,
      error: this.#error,
      wasCancelled: this.#wasCancelled,
      spending: this.#spending,
      openChildren: this.#children.list(),
      activeMs: this.#activeMs + Math.max(0, this.#lastAt - this.#sessionStart),
      lastSeq: this.#lastSeq,
      answer,
    };
  }

  take(envelope: EventEnvelope): void {
    const { seq, at, event } = envelope;
    this.#takeTime(event.type, at);
    this.#lastSeq = seq;
    if (envelope.rootRunId !== undefined) {
      // What a child had done is lost but for its bill: the node that called it calls another.
      if (event.type === 'model:response') this.#spending.add(event);
      this.#children.take(envelope);
      return;
    }
    switch (event.type) {
      case 'phase:start':
        this.#phase = 'open';
        break;
      case 'phase:complete':
        this.#phase = 'complete';
        break;
      case 'phase:cancelled':
        this.#phase = 'cancelled';
        break;
      case 'phase:failed':
        this.#phase = 'failed';
        this.#error = event.error;
        break;
      case 'run:suspended':
      case 'run:resumed':
        for (const task of this.#open.values()) task.isParked = event.type === 'run:suspended';
        break;
      case 'edge:fired':
      case 'edge:skipped':
        this.#edges.set(event.edgeId, event.type === 'edge:fired');
        break;
      case 'model:response':
        this.#spending.add(event);
        break;
      default:
        this.#takeNode(event);
    }
  }

  /** Time that passes between two processes is not the run's. */
  #takeTime(type: string, at: number): void {
    if (this.#lastSeq === -1 || type === 'run:resumed') {
      this.#activeMs += Math.max(0, this.#lastAt - this.#sessionStart);
      this.#sessionStart = at;
    }
    this.#lastAt = at;
  }

  #takeNode(event: EventEnvelope['event']): void {
    switch (event.type) {
      case 'task:start':
        this.#begin(nodeNameOf(event.taskId));
        break;
      case 'task:complete':
        this.#settle(nodeNameOf(event.taskId), { status: 'completed', output: this.#whole(event.result) });
        break;
      case 'task:failed': {
        const { error, attempts } = event;
        this.#settle(nodeNameOf(event.taskId), { status: 'failed', error, attempts });
        break;
      }
      case 'task:cancelled':
        this.#open.delete(nodeNameOf(event.taskId) ?? '');
        if (event.reason === 'fail-fast') this.#stopped.add(nodeNameOf(event.taskId) ?? '');
        this.#wasCancelled ||= event.reason === 'cancel';
        break;
      case 'task:skipped':
        this.#settle(nodeNameOf(event.taskId), { status: 'skipped', reason: 'directive' });
        break;
      case 'node:skipped':
        this.#settle(event.nodeId, { status: 'skipped', reason: event.reason });
        break;
      case 'node:reused':
        this.#settle(event.nodeId, { status: 'completed', output: this.#whole(event.output) });
        break;
      case 'node:retry':
        this.#note(event.nodeId, { attemptsMade: event.attempt });
        break;
      case 'node:suspended':
        this.#note(event.nodeId, { isWaiting: true });
        break;
      // A person has let it go on; whoever cuts it now cuts what nobody has been asked about.
      case 'node:input':
        this.#note(event.nodeId, { isWaiting: false });
        break;
      default:
    }
  }

  #begin(name: string | undefined): void {
    if (name === undefined) return;
    const attemptsMade = this.#open.get(name)?.attemptsMade ?? 0;
    this.#open.set(name, { attemptsMade, isWaiting: false, isParked: false });
  }

  #note(name: string, news: Partial<OpenTask>): void {
    const task = this.#open.get(name);
    if (task !== undefined) Object.assign(task, news);
  }

  #settle(name: string | undefined, end: SettledNode): void {
    if (name === undefined) return;
    this.#open.delete(name);
    this.#settled.set(name, end);
    if (end.status === 'failed') this.#failedNodes.push(name);
  }

  #whole(value: JsonValue): JsonValue {
    return isValueHandle(value) ? (this.#readValue(value.$value) ?? value) : value;
  }
}
