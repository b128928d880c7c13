/**
 * All stored events of a run.
 */
import type { RunId } from '../base/ids.ts';
import type { EventEnvelope } from '../kernel/run-event.ts';
import type { RunStore } from '../store/run-store.ts';

const pageSize = 1000;

/** Gives all stored events of a run in `seq` order. */
export function* readLog(history: Pick<RunStore, 'readEvents'>, runId: RunId): Generator<EventEnvelope, void> {
  for (let afterSeq = -1; ; ) {
    const events = history.readEvents(runId, afterSeq, pageSize);
    yield* events;
    const last = events.at(-1);
    if (last === undefined) return;
    afterSeq = last.seq;
  }
}
