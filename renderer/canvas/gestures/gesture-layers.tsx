/**
 * Visual feedback of gestures: the wire being drawn, the reason why it cannot be connected, and alignment guides for
 * dragged cards.
 */
import { useStore, ViewportPortal } from '@xyflow/react';
import { use } from 'react';
import { CanvasDirection } from '../../card/card-context.ts';
import type { FlowDirection } from '../../card/card-ports.ts';
import { type EdgeEnds, edgeEnds, edgeHead, edgeLine } from '../geometry/edge-path.ts';
import { type CanvasEditor, endBoxOf, useEditor } from '../state/canvas-editor.ts';
import { useInteraction, type Wire } from '../state/interaction.ts';
import './gesture-layers.css';

export function WireLayer() {
  const wire = useInteraction((interaction) => interaction.wire);
  return wire === null ? null : <WireLine wire={wire} />;
}

function WireLine({ wire }: { readonly wire: Wire }) {
  const editor = useEditor();
  const direction = use(CanvasDirection);
  const scale = useStore(({ transform }) => 1 / transform[2]);
  const ends = wireEnds(editor.current, wire, direction);
  if (ends === null) return null;
  const { target, at } = wire;
  const state = target === null ? 'free' : target.refusal === null ? 'valid' : 'refused';
  return (
    <ViewportPortal>
      <svg className="wire" data-wire={state} aria-hidden="true">
        <path className="wire-line" d={edgeLine({ ends, route: null, direction })} />
        <path className="wire-head" d={edgeHead(ends, direction)} />
      </svg>
      {target?.refusal == null ? null : (
        <div
          className="wire-refusal"
          role="status"
          style={{ transform: `translate(${at.x}px, ${at.y}px) scale(${scale}) translate(14px, 14px)` }}
        >
          {target.refusal}
        </div>
      )}
    </ViewportPortal>
  );
}

/** Returns the ends of the wire: from its port to the pointer, or to a port that it can be connected to. */
function wireEnds(editor: CanvasEditor, wire: Wire, direction: FlowDirection): EdgeEnds | null {
  const fixed = endBoxOf(editor, wire.nodeId, wire.route);
  if (fixed === undefined) return null;
  const { target } = wire;
  const other = target?.refusal === null ? endBoxOf(editor, target.id, target.route) : undefined;
  const fromFixed = wire.port === 'source';
  const ends = fromFixed ? edgeEnds(fixed, other ?? fixed, direction) : edgeEnds(other ?? fixed, fixed, direction);
  if (other !== undefined) return ends;
  const { x, y } = wire.at;
  return fromFixed ? { ...ends, targetX: x, targetY: y } : { ...ends, sourceX: x, sourceY: y };
}

export function GuideLayer() {
  const guides = useInteraction((interaction) => interaction.guides);
  const slot = useInteraction((interaction) => interaction.laneSlot);
  const pixel = useStore(({ transform }) => 1 / transform[2]);
  if (guides.length === 0 && slot === null) return null;
  return (
    <ViewportPortal>
      {slot === null ? null : (
        <div className="lane-slot" style={{ left: slot.x, top: slot.top, height: slot.bottom - slot.top }} />
      )}
      {guides.map(({ axis, at, from, to }) => (
        <div
          key={axis}
          className="guide"
          style={
            axis === 'x'
              ? { left: at - pixel / 2, top: from - 12, width: pixel, height: to - from + 24 }
              : { left: from - 12, top: at - pixel / 2, width: to - from + 24, height: pixel }
          }
        />
      ))}
    </ViewportPortal>
  );
}
