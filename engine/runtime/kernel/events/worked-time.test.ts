import { expect, test } from 'vitest';
import { WorkedTime } from './worked-time.ts';

/** Returns the working time after these events, each with its time. */
function worked(events: readonly (readonly [type: string, at: number])[]): number {
  const time = new WorkedTime();
  for (const [type, at] of events) time.take(type, at);
  return time.copy().ms;
}

test('time between two processes does not count', () => {
  expect(
    worked([
      ['run:start', 0],
      ['task:start', 10],
      ['run:resumed', 500],
      ['task:complete', 507],
    ]),
  ).toBe(17);
});

test('time in which a run is suspended does not count, even if answers are recorded before the run continues', () => {
  const suspended = [
    ['run:start', 0],
    ['run:suspended', 10],
    ['approval:resolved', 1000],
  ] as const;
  expect(worked(suspended)).toBe(10);
  expect(worked([...suspended, ['run:resumed', 1001], ['task:complete', 1005]])).toBe(14);
});
