/**
 * Delivers stored events to the page in `seq` order, without gaps, at most once per animation frame.
 */
import { type EventEnvelope, rootOf } from '../../engine/isomorphic.ts';
import type { EngineClient } from './engine-client.ts';

/** Receives the events and knows how far each run has been applied. */
interface RunFeedSink {
  /** `seq` of the last applied event of a run, or -1 if there is none. */
  lastSeq(runId: string): number;
  applyEvents(events: readonly EventEnvelope[]): void;
}

export interface RunFeed {
  /** Applies all stored events of a run that have not been applied yet. Throws the error of the engine. */
  catchUp(runId: string): Promise<void>;
  /** Ends all subscriptions. */
  stop(): void;
}

interface RunFeedOptions {
  readonly engine: EngineClient;
  readonly sink: RunFeedSink;
  /** Calls back once before the next frame is painted. The returned function cancels the callback. */
  readonly nextFrame: (callback: () => void) => () => void;
}

/** Received events and the function that acknowledges them. The host limits how many events are unacknowledged. */
interface Batch {
  readonly events: readonly EventEnvelope[];
  readonly taken: () => void;
}

/** Number of events requested at a time. */
const pageSize = 5000;

function groupByRun(batches: readonly Batch[]): Map<string, EventEnvelope[]> {
  const groups = new Map<string, EventEnvelope[]>();
  for (const event of batches.flatMap(({ events }) => events)) {
    const group = groups.get(rootOf(event));
    if (group === undefined) groups.set(rootOf(event), [event]);
    else group.push(event);
  }
  return groups;
}

/** Starts delivering pushed events to the sink. */
export function createRunFeed({ engine, sink, nextFrame }: RunFeedOptions): RunFeed {
  let batches: Batch[] = [];
  let cancelFrame: (() => void) | null = null;
  const jobs = new Map<string, { isStale: boolean; done: Promise<void> }>();

  const afterLast = (runId: string, events: readonly EventEnvelope[]): readonly EventEnvelope[] => {
    const last = sink.lastSeq(runId);
    return events.filter(({ seq }) => seq > last);
  };

  const readMissing = async (runId: string): Promise<void> => {
    for (;;) {
      const events = await engine.call('readEvents', runId, sink.lastSeq(runId), pageSize);
      const fresh = afterLast(runId, events);
      if (fresh.length > 0) sink.applyEvents(fresh);
      if (events.length < pageSize) return;
    }
  };

  const readUntilFresh = async (runId: string, job: { isStale: boolean }): Promise<void> => {
    try {
      do {
        job.isStale = false;
        await readMissing(runId);
      } while (job.isStale);
    } finally {
      jobs.delete(runId);
    }
  };

  const catchUp = (runId: string): Promise<void> => {
    const current = jobs.get(runId);
    if (current !== undefined) {
      // The last read may have started before the events this caller needs were stored.
      current.isStale = true;
      return current.done;
    }
    const job = { isStale: false, done: Promise.resolve() };
    jobs.set(runId, job);
    job.done = readUntilFresh(runId, job);
    return job.done;
  };

  /**
   * Returns the events that can be applied now. Events after a gap need not be kept, because they are all stored and
   * will be read.
   */
  const takeContiguous = (runId: string, events: readonly EventEnvelope[]): readonly EventEnvelope[] => {
    const fresh = afterLast(runId, events);
    const [first] = fresh;
    if (first === undefined || first.seq === sink.lastSeq(runId) + 1) return fresh;
    // A failure shows up again as a gap before the next event, or the host is gone and `onConnected` will be called.
    void catchUp(runId).catch(() => undefined);
    return [];
  };

  const flush = (): void => {
    cancelFrame = null;
    const arrived = batches;
    batches = [];
    const ready = [...groupByRun(arrived)].flatMap(([runId, events]) => takeContiguous(runId, events));
    if (ready.length > 0) sink.applyEvents(ready);
    for (const { taken } of arrived) taken();
  };

  const keep = (events: readonly EventEnvelope[]): Promise<void> =>
    new Promise((taken) => {
      batches.push({ events, taken });
      cancelFrame ??= nextFrame(flush);
    });
  const endStream = engine.stream('subscribe', keep);

  return {
    catchUp,
    stop() {
      endStream();
      cancelFrame?.();
    },
  };
}
