/**
 * Finds the node, or an agent's input, that an event belongs to.
 */
import type { EventEnvelope } from '../../../../engine/isomorphic.ts';

const nodeTaskPrefix = 'node:';

/**
 * Returns the node of the task in which the event happened. An agent's input is identified by the name of its task.
 * Null outside tasks.
 */
export function nodeOfTask({ context, event }: EventEnvelope): string | null {
  const id = context.task?.id ?? ('taskId' in event ? event.taskId : null) ?? null;
  return id?.startsWith(nodeTaskPrefix) ? id.slice(nodeTaskPrefix.length) : id;
}

/** Returns the node of the root run that the event belongs to, including events of child runs started by that node. */
export function placeOfEvent(envelope: EventEnvelope): string | null {
  return envelope.rootRunId === undefined ? nodeOfTask(envelope) : (envelope.context.node?.id ?? null);
}
