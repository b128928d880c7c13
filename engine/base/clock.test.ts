import { describe, expect, test, vi } from 'vitest';
import { createManualClock } from '../testing/manual-clock.ts';
import { sleep, systemClock } from './clock.ts';

describe('sleep', () => {
  test('ends when the delay has passed, not before', async () => {
    const clock = createManualClock();
    const log: string[] = [];
    const done = sleep(clock, 100, new AbortController().signal).then(() => log.push('done'));
    await clock.advance(99);
    log.push('99 ms');
    await clock.advance(1);
    await done;
    expect(log).toEqual(['99 ms', 'done']);
  });

  test('rejects immediately with the reason when its signal aborts, and clears its timer', async () => {
    const clock = createManualClock();
    const stop = new AbortController();
    const waiting = sleep(clock, 100, stop.signal);
    const reason = new Error('stopped');
    stop.abort(reason);
    await expect(waiting).rejects.toBe(reason);
    expect(clock.openTimers).toBe(0);
  });

  test('sets no timer if its signal has already aborted', async () => {
    const clock = createManualClock();
    const reason = new Error('stopped');
    await expect(sleep(clock, 100, AbortSignal.abort(reason))).rejects.toBe(reason);
    expect(clock.delays).toEqual([]);
  });

  test('removes its abort listener when it has ended', async () => {
    const clock = createManualClock();
    const { signal } = new AbortController();
    const listeners = new Set<unknown>();
    const counting = {
      aborted: false,
      reason: undefined,
      throwIfAborted: () => signal.throwIfAborted(),
      addEventListener: (_: string, listener: unknown) => listeners.add(listener),
      removeEventListener: (_: string, listener: unknown) => listeners.delete(listener),
    };
    const waiting = sleep(clock, 5, counting as unknown as AbortSignal);
    expect(listeners.size).toBe(1);
    await clock.advance(5);
    await waiting;
    expect(listeners.size).toBe(0);
  });
});

describe('the system clock', () => {
  test('returns a constant time while held, and the correct time afterwards', () => {
    vi.useFakeTimers({ toFake: ['Date'], now: 1_000 });
    try {
      systemClock.hold?.();
      vi.setSystemTime(2_000);
      expect(systemClock.now()).toBe(1_000);
      systemClock.hold?.();
      expect(systemClock.now()).toBe(1_000);
      systemClock.release?.();
      expect(systemClock.now()).toBe(2_000);
      vi.setSystemTime(3_000);
      expect(systemClock.now()).toBe(3_000);
    } finally {
      vi.useRealTimers();
    }
  });

  test('calls back, but not after the timer was cleared', async () => {
    const log: string[] = [];
    const end = systemClock.setTimer(() => log.push('ended'), 0);
    end();
    await new Promise<void>((resolve) => {
      systemClock.setTimer(() => resolve(), 1);
    });
    end();
    expect(log).toEqual([]);
  });

  test('returns epoch milliseconds', () => {
    const before = Date.now();
    const now = systemClock.now();
    expect(before <= now && now <= Date.now()).toBe(true);
  });
});
