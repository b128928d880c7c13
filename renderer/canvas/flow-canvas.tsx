/**
 * The canvas of a flow: cards, edges, the run over them, and direct manipulation.
 */
import { ReactFlowProvider } from '@xyflow/react';
import {
  type KeyboardEvent,
  memo,
  type ReactNode,
  type RefObject,
  useCallback,
  useDeferredValue,
  useEffect,
  useEffectEvent,
  useMemo,
  useRef,
  useState,
} from 'react';
import { useStore } from 'zustand';
import type { StoreApi } from 'zustand/vanilla';
import type { FlowDoc } from '../../engine/isomorphic.ts';
import { CanvasDirection, FlowPath } from '../card/card-context.ts';
import { zoomLevel } from '../card/card-metrics.ts';
import { isStepFlow } from '../stores/flow/step-lane.ts';
import { decideByKey, reviewKeys } from '../stores/review/choose-difference.ts';
import { reviewedFlow, reviewedTriggers, selectedGhost } from '../stores/review/reviewed-flow.ts';
import { isBusy } from '../stores/runs/shown-run.ts';
import { useStores } from '../stores/stores-context.tsx';
import type { SettledFlow } from '../stores/use-flow.ts';
import { useIsPast, useSettledFlow, useShownRunPart } from '../stores/use-flow.ts';
import { useReview } from '../stores/use-review.ts';
import { isForSteps } from '../stores/window/canvases.ts';
import { withListedTriggers } from '../stores/workspace/triggers.ts';
import { focusFirstField } from '../ui/focus-field.ts';
import { runCommand } from './canvas-commands.ts';
import { CanvasStage } from './canvas-stage.tsx';
import { useDrawn } from './drawn-elements.ts';
import { type RetainedCardPositions, usePlaced, useRetainedCardPositions } from './edit/use-kept-places.ts';
import { useCanvasPointer } from './gestures/use-canvas-pointer.ts';
import { useLayout } from './layout/use-layout.ts';
import { usePageElements } from './page/page-elements.ts';
import { CanvasFoot } from './popups/canvas-foot.tsx';
import { EmptyCanvas } from './popups/canvas-notices.tsx';
import { useKeepFocus } from './popups/keep-focus.ts';
import { withComparison } from './projection/compared-projection.ts';
import type { FlowProjection } from './projection/flow-projection.ts';
import { type FlowWithLayout, withoutGhosts } from './projection/frames.ts';
import { canvasView, useCamera, useKeepLook, useStart } from './state/camera.ts';
import {
  boxOf,
  type CanvasEditor,
  CanvasEditorContext,
  type ChangeOptions,
  useCanvasEditor,
} from './state/canvas-editor.ts';
import { useCanvasElements, useProjection } from './state/canvas-elements.ts';

import { useCanvasSelection } from './state/canvas-selection.ts';

import { createInteraction, type Interaction, InteractionContext, useInteractionStore } from './state/interaction.ts';
import { useShowReview } from './state/show-review.ts';
import { useStillPlace } from './state/still-view.ts';

import './flow-canvas.css';

const nodesForMinimap = 40;

interface FlowCanvasProps {
  /** Path of an open flow. */
  readonly path: string;
  /** The toolbar below the canvas. */
  readonly bar?: ReactNode;
  /** Renders an explanation beside the card of the only selected node, or null. The function should be stable. */
  readonly explain?: (nodeId: string) => ReactNode;
}

const explainNothing = (): null => null;

export function FlowCanvas({ path, bar = null, explain = explainNothing }: FlowCanvasProps) {
  const flow = useSettledFlow(path);
  if (flow === undefined || flow.status !== 'ready') return null;
  if (flow.doc === null) return <EmptyCanvas flow={flow} />;
  return (
    <ReactFlowProvider key={path}>
      <ProjectedCanvas flow={flow} doc={flow.doc} bar={bar} explain={explain} />
    </ReactFlowProvider>
  );
}

interface ProjectedCanvasProps {
  readonly flow: SettledFlow;
  readonly doc: FlowDoc;
  readonly bar: ReactNode;
  readonly explain: (nodeId: string) => ReactNode;
}

/**
 * Computes the cards. A child component computes the positions, because React can yield only between components and
 * each of these steps takes a frame or more in a large flow.
 */
