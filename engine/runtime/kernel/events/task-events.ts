/**
 * The task information in an event, for code that follows tasks but does not need the folded run.
 */
import type { RunEvent, TaskEvent } from './run-event.ts';

export type TaskStart = Extract<TaskEvent, { readonly type: 'task:start' }>;
export type TaskEnd = Exclude<TaskEvent, TaskStart>;
export type TaskOutcome = 'completed' | 'failed' | 'cancelled' | 'skipped';

const outcomes: Readonly<Record<TaskEnd['type'], TaskOutcome>> = {
  'task:complete': 'completed',
  'task:failed': 'failed',
  'task:cancelled': 'cancelled',
  'task:skipped': 'skipped',
};

/** Returns the event if it starts a task, for the first time or after an interruption. */
export function startedTask(event: RunEvent): TaskStart | undefined {
  return event.type === 'task:start' ? event : undefined;
}

/** Returns the event if it ends a task. A completed task has a `result`, a failed one an `error`. */
export function endedTask(event: RunEvent): TaskEnd | undefined {
  return isTaskEnd(event) ? event : undefined;
}

/** Returns how the task ended. */
export function outcomeOf({ type }: TaskEnd): TaskOutcome {
  return outcomes[type];
}

/** Returns the task's name in the folded run: its node's full name or, for an agent's input, the task ID. */
export function nameOfTask({ nodeId, taskId }: TaskEvent): string {
  return nodeId ?? taskId;
}

const nodeSteps: ReadonlySet<string> = new Set<RunEvent['type']>([
  'task:start',
  'task:complete',
  'task:failed',
  'task:cancelled',
  'task:skipped',
  'node:skipped',
  'node:reused',
  'node:suspended',
  'approval:requested',
  'approval:resolved',
  'input:requested',
  'input:received',
  'stage:start',
]);

/** Returns whether a node, or an agent's input or stage, starts, waits for a person, goes on or settles with an event. */
export function isNodeStep({ type }: RunEvent): boolean {
  return nodeSteps.has(type);
}

function isTaskEnd(event: RunEvent): event is TaskEnd {
  return Object.hasOwn(outcomes, event.type);
}
