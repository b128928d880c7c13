import { expect, test } from 'vitest';
import type { RunEvent } from '../../../../engine/isomorphic.ts';
import { createRunTeller, nodeComplete, nodeStart } from '../../../bridge/testing/run-events.ts';
import { createLiveRuns, type LiveRun } from './live-runs.ts';
import { shownItems } from './shown-items.ts';

const loop: RunEvent[] = [
  { type: 'task:start', taskId: 'node:each', nodeId: 'each', nodeType: 'control.foreach' },
  { type: 'node:input', nodeId: 'each', input: { items: ['x', 'y', 'z'] } },
];
const skip = (nodeId: string): RunEvent => ({ type: 'node:skipped', nodeId, reason: 'when' });
const fail = (nodeId: string): RunEvent => ({
  type: 'task:failed',
  taskId: `node:${nodeId}`,
  nodeId,
  error: { code: 'node.failed', message: 'no' },
  durationMs: 1,
  attempts: 1,
});
const cancel = (nodeId: string): RunEvent => ({
  type: 'task:cancelled',
  taskId: `node:${nodeId}`,
  nodeId,
  reason: 'cancel',
});

/** Returns an active run after these events, in batches of one. */
function runAfter(...events: readonly RunEvent[]): LiveRun {
  const store = createLiveRuns();
  const teller = createRunTeller('r1');
  for (const event of [...loop, ...events]) teller.tell(event);
  for (const event of teller.events) store.getState().applyEvents([event]);
  return [...store.getState().runs.values()][0]!;
}

function shown(run: LiveRun, chosen: ReadonlyMap<string, number> = new Map(), isTolerated = false) {
  return shownItems(run, 'a', { chosen, isTolerated });
}

test('shows how many of all items ran and the results of the others, never only the last one', () => {
  const run = runAfter(
    nodeStart('each[0].a'),
    nodeComplete('each[0].a'),
    nodeStart('each[1].a'),
    nodeComplete('each[1].a'),
    skip('each[2].a'),
  );
  expect(shown(run)).toEqual({ state: 'completed', words: '2 of 3 ran, 1 skipped' });
});

test('is running while items are missing, and failed if one of them failed', () => {
  expect(shown(runAfter(nodeStart('each[0].a')))).toEqual({ state: 'running', words: '0 of 3 ran' });
  expect(shown(runAfter(nodeStart('each[0].a'), nodeComplete('each[0].a')))?.state).toBe('running');
  const failed = runAfter(nodeStart('each[0].a'), fail('each[0].a'), skip('each[1].a'), skip('each[2].a'));
  expect(shown(failed)).toEqual({ state: 'failed', words: '0 of 3 ran, 1 failed, 2 skipped' });
  expect(shown(failed, new Map(), true)?.state).toBe('tolerated');
});

test('an interrupted item that starts again counts once', () => {
  const again: RunEvent = { type: 'task:start', taskId: 'node:each[0].a', nodeId: 'each[0].a', resumed: true };
  const run = runAfter(nodeStart('each[0].a'), cancel('each[0].a'), again, nodeComplete('each[0].a'));
  expect(shown(run)?.words).toBe('1 of 3 ran');
  const suspended: RunEvent = {
    type: 'node:suspended',
    nodeId: 'each[1].a',
    request: { reason: 'operator', message: '?' },
  };
  const waits = runAfter(nodeStart('each[1].a'), suspended);
  expect(shown(waits)).toEqual({ state: 'suspended', words: '0 of 3 ran, 1 waiting' });
});

test('combines all runs of an inner loop', () => {
  const inner = (item: number): RunEvent[] => [
    { type: 'task:start', taskId: `node:each[${item}].in`, nodeId: `each[${item}].in`, nodeType: 'control.foreach' },
    { type: 'node:input', nodeId: `each[${item}].in`, input: { items: [1, 2] } },
    nodeStart(`each[${item}].in[0].a`),
    nodeComplete(`each[${item}].in[0].a`),
  ];
  expect(shown(runAfter(...inner(0), ...inner(1)))?.words).toBe('2 of 4 ran');
});

test('returns nothing for nodes outside of loops, or if an item is selected', () => {
  const run = runAfter(nodeStart('each[0].a'), nodeStart('b'));
  expect(shownItems(run, 'b', { chosen: new Map(), isTolerated: false })).toBe(null);
  expect(shown(run, new Map([['each', 0]]))).toBe(null);
});

const followed = (...events: readonly RunEvent[]): string | undefined =>
  runAfter(...events).state.tallies.bodies.get('a')?.followed;

test('the followed item is the last one running, or else the first that failed, or else the last that ran', () => {
  const ran = (item: number): RunEvent[] => [nodeStart(`each[${item}].a`), nodeComplete(`each[${item}].a`)];
  expect(followed(...ran(1), ...ran(2), skip('each[0].a'))).toBe('each[2].a');
  expect(followed(skip('each[0].a'), skip('each[2].a'), skip('each[1].a'))).toBe('each[1].a');
  expect(followed(nodeStart('each[0].a'), nodeStart('each[2].a'), ...ran(1))).toBe('each[2].a');
  const begun = [nodeStart('each[0].a'), nodeStart('each[2].a'), nodeComplete('each[2].a')];
  expect(followed(...begun, skip('each[1].a'))).toBe('each[0].a');
  const failures = [nodeStart('each[2].a'), fail('each[2].a'), nodeStart('each[0].a'), fail('each[0].a')];
  expect(followed(...failures, ...ran(1))).toBe('each[2].a');
});

test('13.5 is paused before an item that starts next, and while an item has not ended', () => {
  const pausedBefore = (nodeId: string): RunEvent => ({ type: 'run:suspended', reason: 'paused', nodeId });
  const first = [nodeStart('each[0].a'), nodeComplete('each[0].a')];
  expect(shown(runAfter(...first, pausedBefore('each[1].a')))).toEqual({ state: 'paused', words: '1 of 3 ran' });
  expect(shown(runAfter(...first, nodeStart('each[1].a'), pausedBefore('each[1].b')))?.state).toBe('paused');
  expect(shown(runAfter(...first, pausedBefore('other')))?.state).toBe('completed');
});
