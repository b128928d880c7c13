import { describe, expect, test } from 'vitest';
import { cardMetrics } from '../../card/card-metrics.ts';
import { contentOf } from '../../card/testing/test-content.ts';
import type { ProjectedNode } from './flow-projection.ts';
import { cardRect, containerPadding, emptyContainer, loopFrames, outerRect, withFrames } from './frames.ts';

function node(id: string, loopId: string | null, bodySize: number | null = null): ProjectedNode {
  const height = bodySize === null ? 60 : cardMetrics.headerHeight;
  return { id, content: contentOf(id, { bodySize }), height, room: height, loopId, position: null };
}

const header = cardMetrics.headerHeight;

describe('loopFrames', () => {
  test('include the loop, its body and the containers inside, and come before those', () => {
    const nodes = [node('outer', null, 1), node('inner', 'outer', 1), node('leaf', 'inner'), node('free', null)];
    const positions = new Map([
      ['outer', { x: 0, y: 0 }],
      ['inner', { x: 24, y: 64 }],
      ['leaf', { x: 48, y: 128 }],
      ['free', { x: 900, y: 0 }],
    ]);
    expect(loopFrames(nodes, positions)).toEqual([
      { loopId: 'outer', left: 0, top: 0, right: 344, bottom: 236 },
      { loopId: 'inner', left: 24, top: 64, right: 320, bottom: 212 },
    ]);
  });

  test('extend to cards to the left of and above their loop', () => {
    const positions = new Map([
      ['each', { x: 100, y: 100 }],
      ['leaf', { x: 50, y: 60 }],
    ]);
    const [frame] = loopFrames([node('each', null, 1), node('leaf', 'each')], positions);
    expect(frame).toMatchObject({ left: 50 - containerPadding, top: 60 - containerPadding - header });
  });

  test('leave room for cards to grow, but no more than they need', () => {
    const growing = { ...node('leaf', 'each'), room: 60 + 36 };
    const positions = new Map([
      ['each', { x: 0, y: 0 }],
      ['leaf', { x: 24, y: 64 }],
    ]);
    expect(loopFrames([node('each', null, 1), growing], positions)[0]?.bottom).toBe(64 + 96 + 8);
    const still = { ...growing, room: 70 };
    expect(loopFrames([node('each', null, 1), still], positions)[0]?.bottom).toBe(64 + 60 + containerPadding);
  });

  test('have a placeholder for the first node if the body is empty', () => {
    const layout = withFrames([node('each', null, 0)], {
      positions: new Map([['each', { x: 8, y: 9 }]]),
      routes: new Map(),
    });
    expect(outerRect(node('each', null, 0), layout)).toEqual({ x: 8, y: 9, ...emptyContainer });
  });
});

test('a loop is at the corner of its container and has the same width', () => {
  const nodes = [node('each', null, 1), node('leaf', 'each')];
  const layout = withFrames(nodes, {
    positions: new Map([
      ['each', { x: 100, y: 100 }],
      ['leaf', { x: 400, y: 60 }],
    ]),
    routes: new Map(),
  });
  expect(layout.positions.get('each')).toEqual({ x: 100, y: -4 });
  expect(cardRect(nodes[0]!, layout)).toEqual({ x: 100, y: -4, width: 572, height: header });
  expect(cardRect(nodes[1]!, layout)).toEqual({ x: 400, y: 60, width: cardMetrics.width, height: 60 });
});
