import { describe, expect, test } from 'vitest';
import {
  emptyRunState,
  type NodeState,
  type NodeStatus,
  type RunEvent,
  type RunState,
} from '../../../engine/isomorphic.ts';
import { createRunTeller, nodeComplete, nodeStart, runEnd } from '../../bridge/testing/run-events.ts';
import { createLiveRuns, type LiveRun } from '../../stores/runs/live/live-runs.ts';
import { edgeInRun, edgeState } from './edge-state.ts';

const edge = { id: 'a->b', source: 'a', target: 'b' };

function nodeState(nodeId: string, status: NodeStatus): [string, NodeState] {
  return [nodeId, { nodeId, status, attempts: 1, text: '' }];
}

function runWith(change: Partial<RunState>): RunState {
  return { ...emptyRunState, status: 'running', ...change };
}

const fired = new Set(['a->b']);

describe('edgeState', () => {
  test('is idle without a run, and while its source has not ended', () => {
    expect(edgeState(undefined, edge)).toBe('idle');
    expect(edgeState(runWith({}), edge)).toBe('idle');
    expect(edgeState(runWith({ nodes: new Map([nodeState('a', 'running')]) }), edge)).toBe('idle');
  });

  test('is live while its target is running, then taken', () => {
    expect(edgeState(runWith({ firedEdges: fired, nodes: new Map([nodeState('b', 'running')]) }), edge)).toBe('live');
    expect(edgeState(runWith({ firedEdges: fired, nodes: new Map([nodeState('b', 'retrying')]) }), edge)).toBe('live');
    expect(edgeState(runWith({ firedEdges: fired }), edge)).toBe('taken');
    expect(edgeState(runWith({ firedEdges: fired, nodes: new Map([nodeState('b', 'failed')]) }), edge)).toBe('taken');
  });

  test('is not live while the run is paused, although its target has not ended', () => {
    const open = { firedEdges: fired, nodes: new Map([nodeState('b', 'running')]) };
    expect(edgeState(runWith({ ...open, status: 'suspended', pause: { nextNode: 'c', reason: 'paused' } }), edge)).toBe(
      'taken',
    );
    expect(edgeState(runWith({ ...open, pause: { nextNode: undefined, reason: 'paused' } }), edge)).toBe('live');
  });

  test('is tolerated if the flow continues after a failed node', () => {
    const nodes = new Map([nodeState('a', 'failed'), nodeState('b', 'completed')]);
    expect(edgeState(runWith({ firedEdges: fired, nodes }), edge)).toBe('tolerated');
  });

  test('is not taken once it can no longer fire', () => {
    expect(edgeState(runWith({ nodes: new Map([nodeState('a', 'skipped')]) }), edge)).toBe('not-taken');
    expect(edgeState(runWith({ status: 'failed' }), edge)).toBe('not-taken');
    expect(edgeState(runWith({ skippedEdges: fired }), edge)).toBe('not-taken');
  });

  test('is not taken on both sides of a skipped node, although it fired', () => {
    const led = { firedEdges: fired, status: 'completed' } as const;
    for (const skipped of [nodeState('b', 'skipped'), nodeState('a', 'skipped')]) {
      const nodes = new Map([nodeState('a', 'completed'), nodeState('b', 'completed'), skipped]);
      expect(edgeState(runWith({ ...led, nodes }), edge)).toBe('not-taken');
    }
  });

  test('is undecided while its source waits for an answer', () => {
    const nodes = new Map([nodeState('a', 'suspended')]);
    expect(edgeState(runWith({ status: 'suspended', nodes }), edge)).toBe('idle');
  });
});

describe('an edge in the body of a loop', () => {
  const loop: RunEvent[] = [
    { type: 'task:start', taskId: 'node:each', nodeId: 'each', nodeType: 'control.foreach' },
    { type: 'node:input', nodeId: 'each', input: { items: ['x', 'y', 'z'] } },
  ];
  const ran = (nodeId: string): RunEvent[] => [nodeStart(nodeId), nodeComplete(nodeId)];
  const skip = (nodeId: string): RunEvent => ({ type: 'node:skipped', nodeId, reason: 'when' });
  const decide = (item: number, type: 'edge:fired' | 'edge:skipped'): RunEvent => ({
    ...{ type, edgeId: `each[${item}].a->b`, from: `each[${item}].a`, to: `each[${item}].b` },
  });
  /** Uses batches of one event, which is how slow models produce them. */
  function runAfter(...events: readonly RunEvent[]): LiveRun {
    const store = createLiveRuns();
    const teller = createRunTeller('r1');
    for (const event of [...loop, ...events]) teller.tell(event);
    for (const event of teller.events) store.getState().applyEvents([event]);
    return [...store.getState().runs.values()][0]!;
  }
  const [taken, left] = [
    [...ran('each[0].a'), decide(0, 'edge:fired'), ...ran('each[0].b')],
    [...ran('each[1].a'), decide(1, 'edge:skipped'), skip('each[1].b')],
  ];
  const end = [nodeComplete('each'), runEnd('completed')];
  const none = new Map<string, number>();

  test('is taken if it was taken for any item, and shows the selected item', () => {
    const run = runAfter(...taken, ...left, ...end);
    expect(edgeInRun(run, edge, none)).toBe('taken');
    expect([0, 1].map((item) => edgeInRun(run, edge, new Map([['each', item]])))).toEqual(['taken', 'not-taken']);
  });

  test('is not taken if it fired only around a skipped node', () => {
    const ledNowhere = [...ran('each[0].a'), decide(0, 'edge:fired'), skip('each[0].b')];
    const fromNowhere = [skip('each[0].a'), decide(0, 'edge:fired'), ...ran('each[0].b')];
    for (const events of [ledNowhere, fromNowhere]) {
      expect(edgeInRun(runAfter(...events, ...left, ...end), edge, none)).toBe('not-taken');
      expect(edgeInRun(runAfter(...events, ...left, ...taken, ...end), edge, none)).toBe('taken');
    }
  });

  test('is live while its target runs for an item, and undecided while more items may come', () => {
    const working = [...ran('each[2].a'), decide(2, 'edge:fired'), nodeStart('each[2].b')];
    expect(edgeInRun(runAfter(...taken, ...working), edge, none)).toBe('live');
    expect(edgeInRun(runAfter(...left), edge, none)).toBe('idle');
    expect(edgeInRun(runAfter(...left, ...working.slice(0, 2)), edge, none)).toBe('idle');
  });
});
