import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { testRounds } from '../../../engine/testing/test-rounds.ts';
import { cardMetrics, columnGap } from '../../card/card-metrics.ts';
import { layoutLevel } from './auto-layout.ts';
import type { LayoutEdge, LayoutNode } from './layout-graph.ts';

const height = 67;
const columnStep = cardMetrics.width + columnGap;

function cards(...ids: string[]): LayoutNode[] {
  return ids.map((id) => ({ id, height }));
}

function edgesOf(...pairs: readonly string[]): LayoutEdge[] {
  return pairs.map((pair) => {
    const [source = '', target = ''] = pair.split('>');
    return { id: pair, source, target };
  });
}

function chain(length: number): { nodes: LayoutNode[]; edges: LayoutEdge[] } {
  const ids = Array.from({ length }, (_, index) => `n${index}`);
  return { nodes: cards(...ids), edges: edgesOf(...ids.slice(1).map((id, index) => `n${index}>${id}`)) };
}

/** Any graph, including cycles, edges to missing cards and repeated edges. */
const anyGraph = fc.integer({ min: 1, max: 40 }).chain((count) =>
  fc.record({
    heights: fc.array(fc.integer({ min: 42, max: 300 }), { minLength: count, maxLength: count }),
    pairs: fc.array(fc.tuple(fc.nat(count), fc.nat(count)), { maxLength: 80 }),
  }),
);

function graphOf({ heights, pairs }: { heights: number[]; pairs: [number, number][] }) {
  return {
    nodes: heights.map((cardHeight, index) => ({ id: `n${index}`, height: cardHeight })),
    edges: pairs.map(([from, to], index) => ({ id: `e${index}`, source: `n${from}`, target: `n${to}` })),
  };
}

