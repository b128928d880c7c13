/**
 * Tools that edit edges in place: insert a node, delete the edge, move its ends, and add a node after a branch of a
 * card.
 */
import { useStore, ViewportPortal } from '@xyflow/react';
import { Plus, Trash2, TriangleAlert } from 'lucide-react';
import { type PointerEvent, type ReactNode, use } from 'react';
import type { NodePosition } from '../../../engine/isomorphic.ts';
import type { CardContent } from '../../card/card-content.ts';
import { CanvasDirection } from '../../card/card-context.ts';
import { cardMetrics } from '../../card/card-metrics.ts';
import { branchPorts, type FlowDirection, outOf } from '../../card/card-ports.ts';
import { branchRowHeight } from '../../card/card-sections.ts';
import { failureBranch, wayName } from '../../stores/flow/branches.ts';
import { Tooltip } from '../../ui/tooltip.tsx';
import { openQuickAdd } from '../edit/open-quick-add.ts';
import { edgeEnds, lengthOf, middleOf } from '../geometry/edge-path.ts';
import { useStayHovered } from '../gestures/use-hover.ts';
import { type CanvasEditor, endBoxOf, mayEdit, useEditor } from '../state/canvas-editor.ts';
import type { RoutedEdge } from '../state/canvas-elements.ts';
import { type AddTo, useInteraction, useInteractionStore } from '../state/interaction.ts';
import { text } from '../text.ts';
import './edge-tools.css';

/** Distance of the end handles from the ports, in screen pixels. */
const endDistance = 16;
/** Minimum length for an edge to show its end handles and its buttons, in screen pixels. */
const roomyLength = 116;
const leastLength = 36;
const asideDistance = 24;

interface EdgeToolsProps {
  readonly edges: readonly RoutedEdge[];
  /** The selected edge. Null if none or several are selected. */
  readonly selectedEdge: string | null;
}

/** Tools for the edge under the pointer, or else for the selected edge. */
export function EdgeTools({ edges, selectedEdge }: EdgeToolsProps) {
  const hovered = useInteraction(({ hoveredEdge }) => hoveredEdge);
  const isBusy = useInteraction(
    ({ wire, dragged, quickAdd }) => wire !== null || dragged !== null || quickAdd !== null,
  );
  const id = hovered ?? selectedEdge;
  const edge = isBusy ? undefined : edges.find((candidate) => candidate.id === id);
  return edge === undefined ? null : <ToolsOf edge={edge} />;
}

function ToolsOf({ edge }: { readonly edge: RoutedEdge }) {
  const editor = useEditor();
  const direction = use(CanvasDirection);
  const scale = useStore(({ transform }) => 1 / transform[2]);
  const stay = useStayHovered({ hoveredEdge: edge.id });
  const { data } = edge;
  if (data === undefined) return null;
  const ends = data.routedEnds;
  const drawn = { ends, route: data.route, direction };
  const { x, y } = middleOf(drawn);
  const length = lengthOf(drawn);
  // A short edge cannot hold all tools: its buttons are placed beside it, and a very short edge has no end handles.
  const aside = length < roomyLength * scale ? asideDistance * scale : 0;
  const out = Math.min(endDistance * scale, length / 4);
  return (
    <ViewportPortal>
      <div className="canvas-tools" style={toolPlace({ x, y: y - aside }, scale)} {...stay}>
        <ToolButton
          label={text.edges.insert}
          onPress={({ clientX, clientY }) =>
            openQuickAdd(editor.current, {
              to: { do: 'into', edgeId: edge.id },
              pointer: { x: clientX, y: clientY },
              isPlace: false,
            })
          }
        >
          <Plus aria-hidden size={14} />
        </ToolButton>
        <ToolButton label={text.edges.delete} onPress={() => removeEdge(editor.current, edge.id)}>
          <Trash2 aria-hidden size={13} />
        </ToolButton>
      </div>
      {length < leastLength * scale ? null : (
        <>
          <EdgeEnd edge={edge} end="source" scale={scale} direction={direction} out={out} />
          <EdgeEnd edge={edge} end="target" scale={scale} direction={direction} out={out} />
        </>
      )}
    </ViewportPortal>
  );
}

