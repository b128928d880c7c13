/**
 * Structured scopes over the hub: `phase` and `task` say when something begins and how it ended, and give every event
 * inside its context. They are the only way a flow runs.
 */
import { assertNever } from '../base/assert-never.ts';
import { type Clock, elapsedSince, systemClock } from '../base/clock.ts';
import { type ErrorRecord, toErrorRecord } from '../base/engine-error.ts';
import type { JsonValue } from '../flowspec/json-value.ts';
import { isCancelledStop } from './cancel-scope.ts';
import type { Hub } from './hub.ts';
import type { CancelReason, RunEvent, SuspendReason, SuspensionRequest } from './run-event.ts';

/** How a task ended, as data: the task helper turns it into exactly one terminal event. */
export type TaskOutcome =
  | { readonly status: 'completed'; readonly result: JsonValue; readonly attempts: number }
  | { readonly status: 'failed'; readonly error: ErrorRecord; readonly attempts: number }
  | { readonly status: 'cancelled'; readonly reason: CancelReason }
  | { readonly status: 'skipped'; readonly reason: string }
  /**
   * It waits for a person and stays open: no terminal event. With a `request`, it is the one who asks; `inner` names what
   * asks in a run that it called.
   */
  | {
      readonly status: 'suspended';
      readonly request?: SuspensionRequest;
      readonly inner?: string | undefined;
      readonly reason?: SuspendReason;
    };

export interface TaskInfo {
  readonly nodeId?: string;
  readonly nodeType?: string;
  /** How a scope that an earlier process opened begins anew: with a second `task:start`, or without a word. */
  readonly continues?: 'restarted' | 'silent';
}

/** Thrown out of a phase's body when the run waits for a person: the phase stays open, without a terminal event. */
export class Suspension extends Error {
  /** The first that waits, where whoever throws knows it. */
  readonly waitsFor: string | undefined;
  readonly reason: SuspendReason;

  constructor(waitsFor?: string, reason: SuspendReason = 'operator') {
    super('The run waits for a person');
    this.waitsFor = waitsFor;
    this.reason = reason;
  }
}

interface PhaseInfo {
  /** An earlier process has opened the scope already. */
  readonly continues?: 'silent';
}

/** The work of a task; it gets the harness that carries the task. */
type TaskBody = (inner: Harness) => Promise<TaskOutcome> | TaskOutcome;

/** A task that has started: the harness for what is inside it, and its end. */
export interface RunningTask extends Harness {
  /** Emits the event of the outcome. To be called once. */
  end(outcome: TaskOutcome): void;
}

/** What a runner is handed. The inner one that a body receives carries the scope in its events' context. */
export interface Harness {
  readonly hub: Hub;
  /**
   * Emits `phase:start` (unless it `continues`), then `phase:complete`, or `phase:failed` / `phase:cancelled` and throws
   * on. A `Suspension` passes through in silence.
   */
  phase<T>(name: string, body: (inner: Harness) => Promise<T>, info?: PhaseInfo): Promise<T>;
  /** Emits `task:start`, then the event of the outcome, which it returns. A body that throws counts as failed. */
  task(id: string, body: TaskBody, info?: TaskInfo): Promise<TaskOutcome>;
  /** Emits `task:start`; the caller ends the task. Absent in a harness that has only `task`. See `startTask`. */
  open?(id: string, info: TaskInfo): RunningTask;
}

/** Makes the harness whose scopes begin at `hub`; `clock`, the machine's own when absent, measures how long tasks take. */
export function createHarness(hub: Hub, clock: Clock = systemClock): Harness {
  return new HubHarness(hub, clock);
}

/** A task whose body calls back instead of returning a promise. */
export interface CallingTask {
  readonly id: string;
  readonly info: TaskInfo;
  /** Returns the outcome when it is known at once; otherwise `undefined`, and `done` is called once, later. */
  readonly body: (inner: Harness, done: (outcome: TaskOutcome) => void) => TaskOutcome | undefined;
  /** Called once, never before `startTask` returns. Must not throw. */
  readonly settle: (outcome: TaskOutcome) => void;
  /** Called instead of `settle` with what the hub threw. Must not throw. */
  readonly fail: (thrown: unknown) => void;
}

/**
 * Runs a task as `Harness.task` does, without its promises: every node of a flow is such a task, and half of the time of a fast
 * node would be promises.
 */
export function startTask(harness: Harness, { id, info, body, settle, fail }: CallingTask): void {
  if (harness.open === undefined) {
    harness.task(id, (inner) => new Promise((resolve) => begin(body, inner, resolve)), info).then(settle, fail);
    return;
  }
  try {
    const task = harness.open(id, info);
    begin(body, task, (outcome) => {
      try {
        task.end(outcome);
      } catch (thrown) {
        fail(thrown);
        return;
      }
      settle(outcome);
    });
  } catch (thrown) {
    queueMicrotask(() => fail(thrown));
  }
}