const ProjectedCanvas = memo(function ProjectedCanvas(props: ProjectedCanvasProps) {
  const review = useReview(props.flow.path);
  const comparison = useShownRunPart(props.flow.path, (run) => run.comparison) ?? null;
  const { doc, diagnostics } = props.flow;
  const shown = useMemo(() => (doc === null ? null : reviewedFlow(doc, review)), [doc, review]);
  const projection = useProjection({ doc: shown?.doc ?? null, diagnostics });
  return (
    <PlacedCanvas {...props} projection={withComparison(projection, comparison)} ghosts={shown?.ghosts ?? noGhosts} />
  );
});

interface PlacedCanvasProps extends ProjectedCanvasProps {
  readonly projection: FlowProjection;
  /** Ids of the nodes that are only drawn, for a review. */
  readonly ghosts: ReadonlySet<string>;
}

function PlacedCanvas({ flow, doc, bar, explain, projection: projected, ghosts }: PlacedCanvasProps) {
  const { kept, change } = useRetainedCardPositions(flow.path);
  const projection = usePlaced(projected, kept);
  const layout = useLayout(projection, canvasView(useStores(), flow.path));
  const [interaction] = useState(createInteraction);
  // The first layout of a large flow takes only a moment, and cards that jump would be worse than a short wait.
  if (layout === null) return <div className="flow-canvas" aria-busy="true" />;
  return (
    <InteractionContext value={interaction}>
      <FlowPath value={flow.path}>
        <CanvasDirection value={projection.direction}>
          <OpenCanvas
            flow={flow}
            doc={doc}
            bar={bar}
            explain={explain}
            projection={projection}
            ghosts={ghosts}
            layout={layout}
            kept={kept}
            change={change}
          />
        </CanvasDirection>
      </FlowPath>
    </InteractionContext>
  );
}

interface OpenCanvasProps extends PlacedCanvasProps, FlowWithLayout {
  readonly kept: RetainedCardPositions;
  readonly change: CanvasEditor['change'];
}

function OpenCanvas({ flow, doc, bar, explain, projection, ghosts, layout, kept, change }: OpenCanvasProps) {
  const { path } = flow;
  const isLane = isStepFlow(doc);
  const marks = useRunMarks(path);
  const stores = useStores();
  const selection = useCanvasSelection(path, doc);
  const placed = useMemo(() => ({ projection, layout }), [projection, layout]);
  const elements = useCanvasElements(placed, selection.ids);
  const page = usePageElements(elements, selection);
  const ghost = selectedGhost(useReview(path), ghosts);
  const drawn = useDrawn({ doc, kept, placed, page, selection, ghosts, ghost });
  const own = useMemo(() => withoutGhosts(placed, ghosts), [placed, ghosts]);
  const ownNodes = useMemo(() => drawn.nodes.filter(({ id }) => !ghosts.has(id)), [drawn.nodes, ghosts]);
  const [wantsMinimap, setWantsMinimap] = useState(elements.nodes.length > nodesForMinimap);
  // Deferred, so that the flow is drawn without waiting for the minimap.
  const hasMinimap = useDeferredValue(wantsMinimap, false);
  const view = canvasView(stores, path);
  const sheet = useSheet(flow, doc, placed);
  const camera = useCamera(view, sheet, bar !== null);
  const frame = useRef<HTMLDivElement>(null);
  const pointerPlace = useRef<{ x: number; y: number } | null>(null);
  const start = useStart({ frame, hasFoot: bar !== null, view, sheet });
  const interaction = useInteractionStore();
  const editor = useCanvasEditor({
    ...own,
    path,
    doc,
    readOnlyReason: flow.readOnlyReason,
    nodes: ownNodes,
    edges: elements.edges,
    selection,
    interaction,
    camera,
    frame,
    pointer: pointerPlace,
    change: useCallback(
      (wanted, options?: ChangeOptions) => {
        // After a change, the view stays where the user is working.
        view.look = 'own';
        return change(wanted, options);
      },
      [change, view],
    ),
  });
  const inspect = useCallback(() => {
    stores.panes.getState().showForm();
    requestAnimationFrame(focusInspector);
  }, [stores]);
  const pointer = useCanvasPointer(editor, { at: pointerPlace, inspect });
  useEffect(
    () =>
      stores.canvases.getState().offer(path, {
        run: (command) =>
          runCommand(
            { editor: editor.current, toggleMinimap: () => setWantsMinimap((shown) => !shown), inspect },
            command,
          ),
        // During a gesture, Escape cancels it and keeps the selection.
        can: (command) =>
          (command.do !== 'select-none' || isAtRest(interaction.getState())) && (!isLane || isForSteps(command)),
        menuSubject: pointer.menuSubject,
      }),
    [stores, path, editor, inspect, pointer, interaction, isLane],
  );
  useShowSelected(frame, editor, selection.primary);
  useShowReview(path, { ...placed, camera, view, ghost });
  const reviewByKey = useReviewKeys(path, interaction);
  useStillPlace(frame);
  useKeepLook(view, sheet, bar !== null);
  useKeepFocus(frame);
  return (
    <CanvasEditorContext value={editor}>
      <div
        className="flow-canvas"
        ref={frame}
        data-keys="canvas"
        {...reviewByKey}
        data-zoom={zoomLevel(view.viewport?.zoom ?? start?.zoom ?? 1)}
        data-stale={flow.isDocStale}
        data-lane={isLane || undefined}
        {...marks}
        {...pointer.handlers}
      >
        {start === null ? null : (
          <CanvasStage
            flow={flow}
            doc={doc}
            triggered={sheet.doc}
            placed={placed}
            elements={elements}
            page={page}
            drawn={drawn}
            selection={selection}
            view={view}
            start={start}
            frame={frame}
            hasMinimap={hasMinimap}
            explain={explain}
          />
        )}
        {start === null || bar === null ? null : (
          <CanvasFoot bar={bar} view={view} sheet={sheet} camera={camera} selected={selection.primary} />
        )}
      </div>
    </CanvasEditorContext>
  );
}

