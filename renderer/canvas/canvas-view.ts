/**
 * Where each flow was last looked at, as long as its window lives. React Flow owns the viewport; this only hands it back
 * when a flow's tab is shown again.
 */
import type { Viewport } from '@xyflow/react';
import type { Stores } from '../stores/stores.ts';

/** How one flow is looked at; the canvas writes here. */
export interface CanvasView {
  /** Null before the first look. */
  viewport: Viewport | null;
  /** What a new size of the canvas must show again: how a flow opens, all of it, or the place that somebody chose. */
  look: 'opening' | 'all' | 'own';
}

const viewsOf = new WeakMap<Stores, Map<string, CanvasView>>();

/** The view of a flow in the window that these stores belong to. */
export function canvasView(stores: Stores, path: string): CanvasView {
  const views = viewsOf.get(stores) ?? new Map<string, CanvasView>();
  viewsOf.set(stores, views);
  const view = views.get(path) ?? { viewport: null, look: 'opening' };
  views.set(path, view);
  return view;
}

export type ZoomLevel = 'near' | 'middle' | 'far' | 'farthest';

/** How much a card can say at a zoom: all; its name and state; the same in larger letters; only its kind and state. */
export function zoomLevel(zoom: number): ZoomLevel {
  if (zoom > 0.7) return 'near';
  if (zoom >= 0.45) return 'middle';
  return zoom >= 0.25 ? 'far' : 'farthest';
}
