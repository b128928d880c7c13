/**
 * What becomes of the questions with which a call of a node has ended.
 */
import type { Ask } from '../kernel/ask.ts';
import { suspensionFor } from '../kernel/ask-request.ts';
import type { SuspensionRequest } from '../kernel/run-event.ts';
import type { NodeJob } from './node-job.ts';

/** Tells of those that the log does not have yet. Returns what the node waits for. */
export function tellAsks(asks: readonly Ask[], { name, hub, place }: NodeJob): SuspensionRequest {
  const { run } = place.scope;
  for (const ask of asks) {
    run.asks.tell(name, ask, hub);
    run.hostAnswers?.expect(name, ask);
  }
  return suspensionFor(asks);
}
