import { expect, test } from 'vitest';
import { cardMetrics } from './card-metrics.ts';
import type { ProjectedNode } from './flow-projection.ts';
import { loopFrames } from './loop-frames.ts';
import { contentOf } from './test-content.ts';

function node(id: string, loopId: string | null): ProjectedNode {
  return { id, content: contentOf(id), height: 60, room: 60, loopId, position: null };
}

test('a frame holds the loop, its body and the frames inside, and is drawn before these', () => {
  const nodes = [node('outer', null), node('inner', 'outer'), node('leaf', 'inner'), node('free', null)];
  const positions = new Map([
    ['outer', { x: 0, y: 0 }],
    ['inner', { x: 0, y: 100 }],
    ['leaf', { x: 0, y: 200 }],
    ['free', { x: 900, y: 0 }],
  ]);
  expect(loopFrames(nodes, positions)).toEqual([
    { loopId: 'outer', left: -24, top: -12, right: cardMetrics.width + 24, bottom: 284 },
    { loopId: 'inner', left: -12, top: 88, right: cardMetrics.width + 12, bottom: 272 },
  ]);
});
