/**
 * Structured scopes over the hub: `phase` and `task` emit a scope's start and end, and add the scope to the event
 * context. They are the only way to run a flow.
 */
import { assertNever } from '../../../base/assert-never.ts';
import { type Clock, elapsedSince, systemClock } from '../../../base/clock.ts';
import { type ErrorRecord, toErrorRecord } from '../../../base/engine-error.ts';
import type { JsonValue } from '../../../language/json/json-value.ts';
import type { CancelReason, RunEvent, SuspendReason, SuspensionRequest } from '../events/run-event.ts';
import { isCancelledStop } from './cancel-scope.ts';
import type { Hub } from './hub.ts';

/** How a task ended, as data. The task helper converts it to exactly one terminal event. */
export type TaskOutcome =
  | { readonly status: 'completed'; readonly result: JsonValue; readonly attempts: number }
  | { readonly status: 'failed'; readonly error: ErrorRecord; readonly attempts: number }
  | { readonly status: 'cancelled'; readonly reason: CancelReason }
  | { readonly status: 'skipped'; readonly reason: string }
  /**
   * The task waits for a person and stays open, without a terminal event. With a `request`, the task itself makes the
   * request; `inner` names the waiting node in a child run.
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
  /** How to resume a scope opened by an earlier process: with a second `task:start`, or without an event. */
  readonly continues?: 'restarted' | 'silent';
}

/** Thrown from a phase's body when the run waits for a person. The phase stays open, without a terminal event. */
export class Suspension extends Error {
  /** The first waiting node, if known. */
  readonly waitsFor: string | undefined;
  readonly reason: SuspendReason;

  constructor(waitsFor?: string, reason: SuspendReason = 'operator') {
    super('The run is waiting for a person');
    this.waitsFor = waitsFor;
    this.reason = reason;
  }
}

interface PhaseInfo {
  /** Set if an earlier process has already opened the scope. */
  readonly continues?: 'silent';
}

/** A task's work, with a harness for the task. */
type TaskBody = (inner: Harness) => Promise<TaskOutcome> | TaskOutcome;

/** Receives the outcome of work that uses callbacks instead of a promise. */
export interface TaskCompletion {
  /** Must be called once. */
  done(outcome: TaskOutcome): void;
}

/** A task whose work uses callbacks. */
export interface CallingTask {
  readonly id: string;
  readonly info: TaskInfo;
  /**
   * Starts the work. Returns the outcome if it is known immediately; otherwise returns `undefined` and calls
   * `end.done` once, later.
   * @param inner the task's harness
   */
  begin(inner: Harness, end: TaskCompletion): TaskOutcome | undefined;
  /** Called once, when the outcome's event has been emitted, never before `startTask` returns. Must not throw. */
  settle(outcome: TaskOutcome): void;
  /** Called instead of `settle` with an error from the hub. Must not throw. */
  fail(thrown: unknown): void;
}

/** The interface for runners. The inner harness passed to a body has the scope in its event context. */
export interface Harness {
  readonly hub: Hub;
  /**
   * Emits `phase:start` (unless it `continues`), then `phase:complete`, or `phase:failed` / `phase:cancelled` and
   * rethrows. A `Suspension` passes through without an event.
   */
  phase<T>(name: string, body: (inner: Harness) => Promise<T>, info?: PhaseInfo): Promise<T>;
  /** Emits `task:start`, then the outcome's event, and returns the outcome. A body that throws counts as failed. */
  task(id: string, body: TaskBody, info?: TaskInfo): Promise<TaskOutcome>;
  /** Like `task`, for work that uses callbacks. Absent in a harness with only `task`: see `startTask`. */
  start?(task: CallingTask): void;
}

/** Creates a harness with scopes on `hub`; `clock`, by default the system clock, measures task durations. */
export function createHarness(hub: Hub, clock: Clock = systemClock): Harness {
  return new EmittingHarness(hub, clock);
}

/**
 * Runs a task like `Harness.task`, without its promises: every node of a flow is a task, and promises would take a
 * quarter of a fast task's run time.
 */
