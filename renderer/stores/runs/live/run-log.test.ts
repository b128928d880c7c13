import { expect, test } from 'vitest';
import { createRunTeller, nodeStart } from '../../../bridge/testing/run-events.ts';
import { appendToLog, emptyRunLog, maxLogEvents } from './run-log.ts';

const error = { code: 'control.fail', message: 'no' };

test('streamed text is not logged, and a batch of it changes nothing', () => {
  const run = createRunTeller('r1');
  const log = appendToLog(emptyRunLog, [run.tell(nodeStart('a')), run.tell({ type: 'agent:text', content: 'x' }, 'a')]);
  expect(log.events.map(({ event }) => event.type)).toEqual(['task:start']);
  expect(appendToLog(log, [run.tell({ type: 'agent:text', content: 'y' }, 'a')])).toBe(log);
});

test('a long run keeps its newest lines and shows how many were omitted', () => {
  const run = createRunTeller('r1');
  for (let index = 0; index < maxLogEvents + 3; index++) run.tell(nodeStart(`n${index}`));
  const log = appendToLog(emptyRunLog, run.events);
  expect([log.events.length, log.omittedCount, log.events[0]?.seq]).toEqual([maxLogEvents, 3, 3]);
  const longer = appendToLog(log, [run.tell(nodeStart('last'))]);
  expect([longer.events.length, longer.omittedCount]).toEqual([maxLogEvents, 4]);
});

test('failed attempts are kept by node, even if their lines are not', () => {
  const run = createRunTeller('r1');
  run.tell({ type: 'node:retry', nodeId: 'a', attempt: 1, delayMs: 250, error });
  run.tell({ type: 'node:retry', nodeId: 'a', attempt: 2, delayMs: 250, error });
  const log = appendToLog(emptyRunLog, run.events);
  expect(log.failedAttempts.get('a')?.map(({ attempt, delayMs }) => [attempt, delayMs])).toEqual([
    [1, 250],
    [2, 250],
  ]);
  const same = appendToLog(log, [run.tell(nodeStart('b'))]);
  expect(same.failedAttempts).toBe(log.failedAttempts);
});
