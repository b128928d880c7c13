import { expect, test } from 'vitest';
import type { EventEnvelope, JsonValue, RunEvent } from '../../../engine/isomorphic.ts';
import { createRunTeller, nodeComplete, nodeStart } from '../../bridge/testing/run-events.ts';
import { countDone, followLoops, noLoopProgress } from './loop-progress.ts';

const loopStart: RunEvent = { type: 'task:start', taskId: 'node:each', nodeId: 'each', nodeType: 'control.foreach' };
const boom: RunEvent = {
  type: 'task:failed',
  taskId: 'node:each[1].a',
  nodeId: 'each[1].a',
  error: { code: 'node.failed', message: 'no' },
  durationMs: 1,
  attempts: 1,
};

function told(...events: readonly RunEvent[]): readonly EventEnvelope[] {
  const teller = createRunTeller('r1');
  for (const event of events) teller.tell(event);
  return teller.events;
}

test('an item is done when its whole body has ended, or when one of its nodes failed and nothing goes on', () => {
  const events = told(
    loopStart,
    { type: 'node:input', nodeId: 'each', input: { items: ['x', 'y', 'z'] } },
    nodeStart('each[0].a'),
    nodeComplete('each[0].a'),
    nodeStart('each[1].a'),
    boom,
    { type: 'node:skipped', nodeId: 'each[0].b', reason: 'when' },
    nodeStart('each[2].a'),
    nodeComplete('each[2].a'),
  );
  const { loops } = followLoops(noLoopProgress, events);
  expect(loops.get('each')?.total).toBe(3);
  expect(countDone(loops.get('each')!, 2)).toBe(2);
});

test.each<[JsonValue, string | null]>([
  [{ items: ['x'], as: 'mail' }, 'mail'],
  [{ items: ['x'] }, null],
  [{ items: ['x'], as: 3 }, null],
  [{ $value: 'ab', bytes: 9, preview: '{' }, null],
])('a loop with the input %j calls its items %s', (input, as) => {
  const events = told(loopStart, { type: 'node:input', nodeId: 'each', input });
  expect(followLoops(noLoopProgress, events).loops.get('each')?.as).toBe(as);
});

test('a loop of passes has no number of items, and as many passes as it may have', () => {
  const start: RunEvent = { type: 'task:start', taskId: 'node:again', nodeId: 'again', nodeType: 'control.loop' };
  const input = (most: Record<string, JsonValue>): RunEvent => ({
    type: 'node:input',
    nodeId: 'again',
    input: { body: ['a'], ...most },
  });
  const passes = (...events: RunEvent[]) => followLoops(noLoopProgress, told(start, ...events)).loops.get('again');
  expect(passes()).toMatchObject({ total: null, mostPasses: 10 });
  expect(passes(input({}))).toMatchObject({ total: null, mostPasses: 10 });
  expect(passes(input({ maxIterations: '4' }))).toMatchObject({ mostPasses: 4 });
  const begun = passes(
    input({ maxIterations: 3 }),
    nodeStart('again[0].a'),
    nodeComplete('again[0].a'),
    nodeStart('again[1].a'),
  );
  expect(begun).toMatchObject({ mostPasses: 3 });
  expect(begun?.items.size).toBe(2);
  expect(followLoops(noLoopProgress, told(loopStart)).loops.get('each')?.mostPasses).toBeNull();
});

test('batches add up to the same as all events at once, and leave what was before as it was', () => {
  const events = told(loopStart, nodeStart('each[0].a'), nodeComplete('each[0].a'), nodeStart('each[1].a'));
  const first = followLoops(noLoopProgress, events.slice(0, 2));
  const before = structuredClone(first);
  expect(followLoops(first, events.slice(2))).toEqual(followLoops(noLoopProgress, events));
  expect(first).toEqual(before);
});

test('a second start after a crash does not open the node again', () => {
  const again: RunEvent = { type: 'task:start', taskId: 'node:each[0].a', nodeId: 'each[0].a', resumed: true };
  const events = told(loopStart, nodeStart('each[0].a'), again, nodeComplete('each[0].a'));
  const { loops } = followLoops(noLoopProgress, events);
  expect(loops.get('each')?.items.get(0)).toEqual({ open: 0, ended: 1, failed: 0 });
});

test('events that touch no loop change nothing', () => {
  expect(followLoops(noLoopProgress, told(nodeStart('a'), nodeComplete('a')))).toBe(noLoopProgress);
});
