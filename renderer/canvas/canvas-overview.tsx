/**
 * Paints the cards and edges of a large flow that are not elements of the page, on one canvas behind those that are.
 */
import { type ReactFlowState, useStoreApi } from '@xyflow/react';
import { use, useLayoutEffect, useRef } from 'react';
import { initialFlowView } from '../stores/selection.ts';
import type { Stores } from '../stores/stores.ts';
import { useStores } from '../stores/stores-context.tsx';
import { selectShownRun } from '../stores/use-flow.ts';
import { CanvasPath } from './canvas-path.ts';
import { clearPicture, paintScene } from './overview-paint.ts';
import type { Scene } from './overview-scene.ts';
import { type OverviewStates, overviewStates } from './overview-states.ts';
import { readTokens } from './overview-tokens.ts';
import { cameraOf } from './page-cards.ts';
import './canvas-overview.css';

type FlowStore = ReturnType<typeof useStoreApi>;

/** Cards of the page stand in front; which those are, it learns from React Flow itself. */
export function CanvasOverview({ scene }: { readonly scene: Scene }) {
  const store = useStoreApi();
  const stores = useStores();
  const path = use(CanvasPath);
  const canvas = useRef<HTMLCanvasElement>(null);
  const painter = useRef<OverviewPainter>(null);
  useLayoutEffect(() => {
    if (canvas.current === null) return undefined;
    const made = createPainter({ canvas: canvas.current, store, stores, path });
    painter.current = made;
    return made.stop;
  }, [store, stores, path]);
  useLayoutEffect(() => painter.current?.show(scene), [scene]);
  return <canvas className="canvas-overview" aria-hidden ref={canvas} />;
}

interface PainterParts {
  readonly canvas: HTMLCanvasElement;
  readonly store: FlowStore;
  readonly stores: Stores;
  readonly path: string;
}

interface OverviewPainter {
  show(scene: Scene): void;
  stop(): void;
}

/** Paints with the first change of a frame, as what is on the page moves with it too, and once more if others follow. */
function createPainter({ canvas, store, stores, path }: PainterParts): OverviewPainter {
  let scene: Scene | undefined;
  let tokens = readTokens(canvas);
  let states = readStates(stores, path);
  let isBlank = true;
  const painting = oncePerFrame(() => {
    const context = canvas.getContext('2d');
    if (scene === undefined || context === null) return;
    const state = store.getState();
    fitSize(canvas, state);
    const camera = cameraOf(state);
    const pixelRatio = devicePixelRatio;
    const hasPainted = paintScene(context, {
      scene,
      camera,
      pixelRatio,
      states,
      tokens,
      isCardOnPage: (id) => state.nodeLookup.has(id),
      isEdgeOnPage: (id) => state.edgeLookup.has(id),
    });
    // A canvas that nobody touches costs nothing, while each touch makes its pixels travel.
    if (!hasPainted && !isBlank) clearPicture(context, { camera, pixelRatio });
    isBlank = !hasPainted;
  });
  const ends = [
    store.subscribe((state, before) => {
      if (followed.some((key) => state[key] !== before[key])) painting.ask();
    }),
    followStates(stores, path, (next) => {
      states = next;
      painting.ask();
    }),
    followTheme(() => {
      tokens = readTokens(canvas);
      painting.ask();
    }),
    painting.stop,
  ];
  return {
    show(next) {
      scene = next;
      painting.ask();
    },
    stop() {
      for (const end of ends) end();
    },
  };
}

/** What of React Flow's state the picture depends on. */
const followed = ['transform', 'width', 'height', 'nodes', 'edges'] as const;

function oncePerFrame(work: () => void): { ask: () => void; stop: () => void } {
  let frame = 0;
  let isOutdated = false;
  const ask = (): void => {
    isOutdated = frame !== 0;
    if (isOutdated) return;
    work();
    frame = requestAnimationFrame(() => {
      frame = 0;
      if (isOutdated) ask();
    });
  };
  return { ask, stop: () => cancelAnimationFrame(frame) };
}

function fitSize(canvas: HTMLCanvasElement, { width, height }: ReactFlowState): void {
  const [pixelWidth, pixelHeight] = [Math.round(width * devicePixelRatio), Math.round(height * devicePixelRatio)];
  // Setting a size empties the canvas, even when it is the same.
  if (canvas.width === pixelWidth && canvas.height === pixelHeight) return;
  canvas.width = pixelWidth;
  canvas.height = pixelHeight;
  canvas.style.width = `${width}px`;
  canvas.style.height = `${height}px`;
}

function readStates({ liveRuns, selection }: Stores, path: string): OverviewStates {
  const { items } = selection.getState().views.get(path) ?? initialFlowView;
  return overviewStates(selectShownRun(liveRuns.getState(), path), items);
}

function followStates(stores: Stores, path: string, tell: (states: OverviewStates) => void): () => void {
  const { liveRuns, selection } = stores;
  const update = (): void => tell(readStates(stores, path));
  const ends = [
    liveRuns.subscribe((state, before) => {
      if (selectShownRun(state, path) !== selectShownRun(before, path)) update();
    }),
    selection.subscribe(({ views }, before) => {
      if (views.get(path)?.items !== before.views.get(path)?.items) update();
    }),
  ];
  return () => {
    for (const end of ends) end();
  };
}

function followTheme(tell: () => void): () => void {
  const observer = new MutationObserver(tell);
  observer.observe(document.documentElement, { attributeFilter: ['data-theme'] });
  return () => observer.disconnect();
}
