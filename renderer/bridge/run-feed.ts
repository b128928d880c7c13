/**
 * Brings stored events into the page: in `seq` order, without gaps, at most once per animation frame.
 */
import { type EventEnvelope, rootOf } from '../../engine/isomorphic.ts';
import type { EngineClient } from './engine-client.ts';

/** Where events go, and the one who knows how far they got. */
interface RunFeedSink {
  /** `seq` of the last applied event of a run; -1 = none. */
  lastSeq(runId: string): number;
  applyEvents(events: readonly EventEnvelope[]): void;
}

export interface RunFeed {
  /** Applies all events of a run that are stored and not applied yet. Throws what the engine answers. */
  catchUp(runId: string): Promise<void>;
  /** Ends all subscriptions. */
  stop(): void;
}

interface RunFeedOptions {
  readonly engine: EngineClient;
  readonly sink: RunFeedSink;
  /** Calls back once before the next frame is painted; the returned function takes it back. */
  readonly nextFrame: (callback: () => void) => () => void;
}

/** Events that have arrived, and the way to say that they were applied: the host sends no more than a window can take. */
interface Batch {
  readonly events: readonly EventEnvelope[];
  readonly taken: () => void;
}

/** Events asked for at a time. */
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

/** Starts to bring pushed events to the sink. */
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
      // Its last read may be older than what this caller knows to be stored.
      current.isStale = true;
      return current.done;
    }
    const job = { isStale: false, done: Promise.resolve() };
    jobs.set(runId, job);
    job.done = readUntilFresh(runId, job);
    return job.done;
  };

  /** What can be applied now. A gap needs no keeping of what came after it: all of it is stored and will be read. */
  const takeContiguous = (runId: string, events: readonly EventEnvelope[]): readonly EventEnvelope[] => {
    const fresh = afterLast(runId, events);
    const [first] = fresh;
    if (first === undefined || first.seq === sink.lastSeq(runId) + 1) return fresh;
    // A failure shows itself again as a gap before the next event, or the host is gone and `onConnected` comes.
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
