/**
 * The wire in the hand: the line, and why it may not lead to where it is held.
 */
import { useStore, ViewportPortal } from '@xyflow/react';
import { use } from 'react';
import { edgeEnds } from '../../card/card-ports.ts';
import { CanvasDirection } from '../../card/card-ports-view.tsx';
import type { FlowDirection } from '../../card/flow-direction.ts';
import { type EdgeEnds, edgeHead, edgeLine } from '../geometry/edge-path.ts';
import { type CanvasDesk, endBoxOf, useDesk } from '../state/canvas-desk.ts';
import { useMoment, type Wire } from '../state/canvas-moment.ts';
import './wire-layer.css';

export function WireLayer() {
  const wire = useMoment((moment) => moment.wire);
  return wire === null ? null : <WireLine wire={wire} />;
}

function WireLine({ wire }: { readonly wire: Wire }) {
  const desk = useDesk();
  const direction = use(CanvasDirection);
  const scale = useStore(({ transform }) => 1 / transform[2]);
  const ends = wireEnds(desk.current, wire, direction);
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

/** From its port to the pointer or, where it may lead, to the port there. */
function wireEnds(desk: CanvasDesk, wire: Wire, direction: FlowDirection): EdgeEnds | null {
  const fixed = endBoxOf(desk, wire.nodeId, wire.route);
  if (fixed === undefined) return null;
  const { target } = wire;
  const other = target?.refusal === null ? endBoxOf(desk, target.id, target.route) : undefined;
  const fromFixed = wire.port === 'source';
  const ends = fromFixed ? edgeEnds(fixed, other ?? fixed, direction) : edgeEnds(other ?? fixed, fixed, direction);
  if (other !== undefined) return ends;
  const { x, y } = wire.at;
  return fromFixed ? { ...ends, targetX: x, targetY: y } : { ...ends, sourceX: x, sourceY: y };
}
