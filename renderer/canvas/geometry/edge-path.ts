/**
 * Computes the line of an edge from horizontal and vertical segments with rounded corners.
 */

import { cardMetrics } from '../../card/card-metrics.ts';
import { type FlowDirection, portDepth } from '../../card/card-ports.ts';

import type { Point, Rect } from './rect.ts';

/** A turn of an edge at `x`, after which it continues at height `y`. */
export interface Bend {
  readonly x: number;
  readonly y: number;
}

export interface EdgeEnds {
  readonly sourceX: number;
  readonly sourceY: number;
  readonly targetX: number;
  readonly targetY: number;
}

const cornerRadius = 8;
/** Length in pixels of the straight part that leaves a card. */
const leadOut = 20;
/** Length in pixels of visible line on both sides of a label. */
const labelMargin = 8;
const arrow = { length: 7, halfWidth: 4 } as const;

/** An edge to draw. */
export interface DrawnEdge {
  readonly ends: EdgeEnds;
  /** Empty for a straight edge, null if the layout provided none. */
  readonly route: readonly Bend[] | null;
  readonly direction: FlowDirection;
}

/** Tolerance in pixels, because React Flow measures ports in whole screen pixels. */
const portDeviation = 4;

/**
 * Adapts a route that was made for `planned` to the current ends. The route moves along if both ends moved by the same
 * offset. Returns null if a new route is needed.
 */
export function carriedRoute(route: readonly Bend[] | null, planned: EdgeEnds, ends: EdgeEnds): readonly Bend[] | null {
  const [x, y] = [ends.sourceX - planned.sourceX, ends.sourceY - planned.sourceY];
  const isAlike =
    Math.abs(ends.targetX - planned.targetX - x) < portDeviation &&
    Math.abs(ends.targetY - planned.targetY - y) < portDeviation;
  if (!isAlike || route === null) return null;
  const isInPlace = Math.abs(x) < portDeviation && Math.abs(y) < portDeviation;
  return isInPlace ? route : route.map((bend) => ({ x: bend.x + x, y: bend.y + y }));
}

/** Returns the SVG path of the line, up to the arrowhead. */
export function edgeLine(edge: DrawnEdge): string {
  return roundedPath(edgeCorners(edge));
}

/** Returns the corners of the line, including both ends. It stops where the arrowhead begins. */
export function edgeCorners({ ends, route, direction }: DrawnEdge): Point[] {
  if (direction === 'right') return cornersAcross(ends, route);
  return cornersAcross(turnedEnds(ends), route?.map(turned) ?? null).map(turned);
}

/**
 * Exchanges the axes of an edge's ends. Top-down flows use the same computation as left-to-right ones with the axes
 * exchanged.
 */
export function turnedEnds({ sourceX, sourceY, targetX, targetY }: EdgeEnds): EdgeEnds {
  return { sourceX: sourceY, sourceY: sourceX, targetX: targetY, targetY: targetX };
}

/** Exchanges the axes of a point. */
export function turned({ x, y }: Point): Point {
  return { x: y, y: x };
}

function cornersAcross(ends: EdgeEnds, route: readonly Bend[] | null): Point[] {
  const { sourceX, sourceY, targetX, targetY } = ends;
  const bends = route ?? ownBends(ends);
  const corners = [{ x: sourceX, y: sourceY }];
  let height = sourceY;
  bends.forEach(({ x, y }, index) => {
    const next = index === bends.length - 1 ? targetY : y;
    corners.push({ x, y: height }, { x, y: next });
    height = next;
  });
  corners.push({ x: targetX - arrow.length, y: height });
  return corners;
}

/** The size and preferred position of a label on an edge. */
interface PlacedLabel {
  readonly width: number;
  readonly height: number;
  /** Preferred end, if there is room. */
  readonly side: 'source' | 'target';
}

/** Returns the center of a label on the line. */
export function labelPlace({ ends, route, direction }: DrawnEdge, { width, height, side }: PlacedLabel): Point {
  if (direction === 'right') return placeAcross(ends, route, { width, side });
  return turned(placeAcross(turnedEnds(ends), route?.map(turned) ?? null, { width: height, side }));
}

function placeAcross(
  ends: EdgeEnds,
  route: readonly Bend[] | null,
  { width, side }: Omit<PlacedLabel, 'height'>,
): Point {
  const bends = route ?? ownBends(ends);
  const first = bends[0]?.x ?? ends.targetX - arrow.length;
  const last = bends.at(-1)?.x ?? ends.sourceX;
  const atSource = { from: ends.sourceX, to: first, y: ends.sourceY };
  const atTarget = { from: last, to: ends.targetX - arrow.length, y: ends.targetY };
  const wished = side === 'source' ? atSource : atTarget;
  const other = side === 'source' ? atTarget : atSource;
  const chosen = roomOn(wished) < width && roomOn(other) > roomOn(wished) ? other : wished;
  const inset = Math.min(roomOn(chosen), width + 2 * labelMargin) / 2;
  return { x: chosen === atSource ? chosen.from + inset : chosen.to - inset, y: chosen.y };
}

