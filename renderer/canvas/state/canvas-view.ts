/**
 * How a flow is looked at.
 */

import type { Stores } from '../../stores/stores.ts';
import type { CanvasView } from '../../stores/window/canvases.ts';

/** The view of a flow in the window that these stores belong to. */
export function canvasView({ canvasViews }: Stores, path: string): CanvasView {
  const view = canvasViews.get(path) ?? { viewport: null, look: 'opening' };
  canvasViews.set(path, view);
  return view;
}

export type ZoomLevel = 'near' | 'middle' | 'far' | 'farthest';

/** How much a card can say at a zoom: all; its name and state; the same in larger letters; only its kind and state. */
export function zoomLevel(zoom: number): ZoomLevel {
  if (zoom > 0.7) return 'near';
  if (zoom >= 0.45) return 'middle';
  return zoom >= 0.25 ? 'far' : 'farthest';
}
