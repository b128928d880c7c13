/**
 * The plus buttons of a lane: between two cards, before the first and after the last. They are always visible, because
 * steps are not connected by wires.
 */
import { useStore, ViewportPortal } from '@xyflow/react';
import { Plus } from 'lucide-react';
import { cardMetrics } from '../../card/card-metrics.ts';
import { Tooltip } from '../../ui/tooltip.tsx';
import { openQuickAdd } from '../edit/open-quick-add.ts';
import type { FlowWithLayout } from '../projection/frames.ts';
import { cardRect } from '../projection/frames.ts';
import { useEditor } from '../state/canvas-editor.ts';
import { type AddTo, useInteraction } from '../state/interaction.ts';
import { text } from '../text.ts';
import './lane-plus.css';

/** Distance from the first and the last card, in flow coordinates. */
const endGap = 24;
/** Below this zoom the buttons would be too small to click. */
const leastZoom = 0.4;
/** The buttons grow as the flow shrinks, up to the space between two cards. */
const mostScale = 1.6;

interface Spot {
  readonly to: AddTo;
  readonly x: number;
  readonly y: number;
  readonly label: string;
}

export function LanePlus(placed: FlowWithLayout) {
  const editor = useEditor();
  const zoom = useStore(({ transform }) => transform[2]);
  const isBusy = useInteraction(({ dragged, quickAdd }) => dragged !== null || quickAdd !== null);
  if (isBusy || zoom < leastZoom || editor.current.readOnlyReason !== null) return null;
  const scale = Math.min(mostScale, 1 / zoom);
  return (
    <ViewportPortal>
      {spotsOf(placed).map(({ to, x, y, label }) => (
        <div
          key={label}
          className="lane-plus"
          style={{ transform: `translate(${x}px, ${y}px) scale(${scale}) translate(-50%, -50%)` }}
        >
          <Tooltip text={label}>
            <button
              type="button"
              className="canvas-tool nopan nodrag"
              // Not in the tab order, which contains only cards. Each button has a command.
              tabIndex={-1}
              aria-label={label}
              onClick={({ clientX, clientY }) =>
                openQuickAdd(editor.current, { to, pointer: { x: clientX, y: clientY }, isPlace: false })
              }
            >
              <Plus aria-hidden size={13} />
            </button>
          </Tooltip>
        </div>
      ))}
    </ViewportPortal>
  );
}

function spotsOf({ projection, layout }: FlowWithLayout): readonly Spot[] {
  const boxes = projection.nodes.flatMap((node) =>
    layout.positions.has(node.id) ? [{ id: node.id, ...cardRect(node, layout) }] : [],
  );
  return boxes.flatMap(({ id, x, y, width }, index): Spot[] => {
    const next = boxes[index + 1];
    const at = y + cardMetrics.portY;
    const end = x + width;
    const behind: Spot = {
      to: { do: 'behind', nodeId: id },
      x: next === undefined ? end + endGap : (end + next.x) / 2,
      y: at,
      label:
        next === undefined ? text.add.stepAfter({ node: id }) : text.add.stepBetween({ source: id, target: next.id }),
    };
    if (index > 0) return [behind];
    return [
      { to: { do: 'before', nodeId: id }, x: x - endGap, y: at, label: text.add.stepBefore({ node: id }) },
      behind,
    ];
  });
}