function removeEdge(editor: CanvasEditor, edgeId: string): void {
  if (mayEdit(editor)) void editor.change({ do: 'remove', nodes: [], edges: [edgeId] });
}

interface EdgeEndProps {
  readonly edge: RoutedEdge;
  readonly end: 'source' | 'target';
  readonly scale: number;
  readonly direction: FlowDirection;
  /** Distance from its port, in flow coordinates. */
  readonly out: number;
}

/** A handle for one end. The wire gesture finds it by its data attributes. */
function EdgeEnd({ edge, end, scale, direction, out }: EdgeEndProps) {
  const stay = useStayHovered({ hoveredEdge: edge.id });
  const ends = edge.data?.routedEnds;
  if (ends === undefined) return null;
  const by = end === 'source' ? out : -out;
  const at = end === 'source' ? { x: ends.sourceX, y: ends.sourceY } : { x: ends.targetX, y: ends.targetY };
  const place = direction === 'right' ? { x: at.x + by, y: at.y } : { x: at.x, y: at.y + by };
  return (
    <div
      className="edge-end nopan nodrag"
      title={text.edges.dragEnd}
      data-wire-end={end}
      data-edge={edge.id}
      data-node={end === 'source' ? edge.target : edge.source}
      style={toolPlace(place, scale)}
      {...stay}
    />
  );
}

/** Returns the transform of a tool at a position in the flow, scaled by `scale`. */
function toolPlace({ x, y }: { readonly x: number; readonly y: number }, scale: number): { transform: string } {
  return { transform: `translate(${x}px, ${y}px) scale(${scale}) translate(-50%, -50%)` };
}

interface ToolButtonProps {
  readonly label: string;
  readonly onPress: (event: PointerEvent) => void;
  readonly children: ReactNode;
}

/** A button on the canvas. It is not in the tab order, because each button has a command. */
function ToolButton({ label, onPress, children }: ToolButtonProps) {
  const interaction = useInteractionStore();
  return (
    <Tooltip text={label}>
      <button
        type="button"
        className="canvas-tool nopan nodrag"
        tabIndex={-1}
        aria-label={label}
        onClick={(event) => {
          interaction.setState({ hoveredEdge: null, hoveredCard: null });
          onPress(event as unknown as PointerEvent);
        }}
      >
        {children}
      </button>
    </Tooltip>
  );
}

/** Distance of the plus button from the port. */
const plusDistance = 18;
const plusHeight = 24;
/**
 * Maximum scale. A larger button would cover the next card. Below `leastZoom` the buttons are hidden, because they
 * would be too small to click.
 */
const mostScale = 1.4;
const leastZoom = 0.45;

interface Offer {
  readonly to: AddTo;
  readonly at: NodePosition;
  readonly label: string;
  /** Set if a wire can be drawn from it for a failure branch that the card does not have yet. */
  readonly isNewWay?: true;
}

/** The plus buttons at the branches of the card under the pointer and at the bottom of a loop. */
export function PortPlus() {
  const hovered = useInteraction(({ hoveredCard }) => hoveredCard);
  const isBusy = useInteraction(
    ({ wire, dragged, quickAdd }) => wire !== null || dragged !== null || quickAdd !== null,
  );
  return hovered === null || isBusy ? null : <PlusOf nodeId={hovered} />;
}

