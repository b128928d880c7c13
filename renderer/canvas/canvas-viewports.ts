/**
 * Where each flow was last looked at, as long as its window lives. React Flow owns the viewport; this only hands it back
 * when a flow's tab is shown again.
 */
import type { Viewport } from '@xyflow/react';
import type { Stores } from '../stores/stores.ts';

const viewportsOf = new WeakMap<Stores, Map<string, Viewport>>();

/** The viewports of a window by flow path. */
export function keptViewports(stores: Stores): Map<string, Viewport> {
  const kept = viewportsOf.get(stores) ?? new Map<string, Viewport>();
  viewportsOf.set(stores, kept);
  return kept;
}

export type ZoomLevel = 'near' | 'middle' | 'far' | 'farthest';

/** How much a card can say at a zoom: all; its name and state; its kind, with a name; only its kind. */
export function zoomLevel(zoom: number): ZoomLevel {
  if (zoom > 0.7) return 'near';
  if (zoom >= 0.4) return 'middle';
  return zoom >= 0.2 ? 'far' : 'farthest';
}
