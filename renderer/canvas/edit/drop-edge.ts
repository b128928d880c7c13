/**
 * The edge into which a dragged card would be put.
 */
import type { NodePosition } from '../../../engine/isomorphic.ts';
import { cardMetrics } from '../../card/card-metrics.ts';
import { edgeCorners, type Point } from '../geometry/edge-path.ts';
import { type CanvasEditor, loopAround } from '../state/canvas-editor.ts';

/** A card's middle part counts, so that one that only grazes an edge is just moved. */
const grazing = 12;

/** Null unless one card alone is dragged that has no edges yet, and lies on an edge of its level. */
export function findDropEdge(
  desk: Pick<CanvasEditor, 'projection' | 'layout' | 'edges'>,
  dragged: ReadonlyMap<string, NodePosition>,
): string | null {
  const [only] = dragged;
  if (only === undefined || dragged.size > 1) return null;
  const [id, place] = only;
  const card = desk.projection.nodes.find((node) => node.id === id);
  const isConnected = desk.edges.some(({ source, target }) => source === id || target === id);
  if (card === undefined || isConnected) return null;
  return edgeUnder(desk, { ...place, height: card.height }, (source) => loopAround(desk, source) === card.loopId);
}

/** The edge that runs through the middle of a card of this place and height. */
export function edgeUnder(
  { edges, projection }: Pick<CanvasEditor, 'projection' | 'edges'>,
  { x, y, height }: NodePosition & { readonly height: number },
  mayHold: (source: string) => boolean,
): string | null {
  const box = {
    left: x + grazing,
    right: x + cardMetrics.width - grazing,
    top: y + grazing,
    bottom: y + height - grazing,
  };
  const under = edges.find(({ source, data }) => {
    if (data === undefined || !mayHold(source)) return false;
    const corners = edgeCorners({ ends: data.routedEnds, route: data.route, direction: projection.direction });
    return corners.some((corner, index) => {
      const next = corners[index + 1];
      return next !== undefined && touches(box, corner, next);
    });
  });
  return under?.id ?? null;
}

/** Edges run across or down only. */
function touches(
  box: { readonly left: number; readonly right: number; readonly top: number; readonly bottom: number },
  from: Point,
  to: Point,
): boolean {
  return (
    Math.max(from.x, to.x) >= box.left &&
    Math.min(from.x, to.x) <= box.right &&
    Math.max(from.y, to.y) >= box.top &&
    Math.min(from.y, to.y) <= box.bottom
  );
}
