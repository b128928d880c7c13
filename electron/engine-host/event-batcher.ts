/**
 * Stored events on their way to one window. Message ports have no back-pressure and a flood starves painting, so events
 * leave in batches limited by count and by age, and the page acknowledges what it has applied.
 */
import { type Clock, type EventEnvelope, type RunId, rootOf } from '../ipc/engine-base.ts';

/** Events in one batch, at most. A limit of time alone is none: 50,000 objects are made within 16 ms. */
const maxBatchEvents = 500;
/** Events that may be on their way without the page's acknowledgement. */
const maxUnacknowledgedEvents = 2000;
/** How long an event may wait for company, in milliseconds: one frame. */
const maxBatchAgeMs = 16;
/** Events kept in memory for a page that is slower than the run; what comes on top is read from the store later. */
const maxQueuedEvents = 2000;

interface BatcherWorld {
  readonly clock: Clock;
  send(events: readonly EventEnvelope[]): void;
  /** Stored events in `seq` order, from `afterSeq` (exclusive) on. */
  readEvents(runId: RunId, afterSeq: number, limit: number): Promise<readonly EventEnvelope[]>;
}

export interface EventBatcher {
  /** Takes events that are stored already; those of one run in order. */
  offer(events: readonly EventEnvelope[]): void;
  /** The page has applied this many events. */
  acknowledge(count: number): void;
  /** Sends nothing more and keeps no timer. */
  end(): void;
}

/** Where a run stands whose events no longer fit into the queue. */
interface Backlog {
  /** The last event that was sent or queued. */
  afterSeq: number;
  /** The last event that was offered. */
  lastSeq: number;
}

/** Makes the batcher of one window. No event that was offered is lost, and memory stays bounded. */
export function createEventBatcher(world: BatcherWorld): EventBatcher {
  const queue: EventEnvelope[] = [];
  const backlogs = new Map<RunId, Backlog>();
  let unacknowledged = 0;
  let stopTimer: (() => void) | undefined;
  let isReading = false;
  let hasEnded = false;

  const enqueue = (event: EventEnvelope): void => {
    const runId = rootOf(event);
    const backlog = backlogs.get(runId);
    if (backlog !== undefined) backlog.lastSeq = event.seq;
    else if (queue.length < maxQueuedEvents) queue.push(event);
    else backlogs.set(runId, { afterSeq: event.seq - 1, lastSeq: event.seq });
  };
  const post = (batch: readonly EventEnvelope[]): void => {
    unacknowledged += batch.length;
    world.send(batch);
  };
  /** Nothing else leaves meanwhile. */
  const readOn = async (limit: number): Promise<void> => {
    isReading = true;
    try {
      const batch = await readBacklog(backlogs, (...range) => world.readEvents(...range), limit);
      if (!hasEnded && batch.length > 0) post(batch);
    } catch (thrown) {
      // Nobody is there any more who would miss the events.
      if (!hasEnded) throw thrown;
    } finally {
      isReading = false;
    }
    flush();
  };
  const flush = (): void => {
    stopTimer?.();
    stopTimer = undefined;
    while (!hasEnded && !isReading && unacknowledged < maxUnacknowledgedEvents) {
      const limit = Math.min(maxBatchEvents, maxUnacknowledgedEvents - unacknowledged);
      if (queue.length > 0) post(queue.splice(0, limit));
      else if (backlogs.size > 0) void readOn(limit);
      else return;
    }
  };

  return {
    offer(events) {
      if (hasEnded) return;
      for (const event of events) enqueue(event);
      if (queue.length >= maxBatchEvents) flush();
      else if (queue.length > 0) stopTimer ??= world.clock.setTimer(flush, maxBatchAgeMs);
    },
    acknowledge(count) {
      unacknowledged = Math.max(0, unacknowledged - count);
      flush();
    },
    end() {
      hasEnded = true;
      stopTimer?.();
      stopTimer = undefined;
    },
  };
}

/** Reads on for the run that has waited longest; several runs take turns. What is offered meanwhile is part of the backlog. */
async function readBacklog(
  backlogs: Map<RunId, Backlog>,
  readEvents: BatcherWorld['readEvents'],
  limit: number,
): Promise<readonly EventEnvelope[]> {
  for (const [runId, backlog] of backlogs) {
    const read = await readEvents(runId, backlog.afterSeq, limit);
    // Later events can be stored already; they are still going to be offered.
    const events = read.filter(({ seq }) => seq <= backlog.lastSeq);
    backlogs.delete(runId);
    const last = events.at(-1);
    if (last === undefined) continue;
    if (last.seq < backlog.lastSeq) backlogs.set(runId, { afterSeq: last.seq, lastSeq: backlog.lastSeq });
    return events;
  }
  return [];
}
