import { describe, expect, test } from 'vitest';
import { asRunId, type NodeState, type RunEvent } from '../../../../engine/isomorphic.ts';
import { createRunTeller, eventsStartAt, nodeStart, runEnd, runStart } from '../../../bridge/testing/run-events.ts';
import { createLiveRuns, type LiveRun } from './live-runs.ts';
import { nodeDurationMs, nodeWorkedMs, spannedMs, workedMs, workingSince } from './run-time.ts';

const minute = 60_000;
const asked = { nodeId: 'a', key: 'k', requestHash: 'h' };
const ask: RunEvent = { type: 'approval:requested', ...asked, request: { kind: 'approval', title: 'Go?' } };
const suspended: RunEvent = { type: 'run:suspended', reason: 'approval', nodeId: 'a' };
const answer: RunEvent = { type: 'approval:resolved', ...asked, payload: { approved: true }, at: 0 };

/** Returns a run of events with the milliseconds from its start at which each one happens. */
function runOf(...told: (readonly [atMs: number, event: RunEvent])[]): LiveRun {
  const teller = createRunTeller('r1');
  const events = [[0, runStart('x')] as const, ...told].map(([atMs, event]) => ({
    ...teller.tell('at' in event ? ({ ...event, at: eventsStartAt + atMs } as RunEvent) : event),
    at: eventsStartAt + atMs,
  }));
  const store = createLiveRuns();
  // In two batches, as events arrive.
  store.getState().applyEvents(events.slice(0, 2));
  store.getState().applyEvents(events.slice(2));
  return store.getState().runs.get('r1')!;
}

const waited = [
  [10, nodeStart('a')],
  [2_000, ask],
  [2_000, { type: 'node:suspended', nodeId: 'a', request: { reason: 'approval', message: 'Go?' } }],
  [2_000, suspended],
] as const satisfies readonly (readonly [number, RunEvent])[];

const resumed = [
  ...waited,
  [10 * minute, { type: 'run:resumed' }],
  [10 * minute, answer],
] as const satisfies readonly (readonly [number, RunEvent])[];

/** Returns the time worked and the time spanned, `atMs` milliseconds after the start. */
const timesOf = (run: LiveRun, atMs: number) => [
  workedMs(run, eventsStartAt + atMs),
  spannedMs(run, eventsStartAt + atMs),
];

describe('a run', () => {
  test('that is running has worked since its start', () => {
    expect(timesOf(runOf([10, nodeStart('a')]), 900)).toEqual([900, 900]);
  });

  test('that waits for a person no longer works, and its timeline continues', () => {
    expect(timesOf(runOf(...waited), 5 * minute)).toEqual([2_000, 5 * minute]);
  });

  test('that continues after an answer has not worked while it waited', () => {
    expect(timesOf(runOf(...resumed), 10 * minute + 300)).toEqual([2_300, 10 * minute + 300]);
  });

  test('that has ended shows the time measured by its engine, consistent with the time before its end', () => {
    const end: RunEvent = { type: 'run:end', status: 'completed', failedNodes: [], durationMs: 2_500 };
    const run = runOf(...resumed, [10 * minute + 500, end]);
    expect(timesOf(run, 90 * minute)).toEqual([2_500, 10 * minute + 500]);
    expect(workedMs(runOf(...resumed), eventsStartAt + 10 * minute + 500)).toBe(2_500);
  });

  test('that was interrupted ends with its last event, and has not worked until it was resumed', () => {
    const cut = createLiveRuns();
    const teller = createRunTeller('r1');
    for (const event of [runStart('x'), nodeStart('a'), nodeStart('b')]) teller.tell(event);
    cut.getState().applyEvents(teller.events);
    cut.getState().markInterrupted(asRunId('r1'));
    expect(timesOf(cut.getState().runs.get('r1')!, 900)).toEqual([2, 2]);
    expect(timesOf(runOf([50, nodeStart('a')], [minute, { type: 'run:resumed' }]), minute + 7)).toEqual([
      57,
      minute + 7,
    ]);
  });

  test('that was denied before its start has no duration', () => {
    const store = createLiveRuns();
    const teller = createRunTeller('r1');
    teller.tell({ type: 'run:refused', code: 'policy_blocked', message: 'No.', details: {} });
    store.getState().applyEvents(teller.events);
    expect(timesOf(store.getState().runs.get('r1')!, 900)).toEqual([0, 0]);
  });

  test('that ended at once shows the time measured by its engine', () => {
    expect(timesOf(runOf([1, nodeStart('a')], [2, runEnd('completed')]), 900)).toEqual([5, 5]);
  });
});

const request = { kind: 'approval', title: 'Go?' } as const;
function node(more: Partial<NodeState>): NodeState {
  return { nodeId: 'a', status: 'completed', attempts: 1, text: '', ...more };
}
const wait = (askedAt: number, at?: number) => ({
  key: `k${askedAt}`,
  requestHash: 'h',
  request,
  askedAt,
  ...(at === undefined ? {} : { answer: { payload: { approved: true }, at } }),
});

describe('a node', () => {
  test.each<{ what: string; state: Partial<NodeState>; worked: number | undefined; ended?: number | undefined }>([
    { what: 'that was skipped', state: { status: 'skipped' }, worked: undefined },
    { what: 'that works', state: { status: 'running', startedAt: 100 }, worked: 900 },
    { what: 'that has ended', state: { startedAt: 100, endedAt: 350, durationMs: 249 }, worked: 249, ended: 249 },
    { what: 'that waits', state: { status: 'suspended', startedAt: 100, asks: [wait(300)] }, worked: 200 },
    {
      what: 'that continues after an answer',
      state: { status: 'running', startedAt: 100, asks: [wait(300, 800)] },
      worked: 400,
    },
    {
      what: 'that has ended after an answer, of which the engine reports the last part',
      state: { startedAt: 100, endedAt: 900, durationMs: 99, asks: [wait(300, 800)] },
      worked: 300,
      ended: 300,
    },
    {
      what: 'that asked twice at once',
      state: { startedAt: 100, endedAt: 900, durationMs: 9, asks: [wait(200, 500), wait(300, 600)] },
      worked: 400,
      ended: 400,
    },
  ])('$what has worked $worked ms', ({ state, worked, ended }) => {
    expect([nodeWorkedMs(node(state), 1_000), nodeDurationMs(node(state))]).toEqual([worked, ended]);
  });

  test('that continues after an answer includes the time it had worked before', () => {
    const state = node({ status: 'running', startedAt: 100, asks: [wait(300, 800)] });
    expect(1_000 - (workingSince(state) ?? 0)).toBe(nodeWorkedMs(state, 1_000));
  });
});
