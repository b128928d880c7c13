/**
 * Loads the outputs of earlier runs, for comparison with the shown one.
 */
import { type EventEnvelope, emptyRunState, foldRun, type RunId, type RunState } from '../../../engine/isomorphic.ts';
import type { EngineClient } from '../../bridge/engine-client.ts';

/** Number of events requested at a time. */
const pageSize = 5000;
/** A longer run is not loaded only for a comparison. */
const mostEvents = 50_000;
/** Number of runs to cache. Ended runs never change. */
const mostKept = 4;

const keptOf = new WeakMap<EngineClient, Map<RunId, Promise<RunState | null>>>();

async function readRun(engine: EngineClient, runId: RunId): Promise<RunState | null> {
  let state: RunState = emptyRunState;
  while (state.seq < mostEvents) {
    const events: readonly EventEnvelope[] = await engine.call('readEvents', runId, state.seq, pageSize);
    state = foldRun(state, events);
    if (events.length < pageSize) return state;
  }
  return null;
}

/** Returns the final state of an earlier run. Null if it was deleted or is too long. */
export function formerRun(engine: EngineClient, runId: RunId): Promise<RunState | null> {
  const kept = keptOf.get(engine) ?? new Map<RunId, Promise<RunState | null>>();
  keptOf.set(engine, kept);
  const known = kept.get(runId);
  if (known !== undefined) return known;
  const [oldest] = kept.keys();
  if (kept.size >= mostKept && oldest !== undefined) kept.delete(oldest);
  // A deleted run cannot be compared. The next request tries again.
  const read = readRun(engine, runId).catch(() => {
    kept.delete(runId);
    return null;
  });
  kept.set(runId, read);
  return read;
}
