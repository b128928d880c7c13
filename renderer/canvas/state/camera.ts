/**
 * Moves the viewport, and determines the opening view of a flow: all of it, or its start if the names on the cards would
 * otherwise be too small to read.
 */
import { getViewportForBounds, useReactFlow, useStore, useStoreApi, type Viewport } from '@xyflow/react';
import { type RefObject, useEffect, useEffectEvent, useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { Stores } from '../../stores/stores.ts';
import type { CanvasView } from '../../stores/window/canvases.ts';
import { shortWindow } from '../../ui/use-media-query.ts';
import { boundsOf, type Rect } from '../geometry/rect.ts';
import { needsLayout } from '../layout/place-cards.ts';
import { cardRect, type FlowWithLayout, outerRect } from '../projection/frames.ts';
import { contentBoxes, type TriggeredDoc, triggerBoxes } from '../projection/trigger-boxes.ts';
import { isInView, overhangOf, shiftToShow, toolRoom } from './still-view.ts';

export interface Camera {
  zoomIn(): void;
  zoomOut(): void;
  zoomTo100(): void;
  /** Fits everything on the canvas, or the given cards. */
  fit(ids?: ReadonlySet<string>): void;
  /** Fits the given cards, or only the surroundings of the first one if all would be too small to decide about. */
  fitReview(ids: ReadonlySet<string>): void;
  /** Centers the view on a position of the flow, without animation. */
  centerOn(x: number, y: number): void;
  /** Moves the view as little as possible to show a whole card. */
  reveal(card: Rect): void;
  /** Like `reveal`, with the tools at the right of a new card, which continue the flow. */
  revealNew(card: Rect): void;
  /** Like `reveal`, but does not move the view if half of the card is visible. */
  glimpse(card: Rect): void;
}

export const leastZoom = 0.05;
export const mostZoom = 2;

/** Padding in pixels around the cards. */
export const canvasPadding = { top: 32, right: 24, bottom: 24, left: 24 } as const;
/** Height in pixels of the toolbar below the canvas, or over its lower part in a short window. */
const footHeight = 48;

/**
 * Returns the size of the canvas that is not covered by the toolbar. @param hasFoot whether the canvas has a toolbar
 */
function clearSize({ width, height }: CanvasSize, hasFoot: boolean): CanvasSize {
  const isCovered = hasFoot && matchMedia(shortWindow).matches;
  return { width, height: Math.max(0, height - (isCovered ? footHeight : 0)) };
}
const { top, right, bottom, left } = canvasPadding;
const padding = { top: `${top}px`, right: `${right}px`, bottom: `${bottom}px`, left: `${left}px` } as const;
/** A small flow is not enlarged. */
const mostFittingZoom = 1;

const moveMs = 180;

/** Returns no animation for users who prefer reduced motion. */
function pace(): { duration: number } {
  return { duration: matchMedia('(prefers-reduced-motion:reduce)').matches ? 0 : moveMs };
}

/**
 * Returns the viewport that shows all of a flow, or the given cards. Uses the layout, because React Flow does not know
 * all cards of a large flow.
 */
function fittingViewport(sheet: FlowSheet, { width, height }: CanvasSize, ids?: ReadonlySet<string>): Viewport {
  const bounds = flowBounds(sheet, ids) ?? { x: 0, y: 0, width: 0, height: 0 };
  return getViewportForBounds(bounds, width, height, leastZoom, mostFittingZoom, padding);
}

export function useCamera(view: CanvasView, sheet: FlowSheet, hasFoot: boolean): Camera {
  const flow = useReactFlow();
  const store = useStoreApi();
  // A ref, so that a caller that changes the layout and then fits it uses the new positions.
  const latest = useRef(sheet);
  useLayoutEffect(() => {
    latest.current = sheet;
  });
  return useMemo(() => {
    const move = (change: () => Promise<boolean>): void => {
      view.look = 'own';
      void change();
    };
    const show = (card: Rect, enough: number, after?: number): void => {
      const size = clearSize(store.getState(), hasFoot);
      const { x, y, zoom } = flow.getViewport();
      const shift = shiftToShow(card, { x, y, zoom }, { size, enough, after });
      if (shift !== null) move(() => flow.setViewport({ x: x + shift.x, y: y + shift.y, zoom }, pace()));
    };
    return {
      zoomIn: () => move(() => flow.zoomIn(pace())),
      zoomOut: () => move(() => flow.zoomOut(pace())),
      zoomTo100: () => move(() => flow.zoomTo(1, pace())),
      fit(ids) {
        const isAll = ids === undefined || ids.size === 0;
        view.look = isAll ? 'all' : 'own';
        void flow.setViewport(
          fittingViewport(latest.current, clearSize(store.getState(), hasFoot), isAll ? undefined : ids),
          pace(),
        );
      },
      fitReview(ids) {
        const { width, height, transform } = store.getState();
        view.look = 'review';
        if (width === 0 || height === 0) return;
        const next = reviewViewport(latest.current, clearSize({ width, height }, hasFoot), ids, transform);
        if (next !== null) void flow.setViewport(next);
      },
      centerOn: (x, y) => move(() => flow.setCenter(x, y, { zoom: flow.getZoom() })),
      reveal: (card) => show(card, 1),
      revealNew: (card) => show(card, 1, toolRoom),
      glimpse: (card) => show(card, 0.5),
    };
  }, [flow, store, view, hasFoot]);
}

interface StartOptions {
  /** The element that contains the canvas and its toolbar. */
  readonly frame: RefObject<HTMLElement | null>;
  readonly hasFoot: boolean;
  readonly view: CanvasView;
  readonly sheet: FlowSheet;
}

/**
 * Returns the initial viewport of a canvas: the previous one, or the opening view, which requires the frame to have a
 * size. Null only until then, which is before the first paint.
 */
export function useStart({ frame, hasFoot, view, sheet }: StartOptions): Viewport | null {
  const [start, setStart] = useState(view.viewport);
  const begin = useEffectEvent(() => {
    const { clientWidth: width, clientHeight } = frame.current ?? { clientWidth: 0, clientHeight: 0 };
    const size = { width, height: Math.max(0, clientHeight - (hasFoot ? footHeight : 0)) };
    if (start === null) setStart(openingViewport(sheet, size));
  });
  useLayoutEffect(() => begin(), []);
  return start;
}

function pageSize(): string {
  return `${innerWidth} ${innerHeight}`;
}

/** Number of pixels of a visible flow that bars above the canvas may cover before the view moves. */
const toleratedOverhang = 48;

/**
 * Fits the whole flow again when a part of it has left the view because of a new layout, a smaller canvas or a resized
 * window, unless the user has moved the view. Otherwise the view does not change, unless an edit or undo moves the
 * entire flow out of it.
 */
export function useKeepLook(view: CanvasView, sheet: FlowSheet, hasFoot: boolean): void {
  const { layout } = sheet;
  const flow = useReactFlow();
  const width = useStore((state) => state.width);
  const height = useStore((state) => state.height);
  const count = sheet.projection.nodes.length;
  // A canvas that is shown again, such as after a child flow, keeps its previous view.
  const before = useRef({ count, isWhole: false, isSeen: false, page: view.viewport === null ? '' : pageSize() });
  const isWhole = (): boolean => {
    const bounds = flowBounds(sheet);
    return bounds === null || overhangOf(bounds, flow.getViewport(), { width, height }) <= toleratedOverhang;
  };
  const isSeen = (): boolean => {
    const bounds = flowBounds(sheet);
    return bounds === null || isInView(bounds, flow.getViewport(), { width, height });
  };
  const show = useEffectEvent(() => {
    const page = pageSize();
    const isFirst = before.current.count === 0 && count > 0;
    // The first node of an empty flow opens a new view, unless the node has a position: then it stays under the
    // pointer.
    if (isFirst && needsLayout(sheet.projection)) view.look = 'opening';
    const hasLost = before.current.isWhole && !isWhole();
    const isGone = before.current.isSeen && !isSeen();
    const look = isFirst || hasLost || before.current.page !== page ? view.look : 'own';
    const size = clearSize({ width, height }, hasFoot);
    if (look === 'all' || (look === 'own' && isGone)) void flow.setViewport(fittingViewport(sheet, size));
    if (look === 'opening') void flow.setViewport(openingViewport(sheet, size));
    before.current = { count, isWhole: isWhole(), isSeen: isSeen(), page };
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: each of them is a reason to run, although it is not read here
  useEffect(() => {
    if (width > 0 && height > 0) show();
  }, [width, height, layout]);
}

/** Returns the view state of a flow in the window of these stores. */
export function canvasView({ canvasViews }: Stores, path: string): CanvasView {
  const view = canvasViews.get(path) ?? { viewport: null, look: 'opening' };
  canvasViews.set(path, view);
  return view;
}

/** The data needed to show everything on a canvas. */
type FlowSheet = FlowWithLayout & { readonly doc: TriggeredDoc };

/**
 * Returns the rectangle around cards, containers, notes and groups, or around the given cards. Null if there are none.
 */
function flowBounds({ projection, layout, doc }: FlowSheet, ids?: ReadonlySet<string>): Rect | null {
  const some = projection.nodes.filter(({ id }) => ids?.has(id) ?? true);
  if (ids !== undefined && some.length > 0) return boundsOf(some.map((node) => outerRect(node, layout)));
  return boundsOf([
    ...contentBoxes({ projection, layout }, doc),
    ...triggerBoxes({ projection, layout }, doc).values(),
  ]);
}

/** A flow opens as a whole down to this zoom. Below it, even the enlarged names of the level `middle` are hard to read. */
const leastWholeZoom = 0.5;
/** The least zoom of a flow that opens with only its start in view. All text on the cards is readable there. */
const leastStartZoom = 0.8;
/** A small flow is not enlarged. */
const mostOpeningZoom = 1;

/** Zoom below which cards have no buttons to decide about changes. */
const leastReviewZoom = 0.7;
/** Height of these buttons below a card. */
const decisionHeight = 26;

/** Returns the viewport that shows cards under review. Null if the present one shows all of them. */
export function reviewViewport(
  sheet: FlowSheet,
  size: CanvasSize,
  ids: ReadonlySet<string>,
  [x, y, zoom]: readonly [number, number, number],
): Viewport | null {
  const [first = ''] = ids;
  const cards = flowBounds(sheet, ids);
  if (cards === null) return null;
  const bounds = { ...cards, height: cards.height + decisionHeight };
  if (zoom >= leastReviewZoom && overhangOf(bounds, { x, y, zoom }, size) === 0) return null;
  return readableViewport(bounds, size, leastReviewZoom, () => flowBounds(sheet, new Set([first])) ?? undefined);
}

interface CanvasSize {
  readonly width: number;
  readonly height: number;
}

interface AxisSpan {
  readonly from: number;
  readonly to: number;
}

/**
 * Returns whether a flow opened with only its start in view, because all of it would be too small to read, and the view
 * has not been moved since.
 */
export function useIsStartOnly(view: CanvasView, sheet: FlowSheet): boolean {
  const bounds = useMemo(() => flowBounds(sheet), [sheet]);
  return useStore(({ transform: [x, y, zoom], width, height }) => {
    if (view.look !== 'opening' || bounds === null || width === 0) return false;
    const [left, top] = [bounds.x * zoom + x, bounds.y * zoom + y];
    const [right, bottom] = [left + bounds.width * zoom, top + bounds.height * zoom];
    return left < -1 || top < -1 || right > width + 1 || bottom > height + 1;
  });
}

/** Returns the viewport in which a flow opens on a canvas of this size, in pixels. */
export function openingViewport(sheet: FlowSheet, { width, height }: CanvasSize): Viewport {
  const { projection, layout } = sheet;
  const bounds = flowBounds(sheet);
  if (bounds === null || width === 0 || height === 0) return { x: 0, y: 0, zoom: mostOpeningZoom };
  return readableViewport(bounds, { width, height }, leastWholeZoom, (room) => startCard({ projection, layout }, room));
}

/**
 * Returns the viewport that shows a rectangle, or only the surroundings of a card in it if all of it would be smaller
 * than `leastZoom`.
 */
function readableViewport(
  bounds: Rect,
  { width, height }: CanvasSize,
  leastZoom: number,
  cardIn: (room: CanvasSize) => Rect | undefined,
): Viewport {
  const across = { from: bounds.x, to: bounds.x + bounds.width };
  const down = { from: bounds.y, to: bounds.y + bounds.height };
  const roomAcross = { from: canvasPadding.left, to: width - canvasPadding.right };
  const roomDown = { from: canvasPadding.top, to: height - canvasPadding.bottom };
  const fitting = Math.min(lengthOf(roomAcross) / lengthOf(across), lengthOf(roomDown) / lengthOf(down));
  const zoom = Math.min(mostOpeningZoom, fitting < leastZoom ? leastStartZoom : fitting);
  const start = cardIn({ width: width / zoom, height: height / zoom }) ?? bounds;
  return {
    x: shiftInto(roomAcross, { ...across, focus: start.x + start.width / 2 }, zoom),
    y: shiftInto(roomDown, { ...down, focus: start.y + start.height / 2 }, zoom),
    zoom,
  };
}

/**
 * Returns the first start card of a flow, or of many, the first that fits in the view together with a successor. `view`
 * is the visible size.
 */
function startCard({ projection: { nodes, edges }, layout }: FlowWithLayout, view: CanvasSize): Rect | undefined {
  const places = new Map(nodes.map((node) => [node.id, cardRect(node, layout)]));
  const starts = nodes.filter(({ content }) => content.isStart).map(({ id }) => id);
  const seenWithNext = new Set(
    edges.flatMap(({ source, target }) => {
      const [from, to] = [places.get(source), places.get(target)];
      if (from === undefined || to === undefined) return [];
      const isNear = Math.abs(to.x - from.x) < view.width / 2 && Math.abs(to.y - from.y) < view.height / 3;
      return isNear ? [source] : [];
    }),
  );
  return places.get(starts.find((id) => seenWithNext.has(id)) ?? starts[0] ?? nodes[0]?.id ?? '');
}

/**
 * Returns the offset of the content: centered if it fits, or else with its focus in the middle and no gap at the edges.
 */
function shiftInto(room: AxisSpan, content: AxisSpan & { readonly focus: number }, zoom: number): number {
  const first = room.from - content.from * zoom;
  const last = room.to - content.to * zoom;
  if (first <= last) return (first + last) / 2;
  const centred = (room.from + room.to) / 2 - content.focus * zoom;
  return Math.min(first, Math.max(last, centred));
}

function lengthOf({ from, to }: AxisSpan): number {
  return to - from;
}
