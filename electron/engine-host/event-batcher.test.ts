import { beforeEach, describe, expect, test } from 'vitest';
import { asRunId, asSessionId } from '../../engine/base/ids.ts';
import type { EventEnvelope } from '../../engine/runtime/kernel/events/run-event.ts';
import { createManualClock, type ManualClock } from '../../engine/testing/manual-clock.ts';
import { createEventBatcher, type EventBatcher } from './event-batcher.ts';

let clock: ManualClock;
const stored = new Map<string, EventEnvelope[]>();
const batches: (readonly EventEnvelope[])[] = [];
let reads = 0;
let batcher: EventBatcher;

/** Stores the next `count` events of a run, as the recorder does before subscribers receive them. */
function record(run: string, count: number): EventEnvelope[] {
  const events = stored.get(run) ?? [];
  stored.set(run, events);
  const fresh = Array.from({ length: count }, (_, index): EventEnvelope => {
    const seq = events.length + index;
    const event = { type: 'agent:text', content: `${run}${seq}` } as const;
    return { seq, at: clock.now(), runId: asRunId(run), context: { sessionId: asSessionId('s') }, event };
  });
  events.push(...fresh);
  return fresh;
}

function sentSeqs(run: string): number[] {
  return batches.flat().flatMap(({ runId, seq }) => (runId === run ? [seq] : []));
}

function sizes(): number[] {
  return batches.map(({ length }) => length);
}

/** Acknowledges everything that arrives, as a page would, until the events stop. */
async function acknowledgeAll(): Promise<void> {
  for (let next = 0; next < batches.length; next++) {
    batcher.acknowledge(batches[next]!.length);
    await settled();
  }
}

/** Waits until reads, which resolve at once, have been handled. */
async function settled(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
}

function upTo(count: number): number[] {
  return [...Array(count).keys()];
}

beforeEach(() => {
  clock = createManualClock();
  stored.clear();
  batches.length = 0;
  reads = 0;
  batcher = createEventBatcher({
    clock,
    send: (events) => batches.push(events),
    readEvents: async (runId, afterSeq, limit) => {
      reads++;
      return (stored.get(runId) ?? []).slice(afterSeq + 1, afterSeq + 1 + limit);
    },
  });
});

describe('batches', () => {
  test('collects events for at most 16 ms and sends them together', async () => {
    batcher.offer(record('a', 2));
    await clock.advance(15);
    batcher.offer(record('a', 1));
    expect(sizes()).toEqual([]);
    await clock.advance(1);
    expect(sizes()).toEqual([3]);
    expect(clock.openTimers).toBe(0);
  });

  test('sends 500 events immediately and leaves no timer behind', () => {
    batcher.offer(record('a', 499));
    expect(sizes()).toEqual([]);
    batcher.offer(record('a', 1));
    expect(sizes()).toEqual([500]);
    expect(clock.openTimers).toBe(0);
  });

  test('splits a large offer into batches of at most 500', () => {
    batcher.offer(record('a', 1234));
    expect(sizes()).toEqual([500, 500, 234]);
    expect(sentSeqs('a')).toEqual(upTo(1234));
  });

  test('does not start a timer for an empty offer', () => {
    batcher.offer([]);
    expect(clock.openTimers).toBe(0);
  });

  test('sends nothing and has no timer after the end', () => {
    batcher.offer(record('a', 10));
    batcher.end();
    expect(clock.openTimers).toBe(0);
    batcher.offer(record('a', 1000));
    batcher.acknowledge(5);
    expect(sizes()).toEqual([]);
  });
});

test('reads events of nested child runs from the log of the root run', async () => {
  const run = asRunId('called');
  const places = { runId: run, parentRunId: asRunId('between'), rootRunId: asRunId('a') };
  const events = record('a', 4500).map((event) => ({ ...event, ...places }));
  stored.set('a', events);
  batcher.offer(events);
  await acknowledgeAll();
  expect(sentSeqs('called')).toEqual(upTo(4500));
  expect(reads).toBeGreaterThan(0);
});