export function startTask(harness: Harness, task: CallingTask): void {
  if (harness.start !== undefined) {
    harness.start(task);
    return;
  }
  const body: TaskBody = (inner) => new Promise((resolve) => begin(task, inner, { done: resolve }));
  harness.task(task.id, body, task.info).then(
    (outcome) => task.settle(outcome),
    (thrown: unknown) => task.fail(thrown),
  );
}

/** Work that throws counts as failed. `end.done` is never called before this function returns. */
function begin(task: CallingTask, inner: Harness, end: TaskCompletion): void {
  let outcome: TaskOutcome | undefined;
  try {
    outcome = task.begin(inner, end);
  } catch (thrown) {
    outcome = failedBy(thrown);
  }
  if (outcome === undefined) return;
  const known = outcome;
  queueMicrotask(() => end.done(known));
}

class EmittingHarness implements Harness {
  readonly hub: Hub;
  readonly clock: Clock;

  constructor(hub: Hub, clock: Clock) {
    this.hub = hub;
    this.clock = clock;
  }

  async phase<T>(name: string, body: (inner: Harness) => Promise<T>, info: PhaseInfo = {}): Promise<T> {
    if (info.continues === undefined) this.hub.emit({ type: 'phase:start', name });
    try {
      const result = await body(new EmittingHarness(this.hub.scoped({ phase: { name } }), this.clock));
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

  task(id: string, body: TaskBody, info: TaskInfo = {}): Promise<TaskOutcome> {
    return new Promise((settle, fail) => {
      const begin = (inner: Harness, end: TaskCompletion): undefined => {
        void settled(body, inner).then((outcome) => end.done(outcome));
      };
      this.start({ id, info, begin, settle, fail });
    });
  }

  start(task: CallingTask): void {
    const { clock } = this;
    clock.hold?.();
    try {
      const startedAt = clock.now();
      if (task.info.continues !== 'silent') this.hub.emit(startEvent(task.id, task.info));
      const inner = new TaskHarness(this, task, startedAt);
      begin(task, inner, inner);
    } catch (thrown) {
      queueMicrotask(() => task.fail(thrown));
    } finally {
      clock.release?.();
    }
  }
}

/** A task's harness, which also ends the task. */
class TaskHarness extends EmittingHarness implements TaskCompletion {
  readonly #outer: Hub;
  readonly #task: CallingTask;
  readonly #startedAt: number;

  constructor({ hub, clock }: EmittingHarness, task: CallingTask, startedAt: number) {
    super(hub.scoped({ task: { id: task.id } }), clock);
    this.#outer = hub;
    this.#task = task;
    this.#startedAt = startedAt;
  }

  done(outcome: TaskOutcome): void {
    const { clock } = this;
    clock.hold?.();
    try {
      if (!this.#tells(outcome)) return;
      // Held again, because the history and the event listeners may have taken long.
      clock.hold?.();
      this.#task.settle(outcome);
    } finally {
      clock.release?.();
    }
  }

  #tells(outcome: TaskOutcome): boolean {
    const { id, info } = this.#task;
    try {
      const fields = { taskId: id, nodeId: info.nodeId };
      const event = endEvent(fields, outcome, elapsedSince(this.#startedAt, this.clock));
      if (event !== undefined) this.#outer.emit(event);
      return true;
    } catch (thrown) {
      this.#task.fail(thrown);
      return false;
    }
  }
}

async function settled(body: TaskBody, inner: Harness): Promise<TaskOutcome> {
  try {
    return await body(inner);
  } catch (thrown) {
    return failedBy(thrown);
  }
}

/** Returns the outcome of a task whose body threw. */
export function failedBy(thrown: unknown): TaskOutcome {
  return { status: 'failed', error: toErrorRecord(thrown), attempts: 0 };
}

function startEvent(taskId: string, { nodeId, nodeType, continues }: TaskInfo): RunEvent {
  const type = 'task:start';
  // A fast path for the most common case, which applies to every node.
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

interface HarnessTaskFields {
  readonly taskId: string;
  readonly nodeId: string | undefined;
}

/** Returns an outcome's event; undefined if the task stays open because of another task inside it. */
function endEvent(
  { taskId, nodeId }: HarnessTaskFields,
  outcome: TaskOutcome,
  durationMs: number,
): RunEvent | undefined {
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
