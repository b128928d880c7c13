/**
 * Makes room on the canvas by moving boxes that others would overlap.
 */
import type { CardRect } from './rect.ts';

/** Returns the boxes to move, including those that the moved boxes would overlap. */
export function withPushed(boxes: readonly CardRect[], moving: Set<CardRect>, by: number): readonly CardRect[] {
  for (const box of moving) {
    // Elements added to a set during iteration are also visited.
    for (const other of boxes) {
      const covers =
        box.x + by < other.x + other.width &&
        other.x < box.x + by + box.width &&
        box.y < other.y + other.height &&
        other.y < box.y + box.height;
      if (covers && other.x >= box.x) moving.add(other);
    }
  }
  return [...moving];
}
