/**
 * Moves of the viewport.
 */
import { getViewportForBounds, useReactFlow, useStore, useStoreApi, type Viewport } from '@xyflow/react';
import { type RefObject, useEffect, useEffectEvent, useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { Stores } from '../../stores/stores.ts';
import type { CanvasView } from '../../stores/window/canvases.ts';
import type { Rect } from '../geometry/rect.ts';
import { type CanvasSize, canvasPadding, type FlowSheet, flowBounds, openingViewport } from './opening-view.ts';

export interface Camera {
  zoomIn(): void;
  zoomOut(): void;
  zoomTo100(): void;
  /** Fits all that lies on the canvas, or the cards given. */
  fit(ids?: ReadonlySet<string>): void;
  /** Puts a place of the flow into the middle, at once. */
  centerOn(x: number, y: number): void;
  /** Brings a card into view, if it is not. */
  reveal(card: Rect): void;
}

export const leastZoom = 0.05;
export const mostZoom = 2;

const { top, right, bottom, left } = canvasPadding;
const padding = { top: `${top}px`, right: `${right}px`, bottom: `${bottom}px`, left: `${left}px` } as const;
/** A small flow is not blown up. */
const mostFittingZoom = 1;

const moveMs = 180;

/** Instant for people who asked their system for less motion. */
function pace(): { duration: number } {
  return { duration: matchMedia('(prefers-reduced-motion: reduce)').matches ? 0 : moveMs };
}

/** The viewport that shows all of a flow, or the cards given. From the layout: React Flow does not know all cards of a large flow. */
function fittingViewport(sheet: FlowSheet, { width, height }: CanvasSize, ids?: ReadonlySet<string>): Viewport {
  const bounds = flowBounds(sheet, ids) ?? { x: 0, y: 0, width: 0, height: 0 };
  return getViewportForBounds(bounds, width, height, leastZoom, mostFittingZoom, padding);
}

export function useCamera(view: CanvasView, sheet: FlowSheet): Camera {
  const flow = useReactFlow();
  const store = useStoreApi();
  // Who changes the layout and fits it then has the camera of before.
  const latest = useRef(sheet);
  useLayoutEffect(() => {
    latest.current = sheet;
  });
  return useMemo(() => {
    const move = (change: () => Promise<boolean>): void => {
      view.look = 'own';
      void change();
    };
    return {
      zoomIn: () => move(() => flow.zoomIn(pace())),
      zoomOut: () => move(() => flow.zoomOut(pace())),
      zoomTo100: () => move(() => flow.zoomTo(1, pace())),
      fit(ids) {
        const isAll = ids === undefined || ids.size === 0;
        view.look = isAll ? 'all' : 'own';
        void flow.setViewport(fittingViewport(latest.current, store.getState(), isAll ? undefined : ids), pace());
      },
      centerOn: (x, y) => move(() => flow.setCenter(x, y, { zoom: flow.getZoom() })),
      reveal({ x, y, width, height }) {
        const { width: viewWidth, height: viewHeight } = store.getState();
        const { x: left, y: top, zoom } = flow.getViewport();
        const isInView =
          x * zoom + left >= 0 &&
          y * zoom + top >= 0 &&
          (x + width) * zoom + left <= viewWidth &&
          (y + height) * zoom + top <= viewHeight;
        if (!isInView) move(() => flow.setCenter(x + width / 2, y + height / 2, { ...pace(), zoom }));
      },
    };
  }, [flow, store, view]);
}

/**
 * Where a canvas begins: where the person was, or with the opening view, for which the frame must have a size. Null only
 * until then, which is before the first paint.
 */
export function useStart(frame: RefObject<HTMLElement | null>, view: CanvasView, sheet: FlowSheet): Viewport | null {
  const [start, setStart] = useState(view.viewport);
  const begin = useEffectEvent(() => {
    const size = { width: frame.current?.clientWidth ?? 0, height: frame.current?.clientHeight ?? 0 };
    if (start === null) setStart(openingViewport(sheet, size));
  });
  useLayoutEffect(() => begin(), []);
  return start;
}

/** Shows a new layout, or the same in a new size of the canvas, as long as nobody has looked elsewhere. */
export function useKeepLook(view: CanvasView, sheet: FlowSheet): void {
  const { layout } = sheet;
  const flow = useReactFlow();
  const width = useStore((state) => state.width);
  const height = useStore((state) => state.height);
  const show = useEffectEvent(() => {
    if (view.look === 'all') void flow.setViewport(fittingViewport(sheet, { width, height }));
    if (view.look === 'opening') {
      void flow.setViewport(openingViewport(sheet, { width, height }));
    }
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: each of them is a reason, though not read here
  useEffect(() => {
    if (width > 0 && height > 0) show();
  }, [width, height, layout]);
}

/** The view of a flow in the window that these stores belong to. */
export function canvasView({ canvasViews }: Stores, path: string): CanvasView {
  const view = canvasViews.get(path) ?? { viewport: null, look: 'opening' };
  canvasViews.set(path, view);
  return view;
}
