/**
 * The canvas of a flow: cards and edges, the run over them, and the ways to look around. It shows and never edits.
 */
import { Panel, ReactFlow, ReactFlowProvider, SelectionMode, type Viewport } from '@xyflow/react';
import { type RefObject, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import type { OpenFlow } from '../stores/open-flows.ts';
import { useStores } from '../stores/stores-context.tsx';
import { useOpenFlow } from '../stores/use-flow.ts';
import { leastZoom, mostZoom, useCamera, useKeepLook, useStart } from './camera.ts';
import { type CommandParts, runCommand } from './canvas-commands.ts';
import { CanvasControls } from './canvas-controls.tsx';
import { type PlacedFlow, useCanvasElements, useProjection } from './canvas-elements.ts';
import { CanvasGrid } from './canvas-grid.tsx';
import { canvasCommand } from './canvas-keys.ts';
import { CanvasMinimap } from './canvas-minimap.tsx';
import { CanvasOverview } from './canvas-overview.tsx';
import { CanvasPath } from './canvas-path.ts';
import { useCanvasSelection } from './canvas-selection.ts';
import { canvasView, zoomLevel } from './canvas-view.ts';
import { CanvasDirection } from './card-ports-view.tsx';
import { EmptyCanvas } from './empty-canvas.tsx';
import { FlowEdge } from './flow-edge.tsx';
import { FrameLayer } from './frame-layer.tsx';
import { NodeCard } from './node-card.tsx';
import { isPainted } from './page-cards.ts';
import { usePageElements } from './page-elements.ts';
import { useLayout } from './use-layout.ts';
import '@xyflow/react/dist/base.css';
import './flow-canvas.css';

const nodeTypes = { card: NodeCard };
const edgeTypes = { routed: FlowEdge };
const panButtons = [1];
const addKeys = ['Shift', 'Meta', 'Control'];
const noAttribution = { hideAttribution: true };
/** From here on React Flow draws only what can be seen. */
const manyNodes = 300;
const nodesForMinimap = 40;

export interface FlowCanvasProps {
  /** An open flow. */
  readonly path: string;
}

export function FlowCanvas({ path }: FlowCanvasProps) {
  const flow = useOpenFlow(path);
  if (flow === undefined || flow.status !== 'ready') return null;
  if (flow.doc === null || flow.doc.nodes.length === 0) return <EmptyCanvas flow={flow} />;
  return (
    <ReactFlowProvider key={path}>
      <PlacedCanvas flow={flow} />
    </ReactFlowProvider>
  );
}

function PlacedCanvas({ flow }: { readonly flow: OpenFlow }) {
  const projection = useProjection(flow);
  const layout = useLayout(projection);
  // The first layout of a large flow is a matter of a moment, and cards that jump would be worse.
  if (layout === null) return <div className="flow-canvas" aria-busy="true" />;
  return <OpenCanvas path={flow.path} projection={projection} layout={layout} />;
}

interface OpenCanvasProps extends PlacedFlow {
  readonly path: string;
}

function OpenCanvas({ path, projection, layout }: OpenCanvasProps) {
  const stores = useStores();
  const selection = useCanvasSelection(path);
  const placed = useMemo(() => ({ projection, layout }), [projection, layout]);
  const elements = useCanvasElements(placed, selection.ids);
  const count = elements.nodes.length;
  const page = usePageElements(elements, selection);
  const [hasMinimap, setHasMinimap] = useState(count > nodesForMinimap);
  const view = canvasView(stores, path);
  const camera = useCamera(view, placed);
  const frame = useRef<HTMLDivElement>(null);
  const start = useStart(frame, view, placed);
  const parts: CommandParts = {
    elements,
    selection,
    camera,
    toggleMinimap: () => setHasMinimap((shown) => !shown),
    inspect() {
      stores.panes.getState().setOpen('inspector', true);
      requestAnimationFrame(focusInspector);
    },
  };
  useCanvasKeys(frame, parts);
  useShowSelected(frame, parts);
  useKeepLook(view, placed);

  const keepViewport = (viewport: Viewport): void => {
    view.viewport = viewport;
    if (frame.current !== null) frame.current.dataset['zoom'] = zoomLevel(viewport.zoom);
  };
  return (
    <CanvasPath value={path}>
      <CanvasDirection value={projection.direction}>
        <div className="flow-canvas" ref={frame} data-zoom={zoomLevel(view.viewport?.zoom ?? start?.zoom ?? 1)}>
          {start === null ? null : (
            <ReactFlow
              aria-label={`Canvas of ${path}`}
              onFocus={({ target }) => {
                const id = target.dataset['card'];
                if (id !== undefined && target.matches(':focus-visible')) selection.select([id], id);
              }}
              nodes={page.nodes}
              edges={page.edges}
              nodeTypes={nodeTypes}
              edgeTypes={edgeTypes}
              onNodesChange={selection.applyChanges}
              onlyRenderVisibleElements={page.nodes.length > manyNodes}
              onPointerMove={page.gestures.onPointerMove}
              onPaneClick={page.gestures.onPaneClick}
              minZoom={leastZoom}
              maxZoom={mostZoom}
              defaultViewport={start}
              onInit={({ getViewport }) => keepViewport(getViewport())}
              onMove={(gesture, viewport) => {
                // Moves that nobody's hand made come without an event.
                if (gesture !== null) view.look = 'own';
                keepViewport(viewport);
              }}
              panOnScroll
              panOnScrollSpeed={1}
              zoomOnScroll={false}
              zoomOnDoubleClick={false}
              panOnDrag={panButtons}
              selectionOnDrag
              selectionMode={SelectionMode.Partial}
              selectionKeyCode={null}
              multiSelectionKeyCode={addKeys}
              deleteKeyCode={null}
              nodesDraggable={false}
              nodesConnectable={false}
              nodesFocusable={false}
              edgesFocusable={false}
              disableKeyboardA11y
              elevateNodesOnSelect={false}
              proOptions={noAttribution}
            >
              <CanvasGrid />
              {isPainted(count) ? <CanvasOverview scene={page.scene} /> : null}
              <FrameLayer frames={elements.frames} />
              <Panel position="bottom-center">
                <CanvasControls hasMinimap={hasMinimap} onCommand={(command) => runCommand(parts, command)} />
              </Panel>
              {hasMinimap ? <CanvasMinimap nodes={elements.nodes} camera={camera} /> : null}
            </ReactFlow>
          )}
        </div>
      </CanvasDirection>
    </CanvasPath>
  );
}

/** Puts the keyboard into the inspector, which the window's frame draws beside the canvas. */
function focusInspector(): void {
  document.querySelector<HTMLElement>('.inspector :is(button, [tabindex="0"])')?.focus();
}

/** Keys work while the focus is on the canvas or nowhere; fields, dialogs and the text keep theirs. */
function useCanvasKeys(frame: RefObject<HTMLDivElement | null>, parts: CommandParts): void {
  const press = useEffectEvent((event: KeyboardEvent) => {
    const { target } = event;
    if (!(target instanceof Node) || (target !== document.body && !frame.current?.contains(target))) return;
    const command = event.defaultPrevented ? null : canvasCommand(event);
    // Enter on a button is for the button.
    if (command === null || (command.do === 'inspect' && target instanceof HTMLButtonElement)) return;
    event.preventDefault();
    runCommand(parts, command);
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent): void => press(event);
    window.addEventListener('keydown', listener);
    return () => window.removeEventListener('keydown', listener);
  }, []);
}

/** A node selected elsewhere (in the text, a list, by an arrow key) comes into view, and the focus goes from card to card. */
function useShowSelected(frame: RefObject<HTMLDivElement | null>, parts: CommandParts): void {
  const { elements, selection, camera } = parts;
  const show = useEffectEvent((id: string) => {
    const place = elements.layout.positions.get(id);
    const height = elements.projection.nodes.find((node) => node.id === id)?.height;
    if (place !== undefined && height !== undefined) camera.reveal({ ...place, height });
    const card = frame.current?.querySelector<HTMLElement>(`[data-card="${CSS.escape(id)}"]`);
    if (document.activeElement?.hasAttribute('data-card')) card?.focus({ preventScroll: true });
  });
  const { primary } = selection;
  useEffect(() => {
    if (primary !== null) show(primary);
  }, [primary]);
}
