import { describe, expect, test } from 'vitest';
import type { NodePosition } from '../../../engine/isomorphic.ts';
import { cardMetrics } from '../../card/card-metrics.ts';
import { contentOf } from '../../card/testing/test-content.ts';
import type { FlowProjection } from '../projection/flow-projection.ts';
import { layoutInput } from './layout-flow.ts';
import { computeLayout } from './nested-layout.ts';
import { placeCards } from './place-cards.ts';

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
  test('uses the positions of the file as they are', () => {
    const { positions } = placed(projection({ a: { x: 5, y: 6 }, b: { x: -40, y: 900 } }, ['a>b']));
    expect(Object.fromEntries(positions)).toEqual({ a: { x: 5, y: 6 }, b: { x: -40, y: 900 } });
  });

  test('lays out a flow without positions', () => {
    const { positions } = placed(projection({ a: null, b: null }, ['a>b']));
    expect(positions.get('a')).toEqual({ x: 0, y: 0 });
    expect(positions.get('b')!.x).toBeGreaterThan(cardMetrics.width);
  });

  test('keeps the cards of a group together, and routes edges past them', () => {
    const flow = projection({ a: null, b: null, c: null, d: null }, ['a>b', 'a>c', 'b>d', 'd>c']);
    const grouped = flow.nodes.map((node) => ('ab'.includes(node.id) ? { ...node, groupId: 'g' } : node));
    const { positions, routes } = placed({ ...flow, nodes: grouped });
    const [a, b, d] = ['a', 'b', 'd'].map((id) => positions.get(id)!);
    expect([b!.y, d!.x > b!.x + cardMetrics.width + 20]).toEqual([a!.y, true]);
    expect(routes.get('a>b')).toEqual([]);
    const [way] = routes.get('a>c') ?? [];
    expect(way!.y < b!.y || way!.y > b!.y + 60).toBe(true);
  });

  test('places a new card to the right of its predecessor', () => {
    const { positions } = placed(projection({ a: { x: 100, y: 200 }, b: null }, ['a>b']));
    expect(positions.get('b')).toEqual({ x: 100 + cardMetrics.width + 56, y: 200 });
  });

  test('moves new cards down until they cover nothing', () => {
    const far = { x: 304, y: 10 };
    const { positions } = placed(projection({ a: { x: 0, y: 0 }, far, b: null, c: null }, ['a>b', 'a>c']));
    expect(positions.get('b')).toEqual({ x: 304, y: 10 + 60 + 24 });
    expect(positions.get('c')).toEqual({ x: 304, y: 10 + 2 * (60 + 24) });
  });

  test('places new cards below their predecessor and beside each other in a top-down flow', () => {
    const flow = projection({ a: { x: 100, y: 200 }, b: null, c: null }, ['a>b', 'a>c']);
    const { positions } = placed({ ...flow, direction: 'down' });
    expect(positions.get('b')).toEqual({ x: 100, y: 200 + 60 + 56 });
    expect(positions.get('c')).toEqual({ x: 100 + cardMetrics.width + 24, y: 200 + 60 + 56 });
  });

  test('routes an edge around a card between its ends', () => {
    const between = { x: 400, y: -10 };
    const flow = projection({ a: { x: 0, y: 0 }, between, b: { x: 800, y: 0 } }, ['a>b']);
    const [first, last] = placed(flow).routes.get('a>b')!;
    expect(first!.y < between.y || first!.y > between.y + 60).toBe(true);
    expect(first!.x).toBeLessThan(between.x);
    expect(last!.x).toBeGreaterThan(between.x + cardMetrics.width);
    expect(last!.y).toBe(20);
  });

  test('routes an edge around a card that is moved into its way, and restores the route when the card is moved away', () => {
    const flow = projection({ a: { x: 0, y: 0 }, c: { x: 400, y: 900 }, b: { x: 800, y: 0 } }, ['a>b']);
    const move = (y: number) => ({
      ...flow,
      nodes: flow.nodes.map((node) => (node.id === 'c' ? { ...node, position: { x: 400, y } } : node)),
    });
    expect(placed(flow).routes.has('a>b')).toBe(false);
    expect(placed(move(0)).routes.has('a>b')).toBe(true);
    expect(placed(move(900)).routes.has('a>b')).toBe(false);
  });

  test('routes an edge back to a lower card between the two cards, or beside them in a container', () => {
    const loop = { id: 'loop', content: contentOf('loop', { bodySize: 2 }), height: 40, room: 40, loopId: null };
    const flow = projection({ a: { x: 24, y: 64 }, b: { x: 24, y: 180 } }, ['a>b']);
    const inLoop = (loopId: string | null): FlowProjection => ({
      ...flow,
      shape: {},
      nodes: [
        { ...loop, position: loopId === null ? { x: 2000, y: 0 } : { x: 0, y: 0 } },
        ...flow.nodes.map((node) => ({ ...node, loopId })),
      ],
    });
    const [out, back] = placed(inLoop('loop')).routes.get('a>b')!;
    expect(out!.y).toBe((64 + 60 + 180) / 2);
    // Within the padding of the container.
    expect(out!.x).toBeLessThan(24 + cardMetrics.width + 24);
    expect(back!.x).toBeGreaterThan(0);
    const [free] = placed(inLoop(null)).routes.get('a>b')!;
    expect(free!.y).toBe(out!.y);
    expect(free!.x).toBeGreaterThan(out!.x);
  });

  test('offsets the turns of edges that leave a card from different rows', () => {
    const flow = projection({ a: { x: 0, y: 0 }, b: { x: 304, y: 200 }, c: { x: 304, y: 300 } }, ['a>b', 'a>c']);
    const branches = ['up', 'low'].map((route) => ({ route, edges: [], targets: [] }));
    const [first, ...rest] = flow.nodes;
    const split = { ...first!, content: contentOf('a', { branches }), height: 124, room: 124 };
    const edges = flow.edges.map((edge, index) => ({ ...edge, route: branches[index]!.route }));
    const { routes } = placed({ ...flow, nodes: [split, ...rest], edges });
    const [upper, lower] = ['a>b', 'a>c'].map((id) => routes.get(id)![0]!);
    expect(upper!.x).toBeGreaterThan(lower!.x);
    expect([upper!.y, lower!.y]).toEqual([220, 320]);
  });

  test('routes an edge around a container, but not around the one that contains it', () => {
    const nodes = projection({ a: { x: 0, y: 0 }, in: { x: 424, y: -40 }, b: { x: 1000, y: 0 } }, ['a>b']);
    const loop = {
      ...nodes.nodes[0]!,
      id: 'loop',
      content: contentOf('loop', { bodySize: 1 }),
      height: 40,
      position: { x: 400, y: -104 },
    };
    const withBody = (loopId: string | null) =>
      nodes.nodes.map((node) => (node.id === 'in' ? { ...node, loopId } : node));
    const [bend] = placed({ ...nodes, shape: {}, nodes: [loop, ...withBody('loop')] }).routes.get('a>b')!;
    expect(bend!.y < -104 || bend!.y > 44).toBe(true);
  });

  test('places new cards after a container, and new cards of a body inside it', () => {
    const flow = projection({ in: { x: 24, y: 64 }, more: null, after: null }, ['loop>after']);
    const loop = {
      ...flow.nodes[0]!,
      id: 'loop',
      content: contentOf('loop', { bodySize: 2 }),
      height: 40,
      room: 40,
      position: { x: 0, y: 0 },
    };
    const nodes = flow.nodes.map((node) => (node.id === 'after' ? node : { ...node, loopId: 'loop' }));
    const { positions, frames } = placed({ ...flow, nodes: [loop, ...nodes] });
    const frame = frames.get('loop')!;
    expect(positions.get('after')!.x).toBeGreaterThan(frame.right);
    expect(positions.get('more')).toEqual({ x: 24, y: 64 + 60 + 24 });
    expect(frame.bottom).toBe(64 + 60 + 24 + 60 + 24);
  });
});