/** A body that throws counts as failed. `done` is called later than this returns. */
function begin(body: CallingTask['body'], inner: Harness, done: (outcome: TaskOutcome) => void): void {
  let outcome: TaskOutcome | undefined;
  try {
    outcome = body(inner, done);
  } catch (thrown) {
    outcome = failedBy(thrown);
  }
  if (outcome === undefined) return;
  const known = outcome;
  queueMicrotask(() => done(known));
}

class HubHarness implements Harness {
  readonly hub: Hub;
  protected readonly clock: Clock;

  constructor(hub: Hub, clock: Clock) {
    this.hub = hub;
    this.clock = clock;
  }

  async phase<T>(name: string, body: (inner: Harness) => Promise<T>, info: PhaseInfo = {}): Promise<T> {
    if (info.continues === undefined) this.hub.emit({ type: 'phase:start', name });
    try {
      const result = await body(new HubHarness(this.hub.scoped({ phase: { name } }), this.clock));
      this.hub.emit({ type: 'phase:complete', name });
      return result;
    } catch (thrown) {
      if (thrown instanceof Suspension) throw thrown;
      const isCancelled = isCancelledStop(thrown);
      this.hub.emit(
        isCancelled ? { type: 'phase:cancelled', name } : { type: 'phase:failed', name, error: toErrorRecord(thrown) },
      );
      throw thrown;
    }
  }

  async task(id: string, body: TaskBody, info: TaskInfo = {}): Promise<TaskOutcome> {
    const task = this.open(id, info);
    let outcome: TaskOutcome;
    try {
      outcome = await body(task);
    } catch (thrown) {
      outcome = failedBy(thrown);
    }
    task.end(outcome);
    return outcome;
  }

  open(id: string, info: TaskInfo): RunningTask {
    const startedAt = this.clock.now();
    if (info.continues !== 'silent') this.hub.emit(startEvent(id, info));
    return new TaskHarness(this.hub, this.clock, { taskId: id, nodeId: info.nodeId, startedAt });
  }
}

class TaskHarness extends HubHarness implements RunningTask {
  readonly #outer: Hub;
  readonly #fields: TaskFields & { readonly startedAt: number };

  constructor(outer: Hub, clock: Clock, fields: TaskFields & { readonly startedAt: number }) {
    super(outer.scoped({ task: { id: fields.taskId } }), clock);
    this.#outer = outer;
    this.#fields = fields;
  }

  end(outcome: TaskOutcome): void {
    const event = endEvent(this.#fields, outcome, elapsedSince(this.#fields.startedAt, this.clock));
    if (event !== undefined) this.#outer.emit(event);
  }
}

/** The outcome of a task whose body threw. */
export function failedBy(thrown: unknown): TaskOutcome {
  return { status: 'failed', error: toErrorRecord(thrown), attempts: 0 };
}

function startEvent(taskId: string, { nodeId, nodeType, continues }: TaskInfo): RunEvent {
  const type = 'task:start';
  // The usual case spelled out: every node passes here.
  if (nodeId !== undefined && nodeType !== undefined && continues === undefined)
    return { type, taskId, nodeId, nodeType };
  return {
    type,
    taskId,
    ...(nodeId === undefined ? {} : { nodeId }),
    ...(nodeType === undefined ? {} : { nodeType }),
    ...(continues === undefined ? {} : { resumed: true }),
  };
}

interface TaskFields {
  readonly taskId: string;
  readonly nodeId: string | undefined;
}

/** What is told of the outcome: nothing when the task stays open because of another one inside it. */
function endEvent({ taskId, nodeId }: TaskFields, outcome: TaskOutcome, durationMs: number): RunEvent | undefined {
  if (outcome.status === 'completed' && nodeId !== undefined) {
    const { result, attempts } = outcome;
    return { type: 'task:complete', taskId, nodeId, result, durationMs, attempts };
  }
  const fields = nodeId === undefined ? { taskId } : { taskId, nodeId };
  switch (outcome.status) {
    case 'completed':
      return { type: 'task:complete', ...fields, result: outcome.result, durationMs, attempts: outcome.attempts };
    case 'failed':
      return { type: 'task:failed', ...fields, error: outcome.error, durationMs, attempts: outcome.attempts };
    case 'cancelled':
      return { type: 'task:cancelled', ...fields, reason: outcome.reason };
    case 'skipped':
      return { type: 'task:skipped', ...fields, reason: outcome.reason };
    case 'suspended':
      if (outcome.request === undefined) return undefined;
      return { type: 'node:suspended', nodeId: nodeId ?? taskId, request: outcome.request };
    default:
      return assertNever(outcome);
  }
}
