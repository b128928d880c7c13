import { expect, test } from 'vitest';
import { createRunSlots } from './actions.ts';

/** Creates a run that logs its start and ends on request. */
function controlled(name: string, log: string[]): { start: () => Promise<void>; end: () => void } {
  let end = (): void => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  return {
    end,
    start: () => {
      log.push(name);
      return ended;
    },
  };
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('runs beyond the number of slots start in order, each when another has ended', async () => {
  const log: string[] = [];
  const slots = createRunSlots(2);
  const runs = ['a', 'b', 'c', 'd'].map((name) => controlled(name, log));
  for (const { start } of runs) slots.enter(start);
  expect(log).toEqual(['a', 'b']);
  runs[1]?.end();
  await settled();
  expect(log).toEqual(['a', 'b', 'c']);
  runs[0]?.end();
  runs[2]?.end();
  await settled();
  expect(log).toEqual(['a', 'b', 'c', 'd']);
});

test('a run that skips the queue starts immediately, once, and takes no slot', async () => {
  const log: string[] = [];
  const slots = createRunSlots(1);
  const [first, second, third] = ['a', 'b', 'c'].map((name) => controlled(name, log));
  const waiting = [first, second, third].map((run) => slots.enter(run?.start ?? (async () => {})));
  waiting[2]?.skipLine();
  waiting[2]?.skipLine();
  waiting[0]?.skipLine();
  expect(log).toEqual(['a', 'c']);
  third?.end();
  await settled();
  expect(log).toEqual(['a', 'c']);
  first?.end();
  await settled();
  expect(log).toEqual(['a', 'c', 'b']);
});

test('a slot without a waiting run stays free', async () => {
  const log: string[] = [];
  const slots = createRunSlots(1);
  const first = controlled('a', log);
  slots.enter(first.start);
  first.end();
  await settled();
  slots.enter(controlled('b', log).start);
  expect(log).toEqual(['a', 'b']);
});
