/**
 * Determines the position of a new window.
 */
import type { WindowBounds } from '../settings-store.ts';

interface ScreenRectangle {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Position and size of a window. Without `x` and `y` the system centers it. */
interface WindowPlacement {
  readonly x?: number;
  readonly y?: number;
  readonly width: number;
  readonly height: number;
}

/** All sizes in device-independent pixels. */
export const minWindowSize = { width: 900, height: 600 } as const;
const firstWindowSize = { width: 1440, height: 900 } as const;
/** Minimum size of the part of a window that must be on a screen, so that the window can be dragged. */
const minVisible = 120;
/** Offset from a window that would be covered. */
const cascadeStep = 28;

interface ScreenContext {
  /** Work areas of all screens, the primary one first. */
  readonly workAreas: readonly ScreenRectangle[];
  /** Number of open windows. */
  readonly openWindows: number;
}

/** Returns the stored position, adapted to the current screens. */
export function placeWindow(remembered: WindowBounds | undefined, surroundings: ScreenContext): WindowPlacement {
  const { workAreas, openWindows } = surroundings;
  const [primary = { x: 0, y: 0, ...firstWindowSize }] = workAreas;
  if (remembered === undefined) return fitSize(firstWindowSize, primary);
  const shift = openWindows * cascadeStep;
  const wanted = { ...remembered, x: remembered.x + shift, y: remembered.y + shift };
  const area = workAreas.find((candidate) => canBeTakenHoldOf(wanted, candidate));
  if (area === undefined) return fitSize(remembered, primary);
  return { x: wanted.x, y: wanted.y, ...fitSize(remembered, area) };
}

function fitSize(size: { width: number; height: number }, area: ScreenRectangle): { width: number; height: number } {
  return {
    width: Math.max(minWindowSize.width, Math.min(size.width, area.width)),
    height: Math.max(minWindowSize.height, Math.min(size.height, area.height)),
  };
}

/** Returns whether enough of the window's upper edge is in the area to drag it. */
function canBeTakenHoldOf(window: ScreenRectangle, area: ScreenRectangle): boolean {
  const visibleWidth = Math.min(window.x + window.width, area.x + area.width) - Math.max(window.x, area.x);
  const isTopInside = window.y >= area.y && window.y <= area.y + area.height - minVisible;
  return visibleWidth >= minVisible && isTopInside;
}
