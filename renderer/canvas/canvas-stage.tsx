/**
 * React Flow with all layers of the canvas.
 */
import { ReactFlow, SelectionMode, useStoreApi, type Viewport } from '@xyflow/react';
import { lazy, memo, type ReactNode, type RefObject, Suspense, useEffect, useMemo, useRef } from 'react';
import { useStore } from 'zustand';
import type { FlowDoc, GroupDoc } from '../../engine/isomorphic.ts';
import { zoomLevel } from '../card/card-metrics.ts';
import { NodeCard } from '../card/node-card.tsx';
import { isStepFlow } from '../stores/flow/step-lane.ts';
import { chooseDifferenceOf } from '../stores/review/choose-difference.ts';
import { useStores } from '../stores/stores-context.tsx';
import type { SettledFlow } from '../stores/use-flow.ts';
import type { CanvasView } from '../stores/window/canvases.ts';
import { EdgeTools, PortPlus } from './edges/edge-tools.tsx';
import { FlowEdge } from './edges/flow-edge.tsx';
import { LanePlus } from './edges/lane-plus.tsx';
import { GuideLayer, WireLayer } from './gestures/gesture-layers.tsx';
import { useDrag } from './gestures/use-drag.ts';
import { useHover } from './gestures/use-hover.ts';
import { useWire } from './gestures/use-wire.ts';
import { FoldCard } from './groups/folded-groups.tsx';
import { FrameLayer } from './groups/frame-layer.tsx';
import { GroupLayer } from './groups/group-layer.tsx';
import { NoteCard } from './notes/note-card.tsx';
import { CanvasMinimap } from './overview/canvas-minimap.tsx';
import { CanvasOverview } from './overview/canvas-overview.tsx';
import { isPainted, useMotion } from './page/page-cards.ts';
import type { PageElements } from './page/page-elements.ts';
import { AlignPopup } from './popups/align-popup.tsx';
import { FirstNode, StaleNote } from './popups/canvas-notices.tsx';
import { CardPopup } from './popups/card-popup.tsx';
import { FindBar } from './popups/find-bar.tsx';
import { FlowLevel } from './popups/flow-level.tsx';
import { PalettePanel } from './popups/palette-panel.tsx';
import { QuickAddPopup } from './popups/quick-add-popup.tsx';
import { RenameField } from './popups/rename-field.tsx';
import type { FlowWithLayout } from './projection/frames.ts';
import { triggerBoxes } from './projection/trigger-boxes.ts';
import { leastZoom, mostZoom } from './state/camera.ts';
import { useEditor } from './state/canvas-editor.ts';
import type { CanvasElements, CanvasNode, RoutedEdge } from './state/canvas-elements.ts';
import { type CanvasSelection, chooseAlone, edgeSelectChangesOf, takeSelectChanges } from './state/canvas-selection.ts';
import { useInteractionStore } from './state/interaction.ts';
import { text } from './text.ts';
import '@xyflow/react/dist/base.css';
import './canvas-grid.css';

const TriggerLayer = lazy(() =>
  import('./triggers/trigger-layer.tsx').then((loaded) => ({ default: loaded.TriggerLayer })),
);

const nodeTypes = { card: NodeCard, note: NoteCard, fold: FoldCard };
const edgeTypes = { routed: FlowEdge };
const panButtons = [1];
const addKeys = ['Shift', 'Meta', 'Control'];
const noAttribution = { hideAttribution: true };
/** From this number of nodes on, React Flow renders only what is visible. */
const manyNodes = 300;
/** Distance in pixels below which a drag counts as a click. */
const dragThreshold = 4;

interface CanvasStageProps {
  readonly flow: SettledFlow;
  readonly doc: FlowDoc;
  /** The flow with all triggers that are drawn. */
  readonly triggered: FlowDoc;
  readonly placed: FlowWithLayout;
  readonly elements: CanvasElements;
  readonly page: PageElements;
  readonly drawn: {
    readonly nodes: CanvasNode[];
    readonly edges: RoutedEdge[];
    readonly groups: Readonly<Record<string, GroupDoc>>;
  };
  readonly selection: CanvasSelection;
  readonly view: CanvasView;
  readonly start: Viewport;
  readonly frame: RefObject<HTMLElement | null>;
  readonly hasMinimap: boolean;
  /** Renders the explanation beside the card of the only selected node. */
  readonly explain: (nodeId: string) => ReactNode;
}

