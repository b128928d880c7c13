/**
 * The one way events go: the hub numbers them, hands them to the recorder, then tells listeners.
 */
import type { EventContext, EventEnvelope, RunEvent } from './run-event.ts';

export type RunListener = (events: readonly EventEnvelope[]) => void;

/** Where a scope's events go out. `scoped` gives the same hub with more context. */
export interface Hub {
  emit(event: RunEvent): void;
  /** Adds to the context of all events of the returned view. */
  scoped(context: Partial<EventContext>): Hub;
  /** Makes everything emitted so far durable and visible before it returns. */
  flush(): void;
}
