import { describe, expect, test } from 'vitest';
import { contentOf } from '../../card/testing/test-content.ts';
import type { ProjectedNode } from '../projection/flow-projection.ts';
import type { FlowWithLayout } from '../projection/frames.ts';
import { withFrames } from '../projection/frames.ts';
import { draggedFrames, findBodyDrop, loopAt } from './drop-target.ts';

function node(id: string, loopId: string | null, bodySize: number | null = null): ProjectedNode {
  const height = bodySize === null ? 60 : 40;
  return { id, content: contentOf(id, { bodySize }), height, room: height, loopId, position: null };
}

/** A loop with two cards below each other, an empty loop, and a free card. */
const placed: FlowWithLayout = (() => {
  const nodes = [
    node('each', null, 2),
    node('a', 'each'),
    node('b', 'each'),
    node('none', null, 0),
    node('free', null),
  ];
  const positions = new Map([
    ['each', { x: 0, y: 0 }],
    ['a', { x: 24, y: 64 }],
    ['b', { x: 24, y: 158 }],
    ['none', { x: 600, y: 0 }],
    ['free', { x: 600, y: 400 }],
  ]);
  const layout = withFrames(nodes, { positions, routes: new Map() });
  return { projection: { nodes, edges: [], direction: 'right', shape: {} }, layout };
})();

function dropOf(id: string, x: number, y: number) {
  const drop = findBodyDrop(placed, new Map([[id, { x, y }]]));
  return drop === null ? null : [drop.from, drop.to];
}

describe('findBodyDrop', () => {
  test('a card stays in the body if it is moved a little, even if the remaining container would not reach it', () => {
    expect(dropOf('b', 60, 200)).toBeNull();
    expect(dropOf('b', 24, 238)).toBeNull();
  });

  test('a card leaves the body once it no longer touches the container', () => {
    expect(dropOf('b', 24, 300)).toEqual(['each', null]);
  });

  test('a card joins a body, even an empty one', () => {
    expect(dropOf('free', 30, 100)).toEqual([null, 'each']);
    expect(dropOf('free', 620, 40)).toEqual([null, 'none']);
    expect(dropOf('a', 620, 40)).toEqual(['each', 'none']);
  });
});

test('a container follows a dragged card, and expands for one that would join', () => {
  const dragged = new Map([['free', { x: 620, y: 60 }]]);
  const frames = draggedFrames(placed, dragged, { ids: new Set(['free']), from: null, to: 'none' });
  expect(frames?.find(({ loopId }) => loopId === 'none')).toMatchObject({ left: 596, top: -4, bottom: 144 });
  const moved = draggedFrames(placed, new Map([['b', { x: 24, y: 178 }]]), null);
  expect(moved?.find(({ loopId }) => loopId === 'each')?.bottom).toBe(178 + 60 + 24);
});

test('a position belongs to the innermost container around it', () => {
  expect([
    loopAt(placed, { x: 10, y: 50 }),
    loopAt(placed, { x: 700, y: 100 }),
    loopAt(placed, { x: 400, y: 5 }),
  ]).toEqual(['each', 'none', null]);
});
