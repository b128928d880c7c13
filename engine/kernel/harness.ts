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
}

/** Makes the harness whose scopes begin at `hub`; `clock`, the machine's own when absent, measures how long tasks take. */
export function createHarness(hub: Hub, clock: Clock = systemClock): Harness {
  return new HubHarness(hub, clock);
}

class HubHarness implements Harness {
  readonly hub: Hub;
  readonly #clock: Clock;

  constructor(hub: Hub, clock: Clock) {
    this.hub = hub;
    this.#clock = clock;
  }

  async phase<T>(name: string, body: (inner: Harness) => Promise<T>, info: PhaseInfo = {}): Promise<T> {
    if (info.continues === undefined) this.hub.emit({ type: 'phase:start', name });
    try {
      const result = await body(new HubHarness(this.hub.scoped({ phase: { name } }), this.#clock));
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
    const startedAt = this.#clock.now();
    if (info.continues !== 'silent') this.hub.emit(startEvent(id, info));
    const inner = new HubHarness(this.hub.scoped({ task: { id } }), this.#clock);
    let outcome: TaskOutcome;
    try {
      outcome = await body(inner);
    } catch (thrown) {
      outcome = { status: 'failed', error: toErrorRecord(thrown), attempts: 0 };
    }
    const event = endEvent({ taskId: id, nodeId: info.nodeId }, outcome, elapsedSince(startedAt, this.#clock));
    if (event !== undefined) this.hub.emit(event);
    return outcome;
  }
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
