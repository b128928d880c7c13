/**
 * What earlier runs gave, for comparison with the one that is shown.
 */
import { type EventEnvelope, emptyRunState, foldRun, type RunId, type RunState } from '../../../engine/isomorphic.ts';
import type { EngineClient } from '../../bridge/engine-client.ts';

/** Events asked for at a time. */
const pageSize = 5000;
/** A longer run is not read only to compare with it. */
const mostEvents = 50_000;
/** Ended runs never change; so many are kept. */
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

/** The end of an earlier run; null when it is gone or too long. */
export function formerRun(engine: EngineClient, runId: RunId): Promise<RunState | null> {
  const kept = keptOf.get(engine) ?? new Map<RunId, Promise<RunState | null>>();
  keptOf.set(engine, kept);
  const known = kept.get(runId);
  if (known !== undefined) return known;
  const [oldest] = kept.keys();
  if (kept.size >= mostKept && oldest !== undefined) kept.delete(oldest);
  // A run that was deleted cannot be compared with; the next question tries again.
  const read = readRun(engine, runId).catch(() => {
    kept.delete(runId);
    return null;
  });
  kept.set(runId, read);
  return read;
}
