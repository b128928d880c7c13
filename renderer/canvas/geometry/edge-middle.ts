import { type DrawnEdge, edgeCorners, type Point } from './edge-path.ts';

/** The point halfway along the line of an edge. */
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

/** Lines run across or down only. */
function lengthBetween(from: Point, to: Point): number {
  return Math.abs(from.x - to.x) + Math.abs(from.y - to.y);
}

/** How long the line of an edge is. */
export function lengthOf(edge: DrawnEdge): number {
  const corners = edgeCorners(edge);
  return corners.reduce((sum, corner, index) => sum + lengthBetween(corners[index - 1] ?? corner, corner), 0);
}