/** Returns the attributes for a run with many animated marks, and for one that is shown at an earlier moment. */
function useRunMarks(path: string) {
  const isRunBusy = useShownRunPart(path, isBusy) ?? false;
  const isPast = useIsPast(path);
  return { 'data-busy': isRunBusy || undefined, 'data-past': isPast || undefined };
}

/** Returns the positions with the flow and all triggers that are drawn. */
function useSheet({ path, isOldVersion }: SettledFlow, doc: FlowDoc, placed: FlowWithLayout) {
  const entries = useStore(useStores().triggers, (state) => state.entries);
  const review = useReview(path);
  return useMemo(
    () => ({ ...placed, doc: isOldVersion ? doc : withListedTriggers(reviewedTriggers(doc, review), path, entries) }),
    [placed, doc, path, isOldVersion, entries, review],
  );
}

/** Returns the attributes with which the canvas takes the keys of an open review. Escape first ends a gesture. */
function useReviewKeys(path: string, interaction: StoreApi<Interaction>) {
  const stores = useStores();
  if (useReview(path) === undefined) return {};
  const onKeyDown = (event: KeyboardEvent): void => {
    const { target } = event;
    if (target instanceof Element && target.closest('input, textarea, [contenteditable="true"]') !== null) return;
    if (event.key === 'Escape' && !isAtRest(interaction.getState())) return;
    if (decideByKey(stores, path, event)) event.preventDefault();
  };
  return { onKeyDown, 'data-own-keys': reviewKeys };
}

function isAtRest({ dragged, wire }: Interaction): boolean {
  return dragged === null && wire === null;
}

const noGhosts: ReadonlySet<string> = new Set();

/** Focuses the inspector, which the window frame renders beside the canvas. */
function focusInspector(): void {
  focusFirstField('.inspector');
}

/**
 * Scrolls to a node that is selected elsewhere (in the text, a list, or by an arrow key), and moves the focus from card
 * to card.
 */
function useShowSelected(
  frame: RefObject<HTMLDivElement | null>,
  editor: RefObject<CanvasEditor>,
  primary: string | null,
): void {
  const show = useEffectEvent((id: string) => {
    const { camera, interaction } = editor.current;
    const box = boxOf(editor.current, id);
    const { added } = interaction.getState();
    if (added?.id === id) interaction.setState({ added: null });
    if (box !== undefined && added?.id !== id) camera.glimpse(box);
    else if (box !== undefined && added?.isShown === true) camera.revealNew(box);
    const card = frame.current?.querySelector<HTMLElement>(`[data-card="${CSS.escape(id)}"]`);
    if (document.activeElement?.matches('[data-card],[data-trigger]') === true) card?.focus({ preventScroll: true });
  });
  useEffect(() => {
    if (primary !== null) show(primary);
  }, [primary]);
}
