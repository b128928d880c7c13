/**
 * Finds what has started but not ended in a log.
 */
import type { EventEnvelope } from '../runtime/kernel/events/run-event.ts';

const begins: ReadonlySet<string> = new Set(['run:start', 'phase:start', 'task:start', 'agent:start']);
const ends =
  /^(?:run:end|phase:(?:complete|failed|cancelled)|task:(?:complete|failed|cancelled|skipped)|agent:(?:complete|failed))$/;

/** Returns runs, phases, tasks and agent calls, each by its kind and name. */
export function openScopes(log: readonly EventEnvelope[]): readonly string[] {
  const open = new Set<string>();
  for (const envelope of log) {
    const { type } = envelope.event;
    if (begins.has(type)) open.add(nameOf(envelope));
    if (ends.test(type)) open.delete(nameOf(envelope));
  }
  return [...open];
}

function nameOf({ runId, event }: EventEnvelope): string {
  const kind = event.type.slice(0, event.type.indexOf(':'));
  if (kind === 'agent' && 'runId' in event) return `agent ${event.runId}`;
  if (kind === 'task' && 'taskId' in event) return `task ${event.taskId} of ${runId}`;
  return kind === 'phase' && 'name' in event ? `phase ${event.name} of ${runId}` : `run ${runId}`;
}
