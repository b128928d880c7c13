import { afterEach, expect, test, vi } from 'vitest';
import { EngineError } from '../../base/engine-error.ts';
import { asRunId } from '../../base/ids.ts';
import type { SharedChange, SharedHistory } from '../../history/postgres/shared-history.ts';
import type { EventEnvelope } from '../../runtime/kernel/events/run-event.ts';
import { followSharedRuns } from './shared-run-events.ts';

afterEach(() => vi.useRealTimers());

test('13.11 a read that fails after the last change is repeated', async () => {
  vi.useFakeTimers();
  const runId = asRunId('r');
  const event = { seq: 0, runId } as EventEnvelope;
  let announce: (changes: ReadonlySet<SharedChange>) => void = () => undefined;
  let failures = 0;
  let lastSeq = -1;
  const history: Partial<SharedHistory> = {
    watch: (listener) => {
      announce = listener;
      return () => undefined;
    },
    changesSince: async () => {
      if (failures-- > 0) throw new EngineError({ code: 'store.unreachable', message: 'away', recoverable: true });
      return { cursor: { position: '1' }, lastSeqs: new Map([[runId, lastSeq]]) };
    },
    readEvents: async () => [event],
  };
  const heard: EventEnvelope[] = [];
  const events = followSharedRuns(history as SharedHistory);
  events.subscribe((group) => void heard.push(...group));
  await vi.advanceTimersByTimeAsync(0);
  lastSeq = 0;
  failures = 2;
  announce(new Set(['runs']));
  await vi.advanceTimersByTimeAsync(0);
  expect(heard).toEqual([]);
  await vi.advanceTimersByTimeAsync(2000);
  expect(heard).toEqual([event]);
  failures = 1;
  announce(new Set(['runs']));
  await vi.advanceTimersByTimeAsync(0);
  events.close();
  expect(vi.getTimerCount()).toBe(0);
});
