import { describe, expect, test } from 'vitest';
import { emptyRunState, type NodeState, type NodeStatus, type RunState } from '../../../engine/isomorphic.ts';
import { edgeState } from './edge-state.ts';

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

  test('is live while what it led to is at work, then taken', () => {
    expect(edgeState(runWith({ firedEdges: fired, nodes: new Map([nodeState('b', 'running')]) }), edge)).toBe('live');
    expect(edgeState(runWith({ firedEdges: fired, nodes: new Map([nodeState('b', 'retrying')]) }), edge)).toBe('live');
    expect(edgeState(runWith({ firedEdges: fired }), edge)).toBe('taken');
    expect(edgeState(runWith({ firedEdges: fired, nodes: new Map([nodeState('b', 'failed')]) }), edge)).toBe('taken');
  });

  test('tells when it goes on from a node that failed', () => {
    const nodes = new Map([nodeState('a', 'failed'), nodeState('b', 'completed')]);
    expect(edgeState(runWith({ firedEdges: fired, nodes }), edge)).toBe('tolerated');
  });

  test('is not taken once it cannot fire any more', () => {
    expect(edgeState(runWith({ nodes: new Map([nodeState('a', 'skipped')]) }), edge)).toBe('not-taken');
    expect(edgeState(runWith({ status: 'failed' }), edge)).toBe('not-taken');
    expect(edgeState(runWith({ skippedEdges: fired }), edge)).toBe('not-taken');
  });

  test('is not taken on both sides of a node that was skipped, although it fired', () => {
    const led = { firedEdges: fired, status: 'completed' } as const;
    for (const skipped of [nodeState('b', 'skipped'), nodeState('a', 'skipped')]) {
      const nodes = new Map([nodeState('a', 'completed'), nodeState('b', 'completed'), skipped]);
      expect(edgeState(runWith({ ...led, nodes }), edge)).toBe('not-taken');
    }
  });

  test('may still be taken while its source waits for a person', () => {
    const nodes = new Map([nodeState('a', 'suspended')]);
    expect(edgeState(runWith({ status: 'suspended', nodes }), edge)).toBe('idle');
  });
});
