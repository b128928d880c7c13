/**
 * Determines which cards of a large flow are DOM elements. Adding or removing a card takes a millisecond or more, so a
 * few are added per frame, once they are large enough to be read and nothing moves. All others are painted by the
 * overview.
 */

import { useStoreApi, type Viewport } from '@xyflow/react';
import { type RefObject, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { zoomLevel } from '../../card/card-metrics.ts';
import type { Area } from '../geometry/rect.ts';
import {
  areaOf,
  cameraOf,
  cardsIn,
  type OverviewScene,
  type SceneCamera,
  type SceneCard,
} from '../overview/overview-scene.ts';

/** Milliseconds without a step after which a movement counts as over. */
const motionPause = 160;

/**
 * Marks the canvas while it moves, so that its styles can omit what only a canvas at rest needs. Returns a function to
 * call on each step of a movement. `frame` has `data-moving` set to `pan` or `zoom` until shortly after the last step.
 */
export function useMotion(frame: RefObject<HTMLElement | null>): (viewport: Viewport) => void {
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const lastZoom = useRef<number | null>(null);
  useEffect(() => () => clearTimeout(timer.current), []);
  return useCallback(
    ({ zoom }) => {
      const element = frame.current;
      if (element === null) return;
      const isZoom = element.dataset['moving'] === 'zoom' || (lastZoom.current ?? zoom) !== zoom;
      lastZoom.current = zoom;
      const kind = isZoom ? 'zoom' : 'pan';
      if (element.dataset['moving'] !== kind) element.dataset['moving'] = kind;
      clearTimeout(timer.current);
      timer.current = setTimeout(() => {
        delete element.dataset['moving'];
      }, motionPause);
    },
    [frame],
  );
}

/** Maximum number of cards for which all cards are DOM elements. */
const mostOnPage = 120;
/** If more cards than this are selected, they are only painted while they are too small to read. */
const mostSelectedFarAway = 40;
/** New cards per frame. None are added while the canvas moves. */
const newInFrame = 4;
/**
 * Cards up to this distance in flow pixels outside the view are added too, so that edges to them need not be painted.
 */
const prepared = 304;
/** Cards are kept within this many view sizes around the view, so that they are still there if the view returns. */
const keptAround = 0.5;
const none: ReadonlySet<string> = new Set();

/** Returns whether a flow is so large that most of its cards are painted. */
export function isPainted(cardCount: number): boolean {
  return cardCount > mostOnPage;
}

/** Input for one step of the selection. */
interface PageStep {
  readonly scene: Pick<OverviewScene, 'cards'>;
  readonly camera: SceneCamera;
  /** Cards that are currently DOM elements. */
  readonly before: ReadonlySet<string>;
  /** Maximum number of cards to add in this step. */
  readonly budget: number;
}

/** Returns the cards in the DOM after this step, or `before` itself if nothing changes. */
export function stepPageCards({ scene, camera, before, budget }: PageStep): ReadonlySet<string> {
  if (isFarAway(camera)) return before.size === 0 ? before : none;
  const view = areaOf(camera);
  const around = zoomLevel(camera.zoom) === 'near' ? widened(view, prepared, prepared) : view;
  const missing = nearestFirst(
    cardsIn(scene, around).filter(({ id }) => !before.has(id)),
    view,
  ).slice(0, budget);
  const [keptX, keptY] = [(view.right - view.left) * keptAround, (view.bottom - view.top) * keptAround];
  const kept = cardsIn(scene, widened(view, keptX + prepared, keptY + prepared)).filter(({ id }) => before.has(id));
  if (missing.length === 0 && kept.length === before.size) return before;
  return new Set([...kept, ...missing].map(({ id }) => id));
}

/** Returns whether cards are too small to read. */
function isFarAway({ zoom }: SceneCamera): boolean {
  return zoomLevel(zoom).startsWith('far');
}

function nearestFirst(cards: readonly SceneCard[], { left, top, right, bottom }: Area): SceneCard[] {
  const distance = (card: SceneCard): number =>
    Math.abs(card.left + card.right - left - right) + Math.abs(card.top + card.bottom - top - bottom);
  return cards.toSorted((a, b) => distance(a) - distance(b));
}

function widened({ left, top, right, bottom }: Area, x: number, y: number): Area {
  return { left: left - x, top: top - y, right: right + x, bottom: bottom + y };
}

/**
 * Returns the IDs of the cards that must be DOM elements, or null for all. Selected cards are always included, so that
 * they can be dragged.
 */
export function usePageCards(scene: OverviewScene, selected: ReadonlySet<string>): ReadonlySet<string> | null {
  const store = useStoreApi();
  const [seen, setSeen] = useState(none);
  const [isFar, setFar] = useState(false);
  const latest = useRef({ scene, seen });
  const isAll = !isPainted(scene.cards.length);
  useEffect(() => {
    latest.current = { ...latest.current, scene };
  }, [scene]);
  useEffect(() => {
    if (isAll) return undefined;
    const follow = followCamera(store, (camera) => {
      const { scene: now, seen: before } = latest.current;
      const next = stepPageCards({ scene: now, camera, before, budget: newInFrame });
      latest.current.seen = next;
      setSeen(next);
      setFar(isFarAway(camera));
      return next !== before;
    });
    return follow;
  }, [store, isAll]);
  return useMemo(() => {
    if (isAll) return null;
    return isFar && selected.size > mostSelectedFarAway ? none : new Set([...seen, ...selected]);
  }, [isAll, isFar, seen, selected]);
}

/**
 * Runs one step per frame, after each movement of the camera and until a step changes nothing. Returns a function that
 * stops it.
 */
function followCamera(store: ReturnType<typeof useStoreApi>, step: (camera: SceneCamera) => boolean): () => void {
  let frame = 0;
  let last = cameraOf(store.getState());
  let movedAt = Number.NEGATIVE_INFINITY;
  const work = (now: number): void => {
    frame = 0;
    const camera = cameraOf(store.getState());
    if (camera.x !== last.x || camera.y !== last.y || camera.zoom !== last.zoom) movedAt = now;
    last = camera;
    const isMoving = now - movedAt < motionPause;
    if (isMoving || step(camera)) ask();
  };
  const ask = (): void => {
    if (frame === 0) frame = requestAnimationFrame(work);
  };
  ask();
  const stop = store.subscribe((state, before) => {
    if (state.transform !== before.transform || state.width !== before.width || state.height !== before.height) ask();
  });
  return () => {
    stop();
    cancelAnimationFrame(frame);
  };
}
