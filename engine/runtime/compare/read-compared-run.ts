/**
 * Reads a stored run for a comparison: its state, and facts about its model calls that the state does not have.
 */
import { nodeNameOf, type RunId } from '../../base/ids.ts';
import { readPages } from '../kernel/capabilities/read-run.ts';
import { foldRun } from '../kernel/events/fold-run.ts';
import type { EventEnvelope } from '../kernel/events/run-event.ts';
import { emptyRunState, type RunState } from '../kernel/events/run-state.ts';

/** The model calls of a node at one place. */
export interface PlaceCalls {
  /** The model that was asked last. */
  readonly model: string;
  /** Milliseconds from the first request to the first piece of its response; absent if nothing was streamed. */
  readonly firstTextMs?: number;
}

/** A run that has ended or waits, as a comparison needs it. */
export interface ReadRun {
  readonly state: RunState;
  /** Model calls by the place of their node, for this run and each of its child runs. */
  readonly calls: ReadonlyMap<RunId, ReadonlyMap<string, PlaceCalls>>;
}

/** A run with more events is not read only for a comparison. */
const mostEvents = 250_000;

/** Collects the model calls of a run from its events. */
class ComparedCalls {
  readonly byRun = new Map<RunId, Map<string, PlaceCalls>>();
  readonly #askedAt = new Map<string, number>();

  take({ runId, at, context, event }: EventEnvelope): void {
    if (event.type !== 'model:request' && event.type !== 'agent:text') return;
    const place = nodeNameOf(context.task?.id);
    if (place === undefined) return;
    const key = `${runId} ${place}`;
    const calls = this.byRun.get(runId) ?? new Map<string, PlaceCalls>();
    const known = calls.get(place);
    if (event.type === 'model:request') {
      if (!this.#askedAt.has(key)) this.#askedAt.set(key, at);
      this.byRun.set(runId, calls.set(place, { ...known, model: event.model }));
      return;
    }
    const askedAt = this.#askedAt.get(key);
    if (known !== undefined && askedAt !== undefined && known.firstTextMs === undefined)
      calls.set(place, { ...known, firstTextMs: at - askedAt });
  }
}

/**
 * Reads a run. Null if its log is too long to be compared.
 * @throws EngineError `run.not-found`
 */
export async function readComparedRun(
  history: Parameters<typeof readPages>[0],
  runId: RunId,
  atOnce?: number,
): Promise<ReadRun | null> {
  const reader = new ComparedCalls();
  let state = emptyRunState;
  for await (const events of readPages(history, runId, atOnce === undefined ? {} : { atOnce })) {
    state = foldRun(state, events);
    for (const envelope of events) reader.take(envelope);
    if (state.seq >= mostEvents) return null;
  }
  return { state, calls: reader.byRun };
}
