import { expect, test } from 'vitest';
import { emptyRunState, type JsonValue, type NodeState, type RunState } from '../../engine/isomorphic.ts';
import { takenBranch } from './card-state.ts';
import { contentOf } from './testing/test-content.ts';

const content = contentOf('route', {
  branches: [
    { route: 'minor', edges: ['route->a'], targets: ['a'] },
    { route: 'major', edges: ['route->b'], targets: ['b'] },
    { route: 'default', edges: [], targets: [] },
  ],
});

function runWith(place: string, node: Partial<NodeState>, fired: readonly string[] = []): RunState {
  const state: NodeState = { nodeId: place, status: 'completed', attempts: 1, text: '', ...node };
  return { ...emptyRunState, nodes: new Map([[place, state]]), firedEdges: new Set(fired) };
}

/** As returned by the store: only a reference to a large value. */
const elsewhere: JsonValue = { $value: 'abc', bytes: 90_000, preview: '', type: 'object' };

test.each<[RunState, string, string | null]>([
  [runWith('route', { output: { route: 'major', value: 1 } }), 'route', 'major'],
  [runWith('each[2].route', { output: { route: 'minor', value: 1 } }), 'each[2].route', 'minor'],
  [runWith('route', { output: elsewhere }, ['route->b']), 'route', 'major'],
  [runWith('each[2].route', { output: elsewhere }, ['each[2].route->a']), 'each[2].route', 'minor'],
  [runWith('route', { output: elsewhere }), 'route', 'default'],
  [runWith('route', { status: 'running' }), 'route', null],
  [emptyRunState, 'route', null],
])('the way that was taken is known from the output, else from the edges: %#', (run, place, taken) => {
  expect(takenBranch(run, place, content)).toBe(taken);
});
