/**
 * Ends for tasks that an earlier process left open and that nobody takes up any more.
 */
import { taskIdOf } from '../base/ids.ts';
import type { Hub } from '../kernel/hub.ts';
import type { CancelReason } from '../kernel/run-event.ts';
import type { RunWorld } from './run-scope.ts';

/** Tells of each open task whose node's name begins with `prefix` that it is cancelled; a body's come before its loop's. */
export function closeOpenTasks({ openTasks }: RunWorld, hub: Hub, end: { prefix: string; reason: CancelReason }): void {
  const names = [...openTasks].filter((name) => name.startsWith(end.prefix));
  // The longer name is the inner one.
  for (const name of names.sort((a, b) => b.length - a.length)) {
    openTasks.delete(name);
    hub.emit({ type: 'task:cancelled', taskId: taskIdOf(name), nodeId: name, reason: end.reason });
  }
}
