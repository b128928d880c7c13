/**
 * The layout of the flow on a canvas. Synchronous if at most a small flow must be laid out, or else from the worker.
 */
import { useCallback, useEffect, useMemo, useState } from 'react';
import type { CanvasView } from '../../stores/window/canvases.ts';
import type { FlowProjection } from '../projection/flow-projection.ts';
import type { CanvasLayout, FlowLayout } from '../projection/frames.ts';
import { keepPlaces } from './keep-places.ts';
import { isLaidOutAtOnce, layoutInput, requestLayout } from './layout-flow.ts';
import { computeLayout } from './nested-layout.ts';
import { isPlacedAlike, needsLayout, placeCards } from './place-cards.ts';

const noLayout: FlowLayout = { positions: new Map(), routes: new Map() };

interface ComputedLayout {
  readonly shape: object;
  readonly layout: FlowLayout;
}

type FormerLayout = readonly [FlowProjection, FlowLayout, CanvasLayout];

/**
 * Layouts by the view of a flow. A canvas that is shown again, such as after a child flow or another tab, keeps the
 * positions of its cards.
 */
const formerLayouts = new WeakMap<CanvasView, FormerLayout>();

/**
 * Recomputes all positions when something they depend on changes. Returns null until the first layout of a large flow
 * is available. Later, cards keep their positions until the next layout arrives.
 */
export function useLayout(projection: FlowProjection, view: CanvasView): CanvasLayout | null {
  const [answer, setAnswer] = useState<ComputedLayout | null>(null);
  const { shape, nodes, direction } = projection;
  const isNeeded = needsLayout(projection);
  const isAtOnce = !isNeeded || isLaidOutAtOnce(nodes.length);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the shape represents everything that the layout depends on
  const own = useMemo(() => {
    if (!isAtOnce) return null;
    return isNeeded ? computeLayout(layoutInput(projection, direction)) : noLayout;
  }, [shape, isAtOnce, isNeeded]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the shape represents everything that the layout depends on
  useEffect(() => {
    if (isAtOnce) return undefined;
    let isWanted = true;
    const take = (layout: FlowLayout): void => {
      if (isWanted) setAnswer({ shape, layout });
    };
    requestLayout(layoutInput(projection, direction)).then(take, () =>
      take(computeLayout(layoutInput(projection, direction))),
    );
    return () => {
      isWanted = false;
    };
  }, [shape, isAtOnce]);
  const place = usePlacing(view);
  return useMemo(() => {
    if (own !== null) return place(projection, own);
    if (answer === null) return null;
    if (answer.shape === shape) return place(projection, answer.layout);
    return placeCards(stayingInPlace(projection, answer.layout), noLayout);
  }, [place, projection, own, answer, shape]);
}

/** Wraps `placeCards`. Returns the same object while nothing moves, and moves only the cards that a change requires. */
function usePlacing(view: CanvasView): (projection: FlowProjection, automatic: FlowLayout) => CanvasLayout {
  return useCallback(
    (projection, automatic) => {
      const former = formerLayouts.get(view) ?? null;
      const [projected, laidOut, before] = former ?? [];
      const isAsBefore = projected !== undefined && laidOut === automatic && isPlacedAlike(projected, projection);
      const layout = isAsBefore && before !== undefined ? before : placed(projection, automatic, former);
      formerLayouts.set(view, [projection, automatic, layout]);
      return layout;
    },
    [view],
  );
}

function placed(projection: FlowProjection, automatic: FlowLayout, former: FormerLayout | null): CanvasLayout {
  const isFree = (flow: FlowProjection): boolean => flow.nodes.every(({ position }) => position === null);
  const [before, laidOut, layout] = former ?? [];
  if (before === undefined || layout === undefined || laidOut === automatic) return placeCards(projection, automatic);
  if (!isFree(projection) || !isFree(before)) return placeCards(projection, automatic);
  return keepPlaces(projection, automatic, { projection: before, layout }) ?? placeCards(projection, automatic);
}

/** Until the new layout arrives, each card is treated as fixed at its previous position. */
function stayingInPlace(projection: FlowProjection, { positions }: FlowLayout): FlowProjection {
  const nodes = projection.nodes.map((node) => ({
    ...node,
    position: node.position ?? positions.get(node.id) ?? null,
  }));
  return { ...projection, nodes };
}
