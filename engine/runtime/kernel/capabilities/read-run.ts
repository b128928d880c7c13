/**
 * Reads a stored run's events page by page, wherever the history is stored.
 */
import type { RunId } from '../../../base/ids.ts';
import type { EventEnvelope } from '../events/run-event.ts';
import type { RunSummary } from '../events/run-state.ts';

/** A run, and the extent of its log when it was read. */
export interface RunHead {
  readonly run: RunSummary;
  /** Number of the last event; -1 if there are no events. */
  readonly lastSeq: number;
}

/** The parts of a history needed to read its runs. */
interface RunSource {
  readHead(runId: RunId): Promise<RunHead>;
  readEvents(runId: RunId, afterSeq: number, limit: number): Promise<readonly EventEnvelope[]>;
}

const pageSize = 1000;

interface PageQuery {
  /** From `readHead`, so that the events match the summary read with it, however far the run has continued. */
  readonly lastSeq?: number;
  readonly atOnce?: number;
}

/**
 * Yields a run's stored events in pages, in `seq` order.
 */
export async function* readPages(
  history: Pick<RunSource, 'readEvents'>,
  runId: RunId,
  { lastSeq = Number.POSITIVE_INFINITY, atOnce = pageSize }: PageQuery = {},
): AsyncGenerator<readonly EventEnvelope[], void> {
  for (let afterSeq = -1; afterSeq < lastSeq; ) {
    const events = await history.readEvents(runId, afterSeq, Math.min(atOnce, lastSeq - afterSeq));
    const last = events.at(-1);
    if (last === undefined) return;
    yield events;
    afterSeq = last.seq;
  }
}

/** A run with all its events. */
export interface WholeRun {
  readonly run: RunSummary;
  readonly events: readonly EventEnvelope[];
}

/** Reads a run and all events that its summary covers. @throws EngineError `run.not-found` */
export async function readWholeRun(history: RunSource, runId: RunId): Promise<WholeRun> {
  const { run, lastSeq } = await history.readHead(runId);
  const events: EventEnvelope[] = [];
  for await (const page of readPages(history, runId, { lastSeq })) events.push(...page);
  return { run, events };
}
