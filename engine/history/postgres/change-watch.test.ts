/**
 * Tests when changes of a shared history are looked for. The database is replaced, so that each answer arrives exactly
 * when the test says.
 */
import { EventEmitter } from 'node:events';
import { afterEach, beforeEach, expect, type Mock, test, vi } from 'vitest';
import { ChangeWatch } from './change-watch.ts';
import type { PgDb } from './pg-db.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** A database that answers polls on request. */
function createDb() {
  const polls: (() => void)[] = [];
  const ends: Mock[] = [];
  const db = {
    schema: 'millrace',
    prepared: () =>
      new Promise((resolve) => polls.push(() => resolve([{ runs: null, answers: null, requests: null }]))),
    createClient: () => {
      const end = vi.fn(async () => undefined);
      ends.push(end);
      return Object.assign(new EventEmitter(), { connect: async () => undefined, query: async () => undefined, end });
    },
  };
  return { db: db as unknown as PgDb, polls, ends };
}

test('unsubscribing and subscribing again during a poll leaves one poll per second', async () => {
  const { db, polls, ends } = createDb();
  const watch = new ChangeWatch(db, 1);
  const listener = vi.fn();
  for (let times = 0; times < 3; times++) {
    const stop = watch.subscribe(listener);
    await vi.advanceTimersByTimeAsync(0);
    if (times < 2) stop();
  }
  expect(polls).toHaveLength(3);
  for (const answer of polls) answer();
  await vi.advanceTimersByTimeAsync(1000);
  expect(polls).toHaveLength(4);
  expect(listener).toHaveBeenCalledTimes(1);
  watch.close();
  expect(ends.map((end) => end.mock.calls.length)).toEqual([1, 1, 1]);
  polls.at(-1)?.();
  await vi.advanceTimersByTimeAsync(5000);
  expect(polls).toHaveLength(4);
});
