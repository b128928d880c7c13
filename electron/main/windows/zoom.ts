/**
 * Computes the zoom of windows.
 */

/** Arguments of `zoom.set`. */
export interface ZoomAction {
  /** 1 = 100 %. */
  readonly factor?: number;
  readonly change?: 'in' | 'out' | 'reset';
}

const steps = [0.5, 0.67, 0.75, 0.8, 0.9, 1, 1.1, 1.25, 1.5, 1.75, 2];

/** Returns the new zoom factor: the requested one, the next larger or smaller step, or 1. */
export function nextZoom(present: number, { factor = present, change }: ZoomAction): number {
  if (change === 'reset') return 1;
  if (change === 'in') return steps.find((step) => step > factor) ?? 2;
  if (change === 'out') return steps.findLast((step) => step < factor) ?? 0.5;
  return factor;
}
