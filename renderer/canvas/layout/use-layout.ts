/**
 * The layout of the flow on a canvas: at once where nothing, or only a small flow, must be laid out, else from the worker.
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

interface Answer {
  readonly shape: object;
  readonly layout: FlowLayout;
}

type FormerLayout = readonly [FlowProjection, FlowLayout, CanvasLayout];

/** By the view of a flow: a canvas that comes back, as from a called flow or another tab, has its cards where they were. */
const formerLayouts = new WeakMap<CanvasView, FormerLayout>();

/**
 * Places all cards anew when anything changed that their places depend on. Null until the first layout of a large flow has
 * come; later the cards stay where they are until the next one does.
 */
export function useLayout(projection: FlowProjection, view: CanvasView): CanvasLayout | null {
  const [answer, setAnswer] = useState<Answer | null>(null);
  const { shape, nodes, direction } = projection;
  const isNeeded = needsLayout(projection);
  const isAtOnce = !isNeeded || isLaidOutAtOnce(nodes.length);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the shape stands for all that the layout depends on
  const own = useMemo(() => {
    if (!isAtOnce) return null;
    return isNeeded ? computeLayout(layoutInput(projection, direction)) : noLayout;
  }, [shape, isAtOnce, isNeeded]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the shape stands for all that the layout depends on
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

/** `placeCards` that gives the same object again as long as nothing moves, and moves no more than a change asks for. */
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

/** Until the new layout has come, each card is as good as placed where the former one had it. */
function stayingInPlace(projection: FlowProjection, { positions }: FlowLayout): FlowProjection {
  const nodes = projection.nodes.map((node) => ({
    ...node,
    position: node.position ?? positions.get(node.id) ?? null,
  }));
  return { ...projection, nodes };
}
