/**
 * Paints the cards and edges of a large flow that are not DOM elements, on one canvas behind those that are.
 */
import { useStoreApi } from '@xyflow/react';
import { use, useLayoutEffect, useRef } from 'react';
import { FlowPath } from '../../card/card-context.ts';
import { useStores } from '../../stores/stores-context.tsx';
import { paintScene } from './overview-paint.ts';
import type { OverviewScene } from './overview-scene.ts';
import { cameraOf } from './overview-scene.ts';
import { fitSize, followPaintState, oncePerFrame, type PaintedFlow } from './paint-state.ts';
import './canvas-overview.css';

type FlowStore = ReturnType<typeof useStoreApi>;

/** Cards in the DOM are in front. React Flow's state determines which ones those are. */
export function CanvasOverview({ scene }: { readonly scene: OverviewScene }) {
  const store = useStoreApi();
  const stores = useStores();
  const path = use(FlowPath);
  const canvas = useRef<HTMLCanvasElement>(null);
  const painter = useRef<OverviewPainter>(null);
  useLayoutEffect(() => {
    if (canvas.current === null) return undefined;
    const made = createPainter({ canvas: canvas.current, store, stores, path });
    painter.current = made;
    return made.stop;
  }, [store, stores, path]);
  useLayoutEffect(() => painter.current?.show(scene), [scene]);
  return <canvas className="canvas-overview" aria-hidden hidden ref={canvas} />;
}

interface PainterOptions extends PaintedFlow {
  readonly store: FlowStore;
}

interface OverviewPainter {
  show(scene: OverviewScene): void;
  stop(): void;
}

function createPainter({ canvas, store, stores, path }: PainterOptions): OverviewPainter {
  let scene: OverviewScene | undefined;
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
      ...painted.current(),
      isCardOnPage: (id) => state.nodeLookup.has(id),
      isEdgeOnPage: (id) => state.edgeLookup.has(id),
    });
    // Writing to the canvas uploads its pixels, and each frame composites them, even if they are empty.
    if (hasPainted === isBlank) canvas.hidden = !hasPainted;
    isBlank = !hasPainted;
  });
  const painted = followPaintState({ canvas, stores, path }, painting.ask);
  const ends = [
    store.subscribe((state, before) => {
      if (followed.some((key) => state[key] !== before[key])) painting.ask();
    }),
    painted.stop,
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

/** The parts of React Flow's state that the picture depends on. */
const followed = ['transform', 'width', 'height', 'nodes', 'edges'] as const;
