/**
 * Where each flow was last looked at. React Flow owns the viewport; this only hands it back when a flow is shown again.
 */

/** How one flow is looked at; the canvas writes here. */
export interface CanvasView {
  /** In pixels and as a factor; null before the first look. */
  viewport: { readonly x: number; readonly y: number; readonly zoom: number } | null;
  /** What a new size of the canvas must show again: how a flow opens, all of it, or the place that somebody chose. */
  look: 'opening' | 'all' | 'own';
}

/** By path. Nothing is drawn because of a change in here. */
export type CanvasViews = Map<string, CanvasView>;
