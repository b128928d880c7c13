import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cardMetrics } from '../../card/card-metrics.ts';
import type { FlowDirection } from '../../card/card-ports.ts';
import { contentOf } from '../../card/testing/test-content.ts';
import type { FlowProjection } from '../projection/flow-projection.ts';
import { layoutFlow } from './layout-flow.ts';

function flowOf(heights: readonly number[], pairs: readonly (readonly [number, number])[]): FlowProjection {
  return {
    nodes: heights.map((height, index) => ({
      id: `n${index}`,
      content: contentOf(`n${index}`),
      height,
      room: height,
      loopId: null,
      position: null,
    })),
    edges: pairs.map(([from, to], index) => ({
      id: `e${index}`,
      source: `n${from}`,
      target: `n${to}`,
      route: null,
      label: null,
    })),
    direction: 'right',
    shape: {},
  };
}

const chain = flowOf(
  [60, 60, 60, 60],
  [
    [0, 1],
    [1, 2],
    [2, 3],
  ],
);
const nowhere = new Map();

describe('layoutFlow', () => {
  test('places successors to the right, or below', async () => {
    const across = await layoutFlow({ projection: chain, direction: 'right', positions: nowhere });
    expect([...across.values()].map(({ y }) => y)).toEqual([0, 0, 0, 0]);
    expect(across.get('n1')!.x).toBeGreaterThan(cardMetrics.width);
    const down = await layoutFlow({ projection: chain, direction: 'down', positions: nowhere });
    expect([...down.values()].map(({ x }) => x)).toEqual([0, 0, 0, 0]);
    expect(down.get('n1')!.y).toBeGreaterThan(60);
  });

  test('moves only the selected cards, and keeps their corner in place', async () => {
    const positions = new Map([
      ['n1', { x: 900, y: 500 }],
      ['n2', { x: 700, y: 800 }],
    ]);
    const only = new Set(['n1', 'n2']);
    const moved = await layoutFlow({ projection: chain, direction: 'down', positions, only });
    expect([...moved.keys()]).toEqual(['n1', 'n2']);
    expect(moved.get('n1')).toEqual({ x: 700, y: 500 });
    expect(moved.get('n2')).toMatchObject({ x: 700 });
    expect(moved.get('n2')!.y).toBeGreaterThan(560);
  });

  test('places no card over another in either direction, at whole pixels', async () => {
    const anyFlow = fc.record({
      heights: fc.array(fc.integer({ min: 42, max: 300 }), { minLength: 1, maxLength: 25 }),
      pairs: fc.array(fc.tuple(fc.nat(24), fc.nat(24)), { maxLength: 50 }),
      direction: fc.constantFrom<FlowDirection>('right', 'down'),
    });
    await fc.assert(
      fc.asyncProperty(anyFlow, async ({ heights, pairs, direction }) => {
        const places = await layoutFlow({ projection: flowOf(heights, pairs), direction, positions: nowhere });
        const boxes = heights.map((height, index) => ({ ...places.get(`n${index}`)!, height }));
        for (const [index, a] of boxes.entries()) {
          expect(Number.isInteger(a.x) && Number.isInteger(a.y)).toBe(true);
          for (const b of boxes.slice(index + 1)) {
            const isBeside = Math.abs(a.x - b.x) >= cardMetrics.width;
            expect(isBeside || a.y + a.height <= b.y || b.y + b.height <= a.y).toBe(true);
          }
        }
      }),
    );
  });
});
