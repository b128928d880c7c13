/**
 * Scrolls to a selected difference whose node the text on screen does not have.
 */
import { useEffect, useEffectEvent } from 'react';
import { nodeOf } from '../../stores/review/review-marks.ts';
import { useReview } from '../../stores/use-review.ts';
import { type FlowWithLayout, outerRect } from '../projection/frames.ts';
import type { Camera } from './camera.ts';

/** @param ghosts ids of the nodes that are only drawn */
export function useShowGhost(
  path: string,
  ghosts: ReadonlySet<string>,
  { projection, layout }: FlowWithLayout,
  camera: Camera,
): void {
  const review = useReview(path);
  const selected = review?.selected ?? null;
  const show = useEffectEvent((key: string) => {
    const difference = review?.differences.find((candidate) => candidate.key === key);
    const id = review === undefined || difference === undefined ? null : nodeOf(review, difference);
    const node = id !== null && ghosts.has(id) ? projection.nodes.find((candidate) => candidate.id === id) : undefined;
    if (node !== undefined) camera.glimpse(outerRect(node, layout));
  });
  useEffect(() => {
    if (selected !== null) show(selected);
  }, [selected]);
}
