import { describe, expect, test } from 'vitest';
import type { NodePosition } from '../../engine/isomorphic.ts';
import { cardMetrics } from './card-metrics.ts';
import type { FlowProjection } from './flow-projection.ts';
import { computeLayout } from './layout/compute-layout.ts';
import { layoutInput } from './layout/layout-flow.ts';
import { placeCards } from './place-cards.ts';
import { contentOf } from './test-content.ts';

const content = contentOf('n');

function projection(places: Record<string, NodePosition | null>, pairs: readonly string[]): FlowProjection {
  return {
    nodes: Object.entries(places).map(([id, position]) => ({
      id,
      content,
      height: 60,
      room: 60,
      loopId: null,
      position,
    })),
    edges: pairs.map((pair) => {
      const [source = '', target = ''] = pair.split('>');
      return { id: pair, source, target, route: null, label: null };
    }),
    direction: 'right',
    shape: {},
  };
}

function placed(flow: FlowProjection) {
  return placeCards(flow, computeLayout(layoutInput(flow, flow.direction)));
}

describe('placeCards', () => {
  test('takes the positions of the file as they are', () => {
    const { positions, routes } = placed(projection({ a: { x: 5, y: 6 }, b: { x: -40, y: 900 } }, ['a>b']));
    expect(Object.fromEntries(positions)).toEqual({ a: { x: 5, y: 6 }, b: { x: -40, y: 900 } });
    expect(routes.size).toBe(0);
  });

  test('lays out a flow without positions', () => {
    const { positions } = placed(projection({ a: null, b: null }, ['a>b']));
    expect(positions.get('a')).toEqual({ x: 0, y: 0 });
    expect(positions.get('b')!.x).toBeGreaterThan(cardMetrics.width);
  });

  test('puts a new card right of its upstream', () => {
    const { positions } = placed(projection({ a: { x: 100, y: 200 }, b: null }, ['a>b']));
    expect(positions.get('b')).toEqual({ x: 100 + cardMetrics.width + 56, y: 200 });
  });

  test('moves new cards down until they cover nothing', () => {
    const far = { x: 304, y: 10 };
    const { positions } = placed(projection({ a: { x: 0, y: 0 }, far, b: null, c: null }, ['a>b', 'a>c']));
    expect(positions.get('b')).toEqual({ x: 304, y: 10 + 60 + 24 });
    expect(positions.get('c')).toEqual({ x: 304, y: 10 + 2 * (60 + 24) });
  });

  test('puts new cards below their upstream, and beside each other, when the flow runs down', () => {
    const flow = projection({ a: { x: 100, y: 200 }, b: null, c: null }, ['a>b', 'a>c']);
    const { positions } = placed({ ...flow, direction: 'down' });
    expect(positions.get('b')).toEqual({ x: 100, y: 200 + 60 + 56 });
    expect(positions.get('c')).toEqual({ x: 100 + cardMetrics.width + 24, y: 200 + 60 + 56 });
  });

  test('leads an edge around a card that stands between its ends', () => {
    const between = { x: 400, y: -10 };
    const flow = projection({ a: { x: 0, y: 0 }, between, b: { x: 800, y: 0 } }, ['a>b']);
    const [first, last] = placed(flow).routes.get('a>b')!;
    expect(first!.y < between.y || first!.y > between.y + 60).toBe(true);
    expect(first!.x).toBeLessThan(between.x);
    expect(last!.x).toBeGreaterThan(between.x + cardMetrics.width);
    expect(last!.y).toBe(20);
  });

  test('leads an edge around a card that is moved into its way, and back when it is moved away', () => {
    const flow = projection({ a: { x: 0, y: 0 }, c: { x: 400, y: 900 }, b: { x: 800, y: 0 } }, ['a>b']);
    const move = (y: number) => ({
      ...flow,
      nodes: flow.nodes.map((node) => (node.id === 'c' ? { ...node, position: { x: 400, y } } : node)),
    });
    expect(placed(flow).routes.has('a>b')).toBe(false);
    expect(placed(move(0)).routes.has('a>b')).toBe(true);
    expect(placed(move(900)).routes.has('a>b')).toBe(false);
  });
});
