/**
 * Reads the stored events of a run.
 */
import { EngineError } from '../../base/engine-error.ts';
import type { RunId } from '../../base/ids.ts';
import type { WriterReads } from '../../history/store/run-store.ts';
import type { JsonValue } from '../../language/json/json-value.ts';
import type { EventEnvelope } from '../../runtime/kernel/events/run-event.ts';

const pageSize = 1000;

/**
 * Yields the stored events of a run in `seq` order, for the writer of the history.
 * @param until `seq` of the last event; all events by default
 */
export function* readLog(
  history: Pick<WriterReads, 'readEvents'>,
  runId: RunId,
  until = Number.POSITIVE_INFINITY,
): Generator<EventEnvelope, void> {
  for (let afterSeq = -1; afterSeq < until; ) {
    const events = history.readEvents(runId, afterSeq, Math.min(pageSize, until - afterSeq));
    yield* events;
    const last = events.at(-1);
    if (last === undefined) return;
    afterSeq = last.seq;
  }
}

/** Returns functions that read the logs and large values of a history. */
export function logSource(history: WriterReads) {
  return {
    readLog: (runId: RunId): Iterable<EventEnvelope> => readLog(history, runId),
    readValue: (hash: string): JsonValue | undefined => history.readValue(hash),
  };
}

/**
 * Calls `read`, or returns `orElse` if the stored run is damaged. Events are not validated when they are read, so an
 * invalid event causes a `TypeError` in the code that folds it.
 */
export function unlessDamaged<Result>(read: () => Result, orElse: Result): Result {
  try {
    return read();
  } catch (error) {
    const isDamage = EngineError.is(error) && (error.code === 'store.unreadable' || error.code === 'value.not-found');
    if (isDamage || error instanceof TypeError || error instanceof SyntaxError) return orElse;
    throw error;
  }
}
