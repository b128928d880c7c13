/**
 * Shows what is under review: all of it when the review opens, and a selected difference whose node the text on screen
 * does not have.
 */
import { useStore as useFlowStore } from '@xyflow/react';
import { useEffect, useEffectEvent, useMemo } from 'react';
import type { Review } from '../../stores/review/review.ts';
import { marksOf } from '../../stores/review/review-marks.ts';
import { nameOfEdge } from '../../stores/review/reviewed-flow.ts';
import { useReview } from '../../stores/use-review.ts';
import type { CanvasView } from '../../stores/window/canvases.ts';
import type { FlowProjection } from '../projection/flow-projection.ts';
import { type FlowWithLayout, outerRect } from '../projection/frames.ts';
import type { Camera } from './camera.ts';

interface ShownReview extends FlowWithLayout {
  readonly camera: Camera;
  readonly view: CanvasView;
  /** The selected node that is only drawn, or null. */
  readonly ghost: string | null;
}

export function useShowReview(path: string, { projection, layout, camera, view, ghost }: ShownReview): void {
  const review = useReview(path);
  const at = review?.at;
  const width = useFlowStore((state) => state.width);
  const height = useFlowStore((state) => state.height);
  const ids = useMemo(() => (review === undefined ? noIds : changedNodes(review, projection)), [review, projection]);
  // The layout of a large flow arrives after its cards.
  const isPlaced = [...ids].every((id) => layout.positions.has(id));
  const showAll = useEffectEvent((opened: number) => {
    if (view.review === opened && view.look !== 'review') return;
    view.review = opened;
    if (ids.size > 0) camera.fitReview(ids);
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: each of them is a reason to fit again
  useEffect(() => {
    if (at !== undefined && isPlaced && width > 0) showAll(at);
  }, [at, isPlaced, width, height]);
  const showGhost = useEffectEvent((id: string) => {
    const node = projection.nodes.find((candidate) => candidate.id === id);
    if (node !== undefined) camera.glimpse(outerRect(node, layout));
  });
  useEffect(() => {
    if (ghost !== null) showGhost(ghost);
  }, [ghost]);
}

const noIds: ReadonlySet<string> = new Set();

/** Returns the drawn nodes with changes, in the order of the list. Moved ones only if nothing else changes. */
function changedNodes(review: Review, { nodes, edges }: FlowProjection): ReadonlySet<string> {
  const drawn = new Set(nodes.map(({ id }) => id));
  const marks = marksOf(review);
  const shown = [...marks.nodes].filter(([id]) => drawn.has(id));
  const changed = shown.filter(([, { kind }]) => kind !== 'layout').map(([id]) => id);
  const ends = edges.flatMap(({ id, target }) => (marks.edges.has(nameOfEdge(id)) ? [target] : []));
  const [main, others] = [[...changed, ...ends], shown.map(([id]) => id)];
  return new Set(main.length === 0 ? others : main);
}
