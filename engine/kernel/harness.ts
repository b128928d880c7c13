/**
 * Structured scopes over the hub: `phase` and `task` say when something begins and how it ended, and give every event
 * inside its context. They are the only way a flow runs.
 */
import { assertNever } from '../base/assert-never.ts';
import type { Clock } from '../base/clock.ts';
import { type ErrorRecord, toErrorRecord } from '../base/engine-error.ts';
import type { JsonValue } from '../flowspec/json-value.ts';
import { isCancellation } from './cancel-scope.ts';
import type { Hub } from './hub.ts';
import type { CancelReason, TaskEvent } from './run-event.ts';

/** How a task ended, as data: the task helper turns it into exactly one terminal event. */
export type TaskOutcome =
  | { readonly status: 'completed'; readonly result: JsonValue; readonly attempts: number }
  | { readonly status: 'failed'; readonly error: ErrorRecord; readonly attempts: number }
  | { readonly status: 'cancelled'; readonly reason: CancelReason };

export interface TaskInfo {
  readonly nodeId?: string;
  readonly nodeType?: string;
}

/** What a runner is handed. The inner one that a body receives carries the scope in its events' context. */
export interface Harness {
  readonly hub: Hub;
  /** Emits `phase:start`, then `phase:complete`, or `phase:failed` / `phase:cancelled` and throws on. */
  phase<T>(name: string, body: (inner: Harness) => Promise<T>): Promise<T>;
  /** Emits `task:start`, then the event of the outcome, which it returns. A body that throws counts as failed. */
  task(id: string, body: (inner: Harness) => Promise<TaskOutcome>, info?: TaskInfo): Promise<TaskOutcome>;
}

/** Makes the harness whose scopes begin at `hub`; `clock` measures how long tasks take. */
export function createHarness(hub: Hub, clock: Clock): Harness {
  return {
    hub,
    phase: (name, body) => runPhase(name, body, { hub, clock }),
    task: (id, body, info = {}) => runTask({ id, info, hub, clock }, body),
  };
}

interface Scope {
  readonly hub: Hub;
  readonly clock: Clock;
}

async function runPhase<T>(name: string, body: (inner: Harness) => Promise<T>, { hub, clock }: Scope): Promise<T> {
  hub.emit({ type: 'phase:start', name });
  try {
    const result = await body(createHarness(hub.scoped({ phase: { name } }), clock));
    hub.emit({ type: 'phase:complete', name });
    return result;
  } catch (thrown) {
    hub.emit(
      isCancellation(thrown)
        ? { type: 'phase:cancelled', name }
        : { type: 'phase:failed', name, error: toErrorRecord(thrown) },
    );
    throw thrown;
  }
}

interface TaskScope extends Scope {
  readonly id: string;
  readonly info: TaskInfo;
}

async function runTask(scope: TaskScope, body: (inner: Harness) => Promise<TaskOutcome>): Promise<TaskOutcome> {
  const { id, info, hub, clock } = scope;
  const startedAt = clock.now();
  hub.emit({ type: 'task:start', taskId: id, ...info });
  const outcome = await outcomeOf(body, createHarness(hub.scoped({ task: { id } }), clock));
  hub.emit(terminalEvent(scope, outcome, clock.now() - startedAt));
  return outcome;
}

async function outcomeOf(body: (inner: Harness) => Promise<TaskOutcome>, inner: Harness): Promise<TaskOutcome> {
  try {
    return await body(inner);
  } catch (thrown) {
    return { status: 'failed', error: toErrorRecord(thrown), attempts: 0 };
  }
}

function terminalEvent({ id, info: { nodeId } }: TaskScope, outcome: TaskOutcome, durationMs: number): TaskEvent {
  const fields = nodeId === undefined ? { taskId: id } : { taskId: id, nodeId };
  switch (outcome.status) {
    case 'completed':
      return { type: 'task:complete', ...fields, result: outcome.result, durationMs, attempts: outcome.attempts };
    case 'failed':
      return { type: 'task:failed', ...fields, error: outcome.error, durationMs, attempts: outcome.attempts };
    case 'cancelled':
      return { type: 'task:cancelled', ...fields, reason: outcome.reason };
    default:
      return assertNever(outcome);
  }
}
