/**
 * What becomes of the questions with which a call of a node has ended.
 */
import type { Ask, AskAnswer } from '../kernel/ask.ts';
import { suspensionFor } from '../kernel/ask-request.ts';
import type { SuspensionRequest } from '../kernel/run-event.ts';
import { untilCancel } from './kept-attempt.ts';
import type { NodeJob } from './node-job.ts';

/** Tells of those that the log does not have yet. Returns what the node waits for. */
export function tellAsks(asks: readonly Ask[], { name, hub, place }: NodeJob): SuspensionRequest {
  for (const ask of asks) place.scope.run.asks.tell(name, ask, hub);
  return suspensionFor(asks);
}

/**
 * Where the host can wait, waits for an answer. False where it cannot: then the run is suspended, and goes on from its log.
 * @param call its name, unique in the run
 */
export async function answeredByHost(asks: readonly Ask[], call: string, job: NodeJob): Promise<boolean> {
  const { name, hub, place } = job;
  const { cancel, run } = place.scope;
  const [first] = asks;
  if (run.host.keepsSteps !== true || first === undefined) return false;
  hub.emit({ type: 'node:suspended', nodeId: name, request: tellAsks(asks, job) });
  const { key, requestHash } = first;
  const answer = await untilCancel(run.host.signal<AskAnswer>(`${call}?${key}`), cancel);
  if (answer !== undefined) run.asks.take(name, { ...answer, key, requestHash }, hub);
  return true;
}
