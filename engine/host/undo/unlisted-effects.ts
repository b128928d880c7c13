/**
 * Finds what a run has done that cannot be listed as a change of a file: commands, web requests and tools.
 */
import type { RunId } from '../../base/ids.ts';
import { readPages } from '../../runtime/kernel/capabilities/read-run.ts';
import type { RunEvent } from '../../runtime/kernel/events/run-event.ts';
import { nameOfTask, startedTask, type TaskStart } from '../../runtime/kernel/events/task-events.ts';
import type { RunHistoryReader } from '../reads/history.ts';
import type { UnlistedEffect } from './changed-files.ts';

/** Returns the effects of a run and its child runs, in the order in which they first happened. */
export async function findUnlistedEffects(history: RunHistoryReader, runId: RunId): Promise<readonly UnlistedEffect[]> {
  const found = new Map<string, UnlistedEffect>();
  /** Such nodes are listed by name, and not again by their addresses. */
  const requesting = new Set<string>();
  for await (const events of readPages(history, runId)) {
    for (const { event, context } of events) {
      const task = startedTask(event);
      if (task?.nodeType === 'http.request') requesting.add(task.taskId);
      const effect = requesting.has(context.task?.id ?? '') ? requestOf(task) : effectOf(event);
      if (effect === undefined) continue;
      const key = `${effect.kind} ${effect.target}`;
      found.set(key, { ...effect, count: (found.get(key)?.count ?? 0) + 1 });
    }
  }
  return [...found.values()];
}

function requestOf(task: TaskStart | undefined): Omit<UnlistedEffect, 'count'> | undefined {
  return task && { kind: 'web', target: nameOfTask(task) };
}

function effectOf(event: RunEvent): Omit<UnlistedEffect, 'count'> | undefined {
  // The built-in tools change files only through the engine.
  if (event.type === 'tool:attempt' && event.effects === 'external' && !event.tool.startsWith('core.'))
    return { kind: 'tool', target: event.tool };
  if (event.type !== 'governance:decision' || !event.allowed) return undefined;
  const { effect, target } = event;
  return effect === 'command' || effect === 'web' ? { kind: effect, target } : undefined;
}