export function CanvasStage(props: CanvasStageProps) {
  const { flow, page, drawn, selection, view, start, frame, hasMinimap } = props;
  const stores = useStores();
  const wheel = useStore(stores.editorSettings, (settings) => settings.wheel);
  const editor = useEditor();
  const drag = useDrag(editor);
  const hover = useHover(useInteractionStore());
  const beginWire = useWire(editor);
  const onEdgesChange = useMemo(
    () => (changes: Parameters<typeof edgeSelectChangesOf>[0]) =>
      takeSelectChanges(stores, flow.path, edgeSelectChangesOf(changes)),
    [stores, flow.path],
  );
  const noteMove = useMotion(frame);
  const { placed, triggered } = props;
  const triggers = useMemo(() => triggerBoxes(placed, triggered), [placed, triggered]);
  const keepViewport = (viewport: Viewport): void => {
    view.viewport = viewport;
    if (frame.current !== null) frame.current.dataset['zoom'] = zoomLevel(viewport.zoom);
  };
  return (
    <ReactFlow
      aria-label={text.label({ path: flow.path })}
      tabIndex={-1}
      onFocus={({ target }) => {
        const id = target.dataset['card'];
        if (id !== undefined && target.matches(':focus-visible')) selection.select([id], id);
      }}
      nodes={drawn.nodes}
      edges={drawn.edges}
      nodeTypes={nodeTypes}
      edgeTypes={edgeTypes}
      {...drag}
      {...hover}
      onEdgesChange={onEdgesChange}
      onPointerDownCapture={beginWire}
      onlyRenderVisibleElements={page.nodes.length > manyNodes}
      onPointerMove={page.gestures.onPointerMove}
      onPaneClick={page.gestures.onPaneClick}
      onNodeClick={(event, node) => {
        if (!event.shiftKey && !event.metaKey && !event.ctrlKey) chooseAlone(stores, flow.path, node.id);
        chooseDifferenceOf(stores, flow.path, node.id);
      }}
      minZoom={leastZoom}
      maxZoom={mostZoom}
      defaultViewport={start}
      onInit={({ getViewport }) => keepViewport(getViewport())}
      onMove={(gesture, viewport) => {
        // Moves that were not made by the user have no event.
        if (gesture !== null) view.look = 'own';
        keepViewport(viewport);
        noteMove(viewport);
      }}
      panOnScroll={wheel === 'pan'}
      panOnScrollSpeed={1}
      zoomOnScroll={wheel === 'zoom'}
      zoomOnDoubleClick={false}
      panOnDrag={panButtons}
      selectionOnDrag
      selectionMode={SelectionMode.Partial}
      selectionKeyCode={null}
      multiSelectionKeyCode={addKeys}
      deleteKeyCode={null}
      nodesDraggable
      nodeDragThreshold={dragThreshold}
      nodesConnectable={false}
      nodesFocusable={false}
      edgesFocusable={false}
      disableKeyboardA11y
      elevateNodesOnSelect={false}
      elevateEdgesOnSelect={false}
      proOptions={noAttribution}
    >
      <CanvasGrid />
      {isPainted(props.elements.nodes.length) ? <CanvasOverview scene={page.scene} /> : null}
      <CanvasLayers {...props} />
      {hasMinimap ? (
        <CanvasMinimap
          nodes={props.elements.nodes}
          frames={props.placed.layout.frames}
          triggers={triggers}
          camera={editor.current.camera}
        />
      ) : null}
    </ReactFlow>
  );
}

/** Everything above and below the cards. */
const CanvasLayers = memo(function CanvasLayers(props: CanvasStageProps) {
  const { flow, doc, triggered, placed, elements, drawn, selection } = props;
  const [edge, ...more] = selection.chosen.edges;
  return (
    <>
      <FrameLayer {...placed} selected={selection.ids} groups={drawn.groups} />
      <GroupLayer {...placed} groups={drawn.groups} selected={selection.chosen.groups} />
      {triggered.flow.triggers === undefined ? null : (
        <Suspense fallback={null}>
          <TriggerLayer
            {...placed}
            doc={triggered}
            own={doc}
            path={flow.path}
            selected={selection.chosen.triggers}
            isCurrent={!flow.isOldVersion}
          />
        </Suspense>
      )}
      <WireLayer />
      <GuideLayer />
      {isStepFlow(doc) ? (
        <LanePlus {...placed} />
      ) : (
        <>
          <EdgeTools edges={elements.edges} selectedEdge={edge === undefined || more.length > 0 ? null : edge} />
          <PortPlus />
        </>
      )}
      {doc.nodes.length === 0 && drawn.nodes.every(({ type }) => type === 'note') ? <FirstNode /> : null}
      {flow.isDocStale ? <StaleNote flow={flow} /> : null}
      <FlowLevel path={flow.path} doc={doc} />
      <PalettePanel />
      <QuickAddPopup />
      <RenameField />
      <FindBar doc={doc} />
      <CardPopup selection={selection} explain={props.explain} />
      <AlignPopup />
    </>
  );
});

/** Pixels between dots at 100 %. */
const gridStep = 16;
/** Zoom below which every other dot is omitted. */
const coarseBelow = 0.7;

/**
 * The dots behind the cards. They are painted once per zoom level and then moved by less than a step. Repainting the
 * pattern for every frame of a pan would cost as much as all cards together.
 */
function CanvasGrid() {
  const store = useStoreApi();
  const grid = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const follow = ({ transform: [x, y, zoom] }: { transform: readonly [number, number, number] }): void => {
      const element = grid.current;
      if (element === null) return;
      const step = gridStep * zoom * (zoom < coarseBelow ? 2 : 1);
      const size = `${step}px ${step}px`;
      if (element.style.backgroundSize !== size) {
        element.style.backgroundSize = size;
        element.style.inset = `${-step}px`;
      }
      element.style.transform = `translate(${Math.round(x % step)}px, ${Math.round(y % step)}px)`;
    };
    follow(store.getState());
    return store.subscribe(follow);
  }, [store]);
  return <div className="canvas-grid" ref={grid} />;
}