describe('layoutLevel', () => {
  test('places every card without overlap for any graph', () => {
    fc.assert(
      fc.property(anyGraph, (shape) => {
        const { nodes, edges } = graphOf(shape);
        const { positions } = layoutLevel(nodes, edges);
        const boxes = nodes.map(({ id, height: cardHeight }) => ({ ...positions.get(id)!, cardHeight }));
        expect(boxes.every(({ x, y }) => Number.isFinite(x) && Number.isFinite(y))).toBe(true);
        for (const [index, a] of boxes.entries()) {
          for (const b of boxes.slice(index + 1)) {
            const isBeside = Math.abs(a.x - b.x) >= cardMetrics.width;
            const isAbove = a.y + a.cardHeight <= b.y || b.y + b.cardHeight <= a.y;
            expect(isBeside || isAbove).toBe(true);
          }
        }
      }),
    );
  });

  test('returns the same layout for the same graph', () => {
    fc.assert(
      fc.property(anyGraph, (shape) => {
        const { nodes, edges } = graphOf(shape);
        expect(layoutLevel(nodes, edges)).toEqual(layoutLevel(nodes, edges));
      }),
      { numRuns: testRounds(30) },
    );
  });

  test('places successors to the right', () => {
    const { positions } = layoutLevel(cards('a', 'b', 'c', 'd'), edgesOf('a>b', 'b>d', 'a>c', 'c>d'));
    expect(positions.get('b')?.x).toBe(columnStep);
    expect(positions.get('c')?.x).toBe(columnStep);
    expect(positions.get('d')?.x).toBe(2 * columnStep);
  });

  test('keeps a chain on one level, so that its edges have no bends', () => {
    const { nodes, edges } = chain(5);
    const { positions, routes } = layoutLevel(nodes, edges);
    expect(new Set([...positions.values()].map(({ y }) => y)).size).toBe(1);
    expect([...routes.values()].flat()).toEqual([]);
  });

  test('keeps the ports of neighbors level if their cards differ in height', () => {
    const nodes = [
      { id: 'small', height: 42 },
      { id: 'tall', height: 200 },
    ];
    const { positions } = layoutLevel(nodes, edgesOf('small>tall'));
    expect(positions.get('small')?.y).toBe(positions.get('tall')?.y);
  });

  describe('a card with several branches', () => {
    const split = [{ id: 'split', height: 220 }, ...cards('a', 'b', 'c', 'd')];
    const pairs = edgesOf('split>a', 'split>b', 'split>c', 'split>d');
    const ways = pairs.map((edge, index) => ({ ...edge, out: 90 + index * 28 }));

    test('places one of the successors level with its branch, and connects the others without a crossing', () => {
      const { positions, routes } = layoutLevel(split, ways);
      const rows = ['a', 'b', 'c', 'd'].map((id) => positions.get(id)!.y);
      expect(rows).toEqual(rows.toSorted((a, b) => a - b));
      const top = positions.get('split')!.y;
      const lines = ways.flatMap(({ id, out }) => {
        const [bend] = routes.get(id)!;
        return bend === undefined ? [] : [{ x: bend.x, from: top + out, to: bend.y }];
      });
      expect(lines).toHaveLength(3);
      // If two lines lead down beside each other, the upper one turns further right.
      const down = lines.filter(({ from, to }) => to > from);
      expect(down.length).toBeGreaterThan(1);
      for (const [index, line] of down.slice(1).entries()) {
        const upper = down[index]!;
        expect(upper.x > line.x || upper.to < line.from).toBe(true);
      }
    });

    test('merges edges from many cards to one card into one line', () => {
      const ids = Array.from({ length: 40 }, (_, index) => `s${index}`);
      const { routes } = layoutLevel(cards(...ids, 'end'), edgesOf(...ids.map((id) => `${id}>end`)));
      const turns = ids.flatMap((id) => routes.get(`${id}>end`)!.map(({ x }) => x));
      expect(turns).toHaveLength(39);
      expect(new Set(turns).size).toBe(1);
    });

    test('gives each branch a separate lane past the cards in between', () => {
      const far = [...split, ...cards('end', 'last')];
      const long = edgesOf('split>end', 'split>last').map((edge, index) => ({ ...edge, out: 90 + index * 28 }));
      const { routes } = layoutLevel(far, [...long, ...edgesOf('split>a', 'a>end', 'a>last')]);
      const lanes = long.map(({ id }) => routes.get(id)?.[0]?.y);
      expect(lanes[0]).not.toBe(lanes[1]);
    });
  });

  test('routes a long edge past the card in between instead of underneath', () => {
    const { positions, routes } = layoutLevel(cards('a', 'b', 'c'), edgesOf('a>b', 'b>c', 'a>c'));
    const between = positions.get('b')!;
    const passes = routes.get('a>c')![0]!;
    expect(passes.y < between.y || passes.y > between.y + height).toBe(true);
  });

  test('moves a card without predecessors next to the card that uses it', () => {
    const { positions } = layoutLevel(cards('a', 'b', 'c', 'late'), edgesOf('a>b', 'b>c', 'late>c'));
    expect(positions.get('late')?.x).toBe(columnStep);
  });

  test('breaks a long chain into bands, with about the aspect ratio of a screen', () => {
    const { nodes, edges } = chain(1000);
    const places = [...layoutLevel(nodes, edges).positions.values()];
    const width = Math.max(...places.map(({ x }) => x)) + cardMetrics.width;
    const total = Math.max(...places.map(({ y }) => y)) + height;
    expect(width / total).toBeGreaterThan(1);
    expect(width / total).toBeLessThan(2);
  });

  test('breaks a chain that would be too small to read on one level into bands of about equal length', () => {
    const { nodes, edges } = chain(10);
    const heights = [...layoutLevel(nodes, edges).positions.values()].map(({ y }) => y);
    expect([...new Set(heights)].map((row) => heights.filter((y) => y === row).length)).toEqual([4, 4, 2]);
  });

  test('breaks chains that are below each other only as far as all of them need it', () => {
    const ids = Array.from({ length: 20 }, (_, index) => Array.from({ length: 12 }, (__, step) => `n${index}_${step}`));
    const pairs = ids.flatMap((way) => way.slice(1).map((id, index) => `${way[index]}>${id}`));
    const { positions } = layoutLevel(cards(...ids.flat()), edgesOf(...pairs));
    expect(new Set([...positions.values()].map(({ y }) => y)).size).toBe(20);
  });

  test('does not break a flow if many edges would lead from band to band', () => {
    const layers = Array.from({ length: 10 }, (_, layer) => [0, 1, 2].map((index) => `n${layer}_${index}`));
    const pairs = layers.slice(1).flatMap((layer, index) => {
      return layer.flatMap((target) => (layers[index] ?? []).map((source) => `${source}>${target}`));
    });
    const { positions } = layoutLevel(cards(...layers.flat()), edgesOf(...pairs));
    expect(new Set([...positions.values()].map(({ x }) => x)).size).toBe(10);
  });

  test('routes an edge into the next band around the outside', () => {
    const { nodes, edges } = chain(30);
    const { positions, routes } = layoutLevel(nodes, edges);
    const wrapped = edges.find(({ source, target }) => positions.get(target)!.x < positions.get(source)!.x)!;
    const [out, back] = routes.get(wrapped.id)!;
    expect(out!.x).toBeGreaterThan(positions.get(wrapped.source)!.x + cardMetrics.width);
    expect(back!.x).toBeLessThan(positions.get(wrapped.target)!.x);
    expect(back!.y).toBe(positions.get(wrapped.target)!.y + cardMetrics.portY);
  });

  test('places the root of a tree of hundreds beside its successors, and leaves small trees unchanged', () => {
    const tree = (length: number, children: number) => {
      const ids = Array.from({ length }, (_, index) => `n${index}`);
      const edges = edgesOf(...ids.slice(1).map((id, index) => `n${Math.floor(index / children)}>${id}`));
      return layoutLevel(cards(...ids), edges).positions;
    };
    for (const children of [2, 3, 6]) {
      const positions = tree(300, children);
      const { y = 0 } = positions.get('n0') ?? {};
      for (let child = 1; child <= children; child++) {
        expect(Math.abs((positions.get(`n${child}`)?.y ?? 0) - y)).toBeLessThan(600);
      }
    }
    const small = tree(7, 2);
    expect(small.get('n2')?.y).toBe(small.get('n5')?.y);
  });

  test('does not exhaust the stack on a chain of 20,000', () => {
    const { nodes, edges } = chain(20_000);
    expect(layoutLevel(nodes, edges).positions.size).toBe(20_000);
  });

  test('leaves the edge that closes a cycle without a route', () => {
    const { positions, routes } = layoutLevel(cards('a', 'b'), edgesOf('a>b', 'b>a'));
    expect(positions.get('b')?.x).toBe(columnStep);
    expect(routes.has('b>a')).toBe(false);
  });

  test('places cards without edges in rows below the rest', () => {
    const { positions } = layoutLevel(cards('a', 'b', 'x', 'y'), edgesOf('a>b'));
    expect(positions.get('x')!.y).toBeGreaterThan(positions.get('a')!.y + height);
    expect(positions.get('y')).toEqual({ x: columnStep, y: positions.get('x')!.y });
  });
});
