/**
 * Moves of the viewport.
 */
import { useReactFlow, useStoreApi } from '@xyflow/react';
import { useMemo } from 'react';
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

export function useCamera(): Camera {
  const flow = useReactFlow();
  const store = useStoreApi();
  return useMemo(
    () => ({
      zoomIn: () => void flow.zoomIn(pace()),
      zoomOut: () => void flow.zoomOut(pace()),
      zoomTo100: () => void flow.zoomTo(1, pace()),
      fit(ids) {
        const some = ids === undefined || ids.size === 0 ? {} : { nodes: [...ids].map((id) => ({ id })) };
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
        if (!isInView) void flow.setCenter(x + cardMetrics.width / 2, y + height / 2, { ...pace(), zoom });
      },
    }),
    [flow, store],
  );
}
