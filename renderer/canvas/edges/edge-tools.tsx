/**
 * What can be done to an edge at the edge: put a node into it, delete it, take its ends elsewhere.
 */
import { useStore, ViewportPortal } from '@xyflow/react';
import { Plus, Trash2 } from 'lucide-react';
import { use } from 'react';
import type { FlowDirection } from '../../card/card-ports.ts';
import { CanvasDirection } from '../../card/card-ports-view.tsx';
import { openQuickAdd } from '../edit/open-quick-add.ts';
import { lengthOf, middleOf } from '../geometry/edge-path.ts';
import { useStayHovered } from '../gestures/use-hover.ts';
import { type CanvasEditor, mayEdit, useEditor } from '../state/canvas-editor.ts';
import type { RoutedEdge } from '../state/canvas-elements.ts';
import { useInteraction } from '../state/interaction.ts';
import './edge-tools.css';
import { ToolButton, toolPlace } from './tool-button.tsx';

/** The ends to grab stand so far from the ports, in pixels of the screen. */
const endDistance = 16;
/** From here on an edge has room for its ends and its buttons, in pixels of the screen. */
const roomyLength = 116;
const leastLength = 36;
const asideDistance = 24;

export interface EdgeToolsProps {
  readonly edges: readonly RoutedEdge[];
  /** The only edge that is selected; null when it is none or several. */
  readonly selectedEdge: string | null;
}

/** For the edge under the pointer, else for the one that is selected. */
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
  // A short edge has no room for all of it: the buttons stand beside it, and a very short one has no ends to grab.
  const aside = length < roomyLength * scale ? asideDistance * scale : 0;
  const out = Math.min(endDistance * scale, length / 4);
  return (
    <ViewportPortal>
      <div className="canvas-tools" style={toolPlace({ x, y: y - aside }, scale)} {...stay}>
        <ToolButton
          label="Put a node into the edge"
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
        <ToolButton label="Delete the edge" onPress={() => removeEdge(editor.current, edge.id)}>
          <Trash2 aria-hidden size={13} />
        </ToolButton>
      </div>
      {length < leastLength * scale ? null : (
        <>
          <EdgeEnd edge={edge} end="source" {...{ scale, direction, out }} />
          <EdgeEnd edge={edge} end="target" {...{ scale, direction, out }} />
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
  /** How far from its port it stands, in the flow. */
  readonly out: number;
}

/** A handle for one end; the wire gesture finds it by its data. */
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
      title="Drag to another node"
      data-wire-end={end}
      data-edge={edge.id}
      data-node={end === 'source' ? edge.target : edge.source}
      style={toolPlace(place, scale)}
      {...stay}
    />
  );
}
