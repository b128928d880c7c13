/**
 * For which node, or which input of an agent, an event happened.
 */
import type { EventEnvelope } from '../../../engine/isomorphic.ts';

const nodeTaskPrefix = 'node:';

/** The node in whose task it happened; an agent's input goes by its task's name. Null outside of tasks. */
export function nodeOfTask({ context, event }: EventEnvelope): string | null {
  const id = context.task?.id ?? ('taskId' in event ? event.taskId : null) ?? null;
  return id?.startsWith(nodeTaskPrefix) ? id.slice(nodeTaskPrefix.length) : id;
}

/** The node of the run at the top for which it happened, also in a run that this node has called. */
export function placeOfEvent(envelope: EventEnvelope): string | null {
  return envelope.rootRunId === undefined ? nodeOfTask(envelope) : (envelope.context.node?.id ?? null);
}
