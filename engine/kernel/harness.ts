/**
 * Structured scopes over the hub: `phase` and `task` say when something begins and how it ended, and give every event
 * inside its context. They are the only way a flow runs.
 */
import type { ErrorRecord } from '../base/engine-error.ts';
import type { JsonValue } from '../flowspec/json-value.ts';
import type { Hub } from './hub.ts';
import type { CancelReason } from './run-event.ts';

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