function PlusOf({ nodeId }: { readonly nodeId: string }) {
  const editor = useEditor();
  const direction = use(CanvasDirection);
  const zoom = useStore(({ transform }) => transform[2]);
  const stay = useStayHovered({ hoveredCard: nodeId });
  const scale = Math.min(mostScale, 1 / zoom);
  if (zoom < leastZoom) return null;
  const out = plusDistance * scale;
  const by = direction === 'right' ? { x: out, y: 0 } : { x: 0, y: out };
  return (
    <ViewportPortal>
      {offersOf(editor.current, nodeId, scale).map(({ to, at, label, isNewWay }) => {
        const place = to.do === 'inside' ? at : { x: at.x + by.x, y: at.y + by.y };
        const wire = isNewWay === true ? { 'data-wire-way': failureBranch, 'data-node': nodeId } : {};
        return (
          <div key={label} className="canvas-tools" style={toolPlace(place, scale)} {...wire} {...stay}>
            <ToolButton
              label={label}
              onPress={({ clientX, clientY }: PointerEvent) =>
                openQuickAdd(editor.current, { to, pointer: { x: clientX, y: clientY }, isPlace: false })
              }
            >
              {isNewWay === true ? (
                <TriangleAlert aria-hidden className="canvas-tool-failure" size={13} />
              ) : (
                <Plus aria-hidden size={14} />
              )}
            </ToolButton>
          </div>
        );
      })}
    </ViewportPortal>
  );
}

/**
 * Returns what can be added to a card: a node after it, after each of its unconnected branches, and in a loop body.
 */
function offersOf(editor: CanvasEditor, nodeId: string, scale: number): Offer[] {
  const box = endBoxOf(editor, nodeId, null);
  const { nodes, direction } = editor.projection;
  const content = nodes.find(({ id }) => id === nodeId)?.content;
  if (box === undefined || content === undefined) return [];
  const placeAt = (out?: number): NodePosition => {
    const { sourceX, sourceY } = edgeEnds({ ...box, out }, box, direction);
    return { x: sourceX, y: sourceY };
  };
  const inside: Offer[] =
    // An empty body has its own button, which this one would cover while it is pressed.
    content.bodySize === null || content.bodySize === 0
      ? []
      : [
          {
            to: { do: 'inside', nodeId },
            at: { x: box.x + box.width / 2, y: box.y + box.height },
            label: text.add.inside({ node: nodeId }),
          },
        ];
  const { branches } = content;
  const behind: Offer[] = branches.some(({ route }) => route !== failureBranch)
    ? []
    : [{ to: { do: 'behind', nodeId }, at: placeAt(), label: text.add.after({ node: nodeId }) }];
  const isTight = branches.length > 0 && branchRowHeight(branches.length) < plusHeight * scale;
  const bare = new Set(branches.filter(({ targets }) => targets.length === 0).map(({ route }) => route));
  const rows = branchPorts(content, direction).flatMap(({ route, out }): Offer[] =>
    bare.has(route) && !isTight
      ? [{ to: { do: 'behind', nodeId, route }, at: placeAt(out), label: wayLabel(nodeId, route) }]
      : [],
  );
  return [...behind, ...rows, ...newWay(editor, content, scale), ...inside];
}

function wayLabel(nodeId: string, route: string): string {
  return route === failureBranch
    ? text.add.onFailure({ node: nodeId })
    : text.add.afterBranch({ node: nodeId, branch: wayName(route) });
}

/** Offers a failure branch for a card that has none, if there is room for it beside the other tools. */
function newWay(editor: CanvasEditor, content: CardContent, scale: number): Offer[] {
  const { nodeId, branches } = content;
  const { direction } = editor.projection;
  const out = outOf(content, failureBranch, direction);
  const box = endBoxOf(editor, nodeId, failureBranch);
  const isThere = branches.some(({ route }) => route === failureBranch);
  const room = Math.abs((out ?? 0) - (direction === 'right' ? cardMetrics.portY : cardMetrics.width / 2));
  if (isThere || box === undefined || room < plusHeight * scale) return [];
  const { sourceX: x, sourceY: y } = edgeEnds(box, box, direction);
  const label = text.add.dragFailure({ node: nodeId });
  return [{ to: { do: 'behind', nodeId, route: failureBranch }, at: { x, y }, label, isNewWay: true }];
}
