/**
 * Sends stored events to one window. Message ports have no backpressure and a flood of messages delays painting, so
 * events are sent in batches limited by count and age, and the page acknowledges what it has applied.
 */
import { type Clock, type EventEnvelope, type RunId, rootOf } from '../ipc/engine-base.ts';

/**
 * Maximum number of events in one batch. A time limit alone is not enough: 50,000 objects can be created within 16 ms.
 */
const maxBatchEvents = 500;
/** Maximum number of events that the page has not acknowledged. */
const maxUnacknowledgedEvents = 2000;
/** Maximum time in milliseconds that an event waits to be batched: one frame. */
const maxBatchAgeMs = 16;
/**
 * Maximum number of events kept in memory for a page that processes events more slowly than the run emits them. Later
 * events are read from the store.
 */
const maxQueuedEvents = 2000;

interface BatcherWorld {
  readonly clock: Clock;
  send(events: readonly EventEnvelope[]): void;
  /** Returns stored events in `seq` order, starting after `afterSeq`. */
  readEvents(runId: RunId, afterSeq: number, limit: number): Promise<readonly EventEnvelope[]>;
}

export interface EventBatcher {
  /** Queues stored events. Events of the same run must be in order. */
  offer(events: readonly EventEnvelope[]): void;
  /** Reports that the page has applied this many events. */
  acknowledge(count: number): void;
  /** Stops sending and clears the timer. */
  end(): void;
}

/** The position in a run's events at which they no longer fit into the queue. */
interface Backlog {
  /** `seq` of the last event that was sent or queued. */
  afterSeq: number;
  /** `seq` of the last event that was offered. */
  lastSeq: number;
}

/** Creates a window's batcher, which uses bounded memory and never loses an offered event. */
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
  /** Reads the next batch of a backlog. Nothing else is sent meanwhile, so that events stay in order. */
  const readOn = async (limit: number): Promise<void> => {
    isReading = true;
    try {
      const batch = await readBacklog(backlogs, (...range) => world.readEvents(...range), limit);
      if (!hasEnded && batch.length > 0) post(batch);
    } catch (thrown) {
      // Once the window is gone, nothing needs the events.
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

/**
 * Reads a batch of events of the run that has waited longest, so that several runs take turns. Events offered meanwhile
 * join the backlog.
 */
async function readBacklog(
  backlogs: Map<RunId, Backlog>,
  readEvents: BatcherWorld['readEvents'],
  limit: number,
): Promise<readonly EventEnvelope[]> {
  for (const [runId, backlog] of backlogs) {
    const read = await readEvents(runId, backlog.afterSeq, limit);
    // Later events may already be stored, but they will be offered separately.
    const events = read.filter(({ seq }) => seq <= backlog.lastSeq);
    backlogs.delete(runId);
    const last = events.at(-1);
    if (last === undefined) continue;
    if (last.seq < backlog.lastSeq) backlogs.set(runId, { afterSeq: last.seq, lastSeq: backlog.lastSeq });
    return events;
  }
  return [];
}
