import { expect, test } from 'vitest';
import { EngineError } from '../../base/engine-error.ts';
import { createManualClock } from '../../testing/manual-clock.ts';
import { removeOldRunsDaily } from './worker.ts';

const hourMs = 3_600_000;

test('old runs are deleted at the start and every day, all of them, and an hour after an error', async () => {
  const clock = createManualClock();
  const results: (boolean | EngineError)[] = [true, true, false];
  const problems: string[] = [];
  let calls = 0;
  const history = {
    async removeOldRuns({ keepDays }: { readonly keepDays: number }) {
      calls++;
      expect(keepDays).toBe(30);
      const hasMore = results.shift() ?? false;
      if (typeof hasMore !== 'boolean') throw hasMore;
      return { removed: 1, hasMore };
    },
  };
  const onProblem = ({ code }: EngineError) => problems.push(code);
  const stop = removeOldRunsDaily({ history, keepDays: 30, clock, onProblem });
  await clock.advance(23 * hourMs);
  expect(calls).toBe(3);
  results.push(new EngineError({ code: 'store.unreachable', message: 'away' }));
  await clock.advance(hourMs);
  expect([calls, problems]).toEqual([4, ['store.unreachable']]);
  await clock.advance(hourMs);
  expect(calls).toBe(5);
  stop();
  expect(clock.openTimers).toBe(0);
});
