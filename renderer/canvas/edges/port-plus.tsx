/**
 * The plus at the ways out of the card under the pointer, and at the foot of a loop.
 */
import { useStore, ViewportPortal } from '@xyflow/react';
import { Plus } from 'lucide-react';
import { type PointerEvent, use } from 'react';
import type { NodePosition } from '../../../engine/isomorphic.ts';
import { branchPorts } from '../../card/card-ports.ts';
import { CanvasDirection } from '../../card/card-ports-view.tsx';
import { branchRowHeight } from '../../card/card-sections.ts';
import { openQuickAdd } from '../edit/open-quick-add.ts';
import { edgeEnds } from '../geometry/edge-path.ts';
import { useStayHovered } from '../gestures/use-hover.ts';
import { type CanvasEditor, endBoxOf, useEditor } from '../state/canvas-editor.ts';
import { type AddTo, useInteraction } from '../state/interaction.ts';
import { ToolButton, toolPlace } from './tool-button.tsx';

/** It stands so far from the port. */
const distance = 18;
const height = 24;
/** From further away it grows no more, or it would cover the next card, and goes when it can no longer be hit. */
const mostScale = 1.4;
const leastZoom = 0.45;

interface Offer {
  readonly to: AddTo;
  readonly at: NodePosition;
  readonly label: string;
}

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
  const out = distance * scale;
  const by = direction === 'right' ? { x: out, y: 0 } : { x: 0, y: out };
  return (
    <ViewportPortal>
      {offersOf(editor.current, nodeId, scale).map(({ to, at, label }) => {
        const place = to.do === 'inside' ? at : { x: at.x + by.x, y: at.y + by.y };
        return (
          <div key={label} className="canvas-tools" style={toolPlace(place, scale)} {...stay}>
            <ToolButton
              label={label}
              onPress={({ clientX, clientY }: PointerEvent) =>
                openQuickAdd(editor.current, { to, pointer: { x: clientX, y: clientY }, isPlace: false })
              }
            >
              <Plus aria-hidden size={14} />
            </ToolButton>
          </div>
        );
      })}
    </ViewportPortal>
  );
}

/** What can be added to a card: behind it, or behind each of its ways that ends there; and into the body of a loop. */
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
    content.bodySize === null
      ? []
      : [
          {
            to: { do: 'inside', nodeId },
            at: { x: box.x + box.width / 2, y: box.y + box.height },
            label: `Add a node to the body of ${nodeId}`,
          },
        ];
  const { branches } = content;
  if (branches.length === 0) {
    return [{ to: { do: 'behind', nodeId }, at: placeAt(), label: `Add a node behind ${nodeId}` }, ...inside];
  }
  if (branchRowHeight(branches.length) < height * scale) return [];
  const bare = new Set(branches.filter(({ targets }) => targets.length === 0).map(({ route }) => route));
  return branchPorts(content, direction).flatMap(({ route, out }): Offer[] =>
    bare.has(route)
      ? [{ to: { do: 'behind', nodeId, route }, at: placeAt(out), label: `Add a node behind ${route} of ${nodeId}` }]
      : [],
  );
}
