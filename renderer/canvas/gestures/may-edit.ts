import type { CanvasDesk } from '../state/canvas-desk.ts';

/** Whether the flow can be changed; if not, the person is told why. */
export function mayEdit({ path, stores, readOnlyReason }: CanvasDesk): boolean {
  if (readOnlyReason === null) return true;
  stores.notices.getState().add({ tone: 'info', title: `${path} cannot be changed`, detail: readOnlyReason });
  return false;
}
