/**
 * The stored events of one run.
 */
import type { Engine } from '../../index.ts';
import type { EventEnvelope, RunId } from '../../isomorphic.ts';

/** How many are read at once. */
const pageSize = 1000;

/**
 * All events of a run, in order, read as they are asked for.
 * @throws EngineError `run.not-found`
 */
export function* storedEvents(engine: Engine, runId: RunId): Generator<EventEnvelope, undefined> {
  engine.getRun(runId);
  for (let afterSeq = -1; ; ) {
    const events = engine.readEvents(runId, afterSeq, pageSize);
    yield* events;
    const last = events.at(-1);
    if (last === undefined) return;
    afterSeq = last.seq;
  }
}
