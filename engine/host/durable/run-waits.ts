/**
 * Emits the events that show a run as suspended while it only waits for people. A durable host keeps such a run open, but
 * people see the same as with a local run.
 */
import type { RunEvent, SuspendReason } from '../../runtime/kernel/events/run-event.ts';
import type { RunListener } from '../../runtime/kernel/hub/hub-core.ts';
import { nodeOfSignal } from './run-message.ts';

export class RunWaits {
  readonly #emit: (event: RunEvent) => void;
  /** Why nodes wait, by their names without those of callers. */
  readonly #reasons = new Map<string, SuspendReason>();
  #isSuspended = false;

  constructor(emit: (event: RunEvent) => void) {
    this.#emit = emit;
  }

  /** Notes why nodes wait. */
  readonly note: RunListener = (events) => {
    for (const { event } of events)
      if (event.type === 'node:suspended') this.#reasons.set(event.nodeId, event.request.reason);
  };

  /** @param signal the signal that the run waits for; undefined if it continues without people */
  update(signal: string | undefined): void {
    if (signal === undefined || this.#isSuspended) return;
    this.#isSuspended = true;
    const nodeId = nodeOfSignal(signal);
    const reason = this.#reasons.get(nodeId.slice(nodeId.lastIndexOf('/') + 1)) ?? 'operator';
    this.#emit({ type: 'run:suspended', reason, nodeId });
  }

  /** Must be called before the run continues. */
  resume(): void {
    if (this.#isSuspended) this.#emit({ type: 'run:resumed' });
    this.#isSuspended = false;
  }
}