function roomOn({ from, to }: { readonly from: number; readonly to: number }): number {
  return to - from;
}

/** Returns the SVG path of the arrowhead, which points into the target's port. */
export function edgeHead({ targetX, targetY }: EdgeEnds, direction: FlowDirection): string {
  const { length, halfWidth } = arrow;
  return direction === 'right'
    ? `M${targetX - length} ${targetY - halfWidth}L${targetX} ${targetY}L${targetX - length} ${targetY + halfWidth}Z`
    : `M${targetX - halfWidth} ${targetY - length}L${targetX} ${targetY}L${targetX + halfWidth} ${targetY - length}Z`;
}

/** Turns just before the target, or goes around below the ports if the target is to the left. */
function ownBends({ sourceX, sourceY, targetX, targetY }: EdgeEnds): Bend[] {
  if (targetX - sourceX < 2 * leadOut) {
    const between =
      Math.abs(targetY - sourceY) < 2 * leadOut ? Math.max(sourceY, targetY) + 60 : (sourceY + targetY) / 2;
    return [
      { x: sourceX + leadOut, y: between },
      { x: targetX - leadOut, y: targetY },
    ];
  }
  return Math.abs(targetY - sourceY) < 1 ? [] : [{ x: targetX - leadOut - arrow.length, y: targetY }];
}

function roundedPath(points: readonly Point[]): string {
  const [start] = points;
  if (start === undefined) return '';
  const parts = [`M${start.x} ${start.y}`];
  for (let index = 1; index < points.length; index++) {
    const before = points[index - 1];
    const corner = points[index];
    const after = points[index + 1];
    if (before === undefined || corner === undefined) continue;
    if (after === undefined) {
      parts.push(`L${corner.x} ${corner.y}`);
      continue;
    }
    const radius = Math.min(cornerRadius, distance(before, corner) / 2, distance(corner, after) / 2);
    const enter = towards(corner, before, radius);
    const leave = towards(corner, after, radius);
    parts.push(`L${enter.x} ${enter.y}Q${corner.x} ${corner.y} ${leave.x} ${leave.y}`);
  }
  return parts.join('');
}

function distance(a: Point, b: Point): number {
  return Math.abs(a.x - b.x) + Math.abs(a.y - b.y);
}

function towards(from: Point, to: Point, length: number): Point {
  return { x: from.x + Math.sign(to.x - from.x) * length, y: from.y + Math.sign(to.y - from.y) * length };
}

/** Returns the point halfway along the line of an edge. */
export function middleOf(edge: DrawnEdge): Point {
  const corners = edgeCorners(edge);
  const lengths = corners.map((corner, index) => lengthBetween(corners[index - 1] ?? corner, corner));
  let left = lengths.reduce((sum, length) => sum + length, 0) / 2;
  for (const [index, length] of lengths.entries()) {
    const to = corners[index];
    const from = corners[index - 1] ?? to;
    if (to === undefined || from === undefined) continue;
    if (left <= length && length > 0) {
      const share = left / length;
      return { x: from.x + (to.x - from.x) * share, y: from.y + (to.y - from.y) * share };
    }
    left -= length;
  }
  return corners[0] ?? { x: 0, y: 0 };
}

/** Line segments are always horizontal or vertical. */
function lengthBetween(from: Point, to: Point): number {
  return Math.abs(from.x - to.x) + Math.abs(from.y - to.y);
}

/** Returns the length of an edge's line. */
export function lengthOf(edge: DrawnEdge): number {
  const corners = edgeCorners(edge);
  return corners.reduce((sum, corner, index) => sum + lengthBetween(corners[index - 1] ?? corner, corner), 0);
}

/** The position and size of a card. */
export interface CardBox extends Rect {
  /**
   * Offset of the outgoing edge from the top of the card, or from the left in a top-down flow. Undefined for the
   * default port.
   */
  readonly out?: number | undefined;
}

/**
 * Returns the start and end points of the edge between two cards. They equal the points that React Flow computes for
 * cards it knows.
 */
export function edgeEnds(source: CardBox, target: CardBox, direction: FlowDirection): EdgeEnds {
  const { portY } = cardMetrics;
  const away = portDepth - 1;
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
