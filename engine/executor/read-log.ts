/**
 * All stored events of a run.
 */
import { EngineError } from '../base/engine-error.ts';
import type { RunId } from '../base/ids.ts';
import type { EventEnvelope } from '../kernel/run-event.ts';
import type { RunSummary } from '../kernel/run-state.ts';
import type { WriterReads } from '../store/run-store.ts';
import type { History } from './history.ts';

const pageSize = 1000;

/** Yields all stored events of a run in `seq` order, for the writer of the history. */
export function* readLog(history: Pick<WriterReads, 'readEvents'>, runId: RunId): Generator<EventEnvelope, void> {
  for (let afterSeq = -1; ; ) {
    const events = history.readEvents(runId, afterSeq, pageSize);
    yield* events;
    const last = events.at(-1);
    if (last === undefined) return;
    afterSeq = last.seq;
  }
}

interface PageQuery {
  /** Of `History.readHead`, so that the events fit the summary that was read with it, however far the run has continued. */
  readonly lastSeq?: number;
  readonly atOnce?: number;
}

/**
 * Yields stored events of a run in pages, in `seq` order.
 */
export async function* readPages(
  history: Pick<History, 'readEvents'>,
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

/** Reads a run and all events that its summary is about. @throws EngineError `run.not-found` */
export async function readWholeRun(history: Pick<History, 'readHead' | 'readEvents'>, runId: RunId): Promise<WholeRun> {
  const { run, lastSeq } = await history.readHead(runId);
  const events: EventEnvelope[] = [];
  for await (const page of readPages(history, runId, { lastSeq })) events.push(...page);
  return { run, events };
}

/**
 * Reads something of a stored run, or gives `orElse` when it is damaged. Events have no schema that is checked when they are read,
 * so one of a wrong shape shows as a `TypeError` in the code that folds it.
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
