/**
 * Where edges leave and reach cards: at the sides in a flow that runs to the right, below and above in one that runs down.
 */
import { Position } from '@xyflow/react';
import type { NodePosition } from '../../engine/isomorphic.ts';
import type { EdgeEnds } from '../canvas/geometry/edge-path.ts';
import type { BranchPort } from './card-branches.ts';
import { cardMetrics } from './card-metrics.ts';
import type { FlowDirection } from './flow-direction.ts';

interface Port {
  /** Of a way out: its route. */
  readonly id?: string;
  readonly type: 'source' | 'target';
  readonly position: Position;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface CardPlan {
  readonly source: Port;
  readonly target: Port;
  readonly branches: readonly Port[];
}

/** How far a port stands out of its card, and how long it is. */
const depth = 5;
export const portLength = 12;

/** What has ports: pixels. */
export interface PortedSize {
  readonly width: number;
  readonly height: number;
}

/** The ports of a card so large, as React Flow wants them: edges need not wait until the card was drawn and measured. */
export function cardPorts(
  direction: FlowDirection,
  { width, height }: PortedSize,
  branches: readonly BranchPort[] = [],
): CardPlan {
  const { portY } = cardMetrics;
  if (direction === 'right') {
    const size = { width: depth, height: portLength };
    const source = {
      type: 'source',
      position: Position.Right,
      x: width - 1,
      y: portY - portLength / 2,
      ...size,
    } as const;
    return {
      source,
      target: { type: 'target', position: Position.Left, x: 1 - depth, y: portY - portLength / 2, ...size },
      branches: branches.map(({ route, out }) => ({ ...source, id: route, y: out - portLength / 2 })),
    };
  }
  const size = { width: portLength, height: depth };
  const middle = (width - portLength) / 2;
  const source = { type: 'source', position: Position.Bottom, x: middle, y: height - 1, ...size } as const;
  return {
    source,
    target: { type: 'target', position: Position.Top, x: middle, y: 1 - depth, ...size },
    branches: branches.map(({ route, out }) => ({ ...source, id: route, x: out - portLength / 2 })),
  };
}

/** A card by its place and size. */
export interface CardBox extends NodePosition, PortedSize {
  /** Where an edge leaves, from its top or, in a flow that runs down, from its left side; at its own port when absent. */
  readonly out?: number | undefined;
}

/** Where the edge between two cards begins and ends; the same places that React Flow computes for cards it knows. */
export function edgeEnds(source: CardBox, target: CardBox, direction: FlowDirection): EdgeEnds {
  const { portY } = cardMetrics;
  const away = depth - 1;
  return direction === 'right'
    ? {
        sourceX: source.x + source.width + away,
        sourceY: source.y + (source.out ?? portY),
        targetX: target.x - away,
        targetY: target.y + portY,
      }
    : {
        sourceX: source.x + (source.out ?? source.width / 2),
        sourceY: source.y + source.height + away,
        targetX: target.x + target.width / 2,
        targetY: target.y - away,
      };
}
