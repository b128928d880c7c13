import { describe, expect, test } from 'vitest';
import { edgeEnds } from '../canvas/geometry/edge-path.ts';
import { nodeTypes } from '../stores/flow/node-types.ts';
import { branchesOf } from './card-content.ts';
import { cardMetrics } from './card-metrics.ts';
import { branchPorts, outOf } from './card-ports.ts';
import { branchRowHeight, restHeight } from './card-sections.ts';
import { contentOf } from './testing/test-content.ts';

function withWays(count: number) {
  const branches = Array.from({ length: count }, (_, index) => ({ route: `way${index}`, edges: [], targets: [] }));
  return contentOf('route', { branches, sentenceLines: 1 });
}

describe('branchesOf', () => {
  const input = {
    value: 1,
    cases: [
      { when: { and: [] }, route: 'major' },
      { when: { and: [] }, route: 'minor' },
    ],
  };
  const edges = [
    { id: 'route->b', target: 'Build', route: 'minor' },
    { id: 'route->c', target: 'c', route: 'minor' },
    { id: 'route->d', target: 'd', route: null },
  ];

  test('returns each branch in file order, and default, with their targets', () => {
    expect(branchesOf({ input }, nodeTypes.get('control.switch'), edges)).toEqual([
      { route: 'major', edges: [], targets: [] },
      { route: 'minor', edges: ['route->b', 'route->c'], targets: ['Build', 'c'] },
      { route: 'default', edges: [], targets: [] },
    ]);
  });

  test('a rejection without an edge fails the node, unless another condition may handle it', () => {
    const refusal = (routes: readonly (string | null)[]) =>
      branchesOf(
        { input: {} },
        nodeTypes.get('human_approval'),
        routes.map((route, index) => ({ id: `ask->${index}`, target: 'a', route })),
      ).find(({ route }) => route === 'rejected')?.isRefusal;
    expect([refusal(['approved']), refusal([]), refusal(['approved', 'rejected']), refusal([null])]).toEqual([
      true,
      true,
      undefined,
      undefined,
    ]);
  });

  test('returns none if the cases are known only at run time, and none for other types', () => {
    expect(branchesOf({ input: { cases: '{{a.cases}}' } }, nodeTypes.get('control.switch'), edges)).toEqual([]);
    expect(branchesOf({ input }, nodeTypes.get('echo'), edges)).toEqual([]);
    expect(branchesOf({ input }, undefined, edges)).toEqual([]);
  });
});

describe('the ports of branches', () => {
  test('are in the middle of their rows, below the summary', () => {
    expect(branchPorts(withWays(3), 'right').map(({ out }) => out)).toEqual([81, 109, 137]);
    expect(restHeight(withWays(3))).toBe(152);
  });

  test('stay within the card, in lower rows, if there are many', () => {
    const many = withWays(12);
    const last = branchPorts(many, 'right').at(-1)!;
    expect(branchRowHeight(12)).toBe(cardMetrics.compactBranchHeight);
    expect(last.out + branchRowHeight(12) / 2).toBe(restHeight(many) - cardMetrics.border);
    expect(branchPorts(withWays(0), 'right')).toEqual([]);
  });

  test.each([1, 2, 3, 8])('are side by side at the bottom in a top-down flow: %i', (count) => {
    const places = branchPorts(withWays(count), 'down').map(({ out }) => out);
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    // The card's default port is in the middle.
    const all = [0, ...places, cardMetrics.width / 2, cardMetrics.width].sort((a, b) => a - b);
    for (const [index, place] of all.slice(1).entries()) expect(place - all[index]!).toBeGreaterThanOrEqual(20);
  });

  test('are where edges leave', () => {
    const content = withWays(2);
    const box = { x: 100, y: 200, width: cardMetrics.width, height: 124 };
    const across = edgeEnds({ ...box, out: outOf(content, 'way1', 'right') }, box, 'right');
    expect([across.sourceX, across.sourceY, across.targetY]).toEqual([352, 309, 220]);
    const own = edgeEnds({ ...box, out: outOf(content, null, 'right') }, box, 'right');
    expect(own.sourceY).toBe(220);
    const down = edgeEnds({ ...box, out: outOf(content, 'way0', 'down') }, box, 'down');
    expect([down.sourceX, down.sourceY]).toEqual([162, 328]);
  });
});
