/**
 * The stored events of one run.
 */
import { readLog } from '../../executor/read-log.ts';
import type { Engine } from '../../index.ts';
import type { EventEnvelope, RunId } from '../../isomorphic.ts';

/**
 * All events of a run, in order, read as they are asked for.
 * @throws EngineError `run.not-found`
 */
export function storedEvents(engine: Engine, runId: RunId): Iterable<EventEnvelope> {
  engine.getRun(runId);
  return readLog(engine, runId);
}
