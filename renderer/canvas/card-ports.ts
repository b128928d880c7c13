/**
 * Where edges leave and reach cards: at the sides in a flow that runs to the right, below and above in one that runs down.
 */
import { Position } from '@xyflow/react';
import type { NodePosition } from '../../engine/isomorphic.ts';
import { cardMetrics } from './card-metrics.ts';
import type { EdgeEnds } from './edge-path.ts';

/** Where a flow runs to. */
export type FlowDirection = 'right' | 'down';

interface Port {
  readonly type: 'source' | 'target';
  readonly position: Position;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** How far a port stands out of its card, and how long it is. */
const depth = 5;
const length = 12;

/** The ports of a card so high, as React Flow wants them: edges need not wait until the card was drawn and measured. */
export function cardPorts(direction: FlowDirection, height: number): { readonly source: Port; readonly target: Port } {
  const { width, portY } = cardMetrics;
  if (direction === 'right') {
    const size = { y: portY - length / 2, width: depth, height: length };
    return {
      source: { type: 'source', position: Position.Right, x: width - 1, ...size },
      target: { type: 'target', position: Position.Left, x: 1 - depth, ...size },
    };
  }
  const size = { x: (width - length) / 2, width: length, height: depth };
  return {
    source: { type: 'source', position: Position.Bottom, y: height - 1, ...size },
    target: { type: 'target', position: Position.Top, y: 1 - depth, ...size },
  };
}

/** A card by its place and size. */
export interface CardBox extends NodePosition {
  readonly height: number;
}

/** Where the edge between two cards begins and ends; the same places that React Flow computes for cards it knows. */
export function edgeEnds(source: CardBox, target: CardBox, direction: FlowDirection): EdgeEnds {
  const { width, portY } = cardMetrics;
  const out = depth - 1;
  return direction === 'right'
    ? {
        sourceX: source.x + width + out,
        sourceY: source.y + portY,
        targetX: target.x - out,
        targetY: target.y + portY,
      }
    : {
        sourceX: source.x + width / 2,
        sourceY: source.y + source.height + out,
        targetX: target.x + width / 2,
        targetY: target.y - out,
      };
}
