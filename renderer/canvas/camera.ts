/**
 * Moves of the viewport.
 */
import { useReactFlow, useStore, useStoreApi } from '@xyflow/react';
import { useEffect, useMemo } from 'react';
import type { CanvasView } from './canvas-view.ts';
import { cardMetrics } from './card-metrics.ts';

export interface Camera {
  zoomIn(): void;
  zoomOut(): void;
  zoomTo100(): void;
  /** Fits all cards, or those given. */
  fit(ids?: ReadonlySet<string>): void;
  /** Brings a card into view, if it is not. */
  reveal(card: { readonly x: number; readonly y: number; readonly height: number }): void;
}

export const leastZoom = 0.05;
export const mostZoom = 2;

/** Room around the cards, with that of the bar at the foot; a small flow is not blown up. */
export const fitOptions = {
  padding: { top: '40px', right: '48px', bottom: '76px', left: '48px' },
  maxZoom: 1,
} as const;

const moveMs = 180;

/** Instant for people who asked their system for less motion. */
function pace(): { duration: number } {
  return { duration: matchMedia('(prefers-reduced-motion: reduce)').matches ? 0 : moveMs };
}

export function useCamera(view: CanvasView): Camera {
  const flow = useReactFlow();
  const store = useStoreApi();
  return useMemo(() => {
    const move = (change: () => Promise<boolean>): void => {
      view.hasMoved = true;
      void change();
    };
    return {
      zoomIn: () => move(() => flow.zoomIn(pace())),
      zoomOut: () => move(() => flow.zoomOut(pace())),
      zoomTo100: () => move(() => flow.zoomTo(1, pace())),
      fit(ids) {
        const isAll = ids === undefined || ids.size === 0;
        const some = isAll ? {} : { nodes: [...ids].map((id) => ({ id })) };
        view.hasMoved = !isAll;
        void flow.fitView({ ...pace(), ...some, ...fitOptions });
      },
      reveal({ x, y, height }) {
        const { width: viewWidth, height: viewHeight } = store.getState();
        const { x: left, y: top, zoom } = flow.getViewport();
        const isInView =
          x * zoom + left >= 0 &&
          y * zoom + top >= 0 &&
          (x + cardMetrics.width) * zoom + left <= viewWidth &&
          (y + height) * zoom + top <= viewHeight;
        if (!isInView) move(() => flow.setCenter(x + cardMetrics.width / 2, y + height / 2, { ...pace(), zoom }));
      },
    };
  }, [flow, store, view]);
}

/** Shows all cards of a new layout or in a new size of the canvas, as long as nobody has looked elsewhere. */
export function useKeepFitted(view: CanvasView, layout: unknown): void {
  const flow = useReactFlow();
  const width = useStore((state) => state.width);
  const height = useStore((state) => state.height);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new layout is a reason, though it is not read here
  useEffect(() => {
    if (width > 0 && height > 0 && !view.hasMoved) void flow.fitView(fitOptions);
  }, [flow, view, width, height, layout]);
}
