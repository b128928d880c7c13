/**
 * Where edges leave and reach cards: at the sides in a left-to-right flow, at the bottom and top in a top-down one.
 */
import { Position } from '@xyflow/react';
import { failureBranch } from '../stores/flow/branches.ts';
import type { CardContent } from './card-content.ts';
import { cardMetrics } from './card-metrics.ts';
import { branchRowHeight, cardSections, restHeight, sectionTop } from './card-sections.ts';

/** Direction of a flow. */
export type FlowDirection = 'right' | 'down';

interface Port {
  /** The branch, as defined in `branches.ts`. */
  readonly id?: string;
  readonly type: 'source' | 'target';
  readonly position: Position;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

interface CardPlan {
  readonly source: Port;
  readonly target: Port;
  readonly branches: readonly Port[];
}

/** How far a port protrudes from its card, and its length. */
export const portDepth = 5;
export const portLength = 12;

/** Size in pixels of an element with ports. */
interface PortedSize {
  readonly width: number;
  readonly height: number;
}

/**
 * Returns the ports of a card of this size for React Flow, so that edges need not wait until the card is rendered and
 * measured.
 */
export function cardPorts(
  direction: FlowDirection,
  { width, height }: PortedSize,
  branches: readonly BranchPort[] = [],
): CardPlan {
  const { portY } = cardMetrics;
  if (direction === 'right') {
    const size = { width: portDepth, height: portLength };
    const source = {
      type: 'source',
      position: Position.Right,
      x: width - 1,
      y: portY - portLength / 2,
      ...size,
    } as const;
    return {
      source,
      target: { type: 'target', position: Position.Left, x: 1 - portDepth, y: portY - portLength / 2, ...size },
      branches: branches.map(({ route, out }) => ({ ...source, id: route, y: out - portLength / 2 })),
    };
  }
  const size = { width: portLength, height: portDepth };
  const middle = (width - portLength) / 2;
  const source = { type: 'source', position: Position.Bottom, x: middle, y: height - 1, ...size } as const;
  return {
    source,
    target: { type: 'target', position: Position.Top, x: middle, y: 1 - portDepth, ...size },
    branches: branches.map(({ route, out }) => ({ ...source, id: route, x: out - portLength / 2 })),
  };
}

/** The port of a branch. */
interface BranchPort {
  readonly route: string;
  /** Pixels to its center, from the card's top or, in a top-down flow, from its left side. */
  readonly out: number;
}

/**
 * Returns the ports of a card's branches: each in the middle of its row, or side by side at the bottom, left and right
 * of the default port.
 */
export function branchPorts(content: CardContent, direction: FlowDirection): readonly BranchPort[] {
  const { branches } = content;
  const count = branches.length;
  if (count === 0) return [];
  // A container has no rows, so its ports are below its header.
  if (content.bodySize !== null && direction === 'right') {
    const { headerHeight, branchHeight } = cardMetrics;
    return branches.map(({ route }, index) => ({ route, out: headerHeight + (index + 0.5) * branchHeight }));
  }
  if (direction === 'down') return branches.map(({ route }, index) => ({ route, out: placeAtFoot(index, count) }));
  const height = branchRowHeight(count);
  // Below the hairline above the rows.
  const top = sectionTop(cardSections(content), 'branches') + 1;
  return branches.map(({ route }, index) => ({ route, out: top + (index + 0.5) * height }));
}

function placeAtFoot(index: number, count: number): number {
  const half = cardMetrics.width / 2;
  const left = Math.ceil(count / 2);
  return index < left ? (half * (index + 1)) / (left + 1) : half + (half * (index - left + 1)) / (count - left + 1);
}

/** Returns where the edges of a branch leave. Undefined for the card's default port. */
export function outOf(content: CardContent, route: string | null, direction: FlowDirection): number | undefined {
  if (route === null) return undefined;
  const port = branchPorts(content, direction).find((known) => known.route === route);
  return port === undefined && route === failureBranch ? offeredFailure(content, direction) : port?.out;
}

/** Returns the position of the button that adds a failure port: near the card's bottom, away from the other ports. */
function offeredFailure(content: CardContent, direction: FlowDirection): number {
  const { width, headerHeight } = cardMetrics;
  if (direction === 'down') return width - portLength;
  if (content.bodySize !== null) return headerHeight + portLength;
  const height = restHeight(content);
  return content.branches.length > 0 ? height + portLength : height - portLength;
}
