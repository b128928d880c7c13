/**
 * Aligns cards and distributes them evenly.
 */

import type { NodePosition } from '../../../engine/isomorphic.ts';
import type { Alignment } from '../../stores/window/canvases.ts';
import { boundsOf, type CardRect, type Rect } from './rect.ts';

/**
 * Returns new positions of the boxes that must move. Empty if there are too few to arrange. Aligned boxes that would
 * cover each other, or one of `others`, are moved along their line.
 */
export function arrange(
  boxes: readonly CardRect[],
  to: Alignment,
  others: readonly Rect[] = [],
): ReadonlyMap<string, NodePosition> {
  if (to === 'spread-across') return spread(boxes, 'x', 'width');
  if (to === 'spread-down') return spread(boxes, 'y', 'height');
  const bounds = boundsOf(boxes);
  if (bounds === null || boxes.length < 2) return new Map();
  const isUpright = to === 'left' || to === 'right' || to === 'centre';
  const aligned = boxes.map((box) => ({ ...box, ...alignedPlace(box, bounds, to) }));
  const places = withoutOverlap(
    aligned,
    isUpright ? { axis: 'y', size: 'height' } : { axis: 'x', size: 'width' },
    others,
  );
  return movedOnly(boxes, (box) => places.get(box.id) ?? box);
}

/** Gap in pixels to a box that had to move. */
const gap = 24;

/** Returns positions of boxes on one line, in their order along it, so that none covers another. */
function withoutOverlap(
  boxes: readonly CardRect[],
  { axis, size }: { readonly axis: 'x' | 'y'; readonly size: 'width' | 'height' },
  others: readonly Rect[],
): ReadonlyMap<string, NodePosition> {
  const taken = [...others];
  const places = new Map<string, NodePosition>();
  for (const box of [...boxes].sort((a, b) => a[axis] - b[axis])) {
    let placed: CardRect = box;
    for (let hit = coveredBy(placed, taken); hit !== undefined; hit = coveredBy(placed, taken)) {
      placed = { ...placed, [axis]: Math.round(hit[axis] + hit[size] + gap) };
    }
    taken.push(placed);
    places.set(box.id, { x: placed.x, y: placed.y });
  }
  return places;
}

function coveredBy(box: Rect, taken: readonly Rect[]): Rect | undefined {
  return taken.find(
    (other) =>
      box.x < other.x + other.width &&
      other.x < box.x + box.width &&
      box.y < other.y + other.height &&
      other.y < box.y + box.height,
  );
}

function alignedPlace(box: CardRect, bounds: Rect, to: Alignment): NodePosition {
  switch (to) {
    case 'left':
      return { x: bounds.x, y: box.y };
    case 'right':
      return { x: bounds.x + bounds.width - box.width, y: box.y };
    case 'top':
      return { x: box.x, y: bounds.y };
    case 'bottom':
      return { x: box.x, y: bounds.y + bounds.height - box.height };
    case 'centre':
      return { x: Math.round(bounds.x + (bounds.width - box.width) / 2), y: box.y };
    default:
      return { x: box.x, y: Math.round(bounds.y + (bounds.height - box.height) / 2) };
  }
}

/** The first and last box keep their positions. The gaps between boxes are equal, and negative if the boxes overlap. */
function spread(
  boxes: readonly CardRect[],
  axis: 'x' | 'y',
  size: 'width' | 'height',
): ReadonlyMap<string, NodePosition> {
  const bounds = boundsOf(boxes);
  if (bounds === null || boxes.length < 3) return new Map();
  const inOrder = [...boxes].sort((a, b) => a[axis] - b[axis]);
  const filled = boxes.reduce((sum, box) => sum + box[size], 0);
  const gap = (bounds[size] - filled) / (boxes.length - 1);
  const places = new Map<string, number>();
  let next = bounds[axis];
  for (const box of inOrder) {
    places.set(box.id, Math.round(next));
    next += box[size] + gap;
  }
  return movedOnly(boxes, ({ id, x, y }) => ({ x, y, [axis]: places.get(id) ?? 0 }));
}

function movedOnly(
  boxes: readonly CardRect[],
  placeOf: (box: CardRect) => NodePosition,
): ReadonlyMap<string, NodePosition> {
  return new Map(
    boxes.flatMap((box): [string, NodePosition][] => {
      const place = placeOf(box);
      return place.x === box.x && place.y === box.y ? [] : [[box.id, place]];
    }),
  );
}