describe('acknowledgement', () => {
  test('has at most 2,000 unacknowledged events, and each acknowledgment frees as many', async () => {
    batcher.offer(record('a', 3000));
    expect(sizes()).toEqual([500, 500, 500, 500]);
    batcher.acknowledge(500);
    await settled();
    expect(sizes()).toEqual([500, 500, 500, 500, 500]);
    batcher.acknowledge(100);
    await settled();
    expect(sizes().at(-1)).toBe(100);
  });

  test('acknowledging more than was sent does not widen the window', () => {
    batcher.acknowledge(500);
    batcher.acknowledge(500);
    batcher.offer(record('a', 5000));
    expect(sentSeqs('a')).toHaveLength(2000);
  });

  test('sends nothing while the page does not acknowledge, then everything once and in order', async () => {
    for (const _ of upTo(20)) {
      batcher.offer(record('a', 450));
      await clock.advance(16);
    }
    expect(sentSeqs('a')).toHaveLength(2000);
    await acknowledgeAll();
    expect(sentSeqs('a')).toEqual(upTo(9000));
    expect(sizes().every((size) => size <= 500)).toBe(true);
  });
});

describe('a page slower than the run', () => {
  test('reads events that do not fit in memory from the store, complete and in order', async () => {
    batcher.offer(record('a', 50_000));
    await acknowledgeAll();
    expect(sentSeqs('a')).toEqual(upTo(50_000));
    expect(reads).toBeGreaterThan(0);
  });

  test('alternates between several lagging runs and keeps the order of each', async () => {
    batcher.offer(record('full', 4000));
    for (const _ of upTo(3)) {
      batcher.offer(record('a', 1000));
      batcher.offer(record('b', 1000));
    }
    await acknowledgeAll();
    expect(sentSeqs('a')).toEqual(upTo(3000));
    expect(sentSeqs('b')).toEqual(upTo(3000));
    const firstOfB = batches.findIndex(([first]) => first?.runId === 'b');
    const lastOfA = batches.findLastIndex(([first]) => first?.runId === 'a');
    expect(firstOfB).toBeLessThan(lastOfA);
  });

  test('sends events that are stored but not offered yet only once, when they are offered', async () => {
    batcher.offer(record('a', 4001));
    const late = record('a', 10);
    await acknowledgeAll();
    expect(sentSeqs('a')).toEqual(upTo(4001));
    batcher.offer(late);
    await clock.advance(16);
    expect(sentSeqs('a')).toEqual(upTo(4011));
  });

  test('stops reading a backlog if the store cannot return its events', async () => {
    batcher.offer(record('a', 5000));
    stored.clear();
    await acknowledgeAll();
    expect(sentSeqs('a')).toEqual(upTo(2000));
    expect(reads).toBe(1);
  });

  test('sends events of a run directly again after it has caught up', async () => {
    batcher.offer(record('a', 6000));
    await acknowledgeAll();
    const readsBefore = reads;
    batcher.offer(record('a', 1));
    await clock.advance(16);
    expect(sentSeqs('a')).toEqual(upTo(6001));
    expect(reads).toBe(readsBefore);
  });

  test('sends events that are offered during a read after those that are read, once', async () => {
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const slow = createEventBatcher({
      clock,
      send: (events) => batches.push(events),
      readEvents: async (runId, afterSeq, limit) => {
        await held;
        return (stored.get(runId) ?? []).slice(afterSeq + 1, afterSeq + 1 + limit);
      },
    });
    batcher = slow;
    slow.offer(record('a', 4001));
    slow.acknowledge(500);
    slow.offer(record('a', 10));
    slow.offer(record('b', 600));
    expect(sentSeqs('a')).toEqual(upTo(2000));
    release();
    await acknowledgeAll();
    expect(sentSeqs('a')).toEqual(upTo(4011));
    expect(sentSeqs('b')).toEqual(upTo(600));
  });

  test('a read that fails after the window has closed sends nothing and reports no error', async () => {
    let fail: (error: Error) => void = () => undefined;
    const slow = createEventBatcher({
      clock,
      send: (events) => batches.push(events),
      readEvents: () =>
        new Promise((_, reject) => {
          fail = reject;
        }),
    });
    slow.offer(record('a', 4001));
    slow.acknowledge(500);
    slow.end();
    fail(new Error('closed'));
    await settled();
    expect(sentSeqs('a')).toEqual(upTo(2000));
  });
});
