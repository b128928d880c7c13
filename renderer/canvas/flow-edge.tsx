/**
 * The line from one card to another, with its condition; a light runs along it only while what it led to is at work.
 */
import type { Edge, EdgeProps } from '@xyflow/react';
import { memo, use } from 'react';
import type { LiveRun } from '../stores/live-runs.ts';
import { useNodePart } from '../stores/use-flow.ts';
import { CanvasPath } from './canvas-path.ts';
import { type EdgeLabel, labelWidth } from './edge-label.ts';
import { edgeHead, edgeLine, labelPlace } from './edge-path.ts';
import { type EdgeState, edgeState } from './edge-state.ts';
import type { Bend } from './layout/edge-routes.ts';
import './flow-edge.css';

interface EdgeData extends Record<string, unknown> {
  /** Null when the layout gave none. */
  readonly route: readonly Bend[] | null;
  readonly label: EdgeLabel | null;
  /** Near which end the label stands. */
  readonly labelSide: 'source' | 'target';
}

export type RoutedEdge = Edge<EdgeData, 'routed'>;

/** Length that the pulse's path claims to have; the styles count on it. */
const pulseLength = 100;

/** The edge in the run: one in a body is decided anew for each item. `place` is that of its source. */
function stateInRun({ state }: LiveRun, place: string, { id, source, target }: EdgeProps<RoutedEdge>): EdgeState {
  const prefix = place.slice(0, -source.length);
  return edgeState(state, { id: prefix + id, source: place, target: prefix + target });
}

export const FlowEdge = memo(function FlowEdge(props: EdgeProps<RoutedEdge>) {
  const path = use(CanvasPath);
  const state = useNodePart(path, props.source, (run, place) => stateInRun(run, place, props)) ?? 'idle';
  const { route = null, label = null } = props.data ?? {};
  const line = edgeLine(props, route);
  return (
    <>
      {state === 'live' ? <path className="flow-edge flow-edge-glow" d={line} /> : null}
      <path className="flow-edge" data-edge={state} d={line} />
      {state === 'live' ? <path className="flow-edge flow-edge-pulse" d={line} pathLength={pulseLength} /> : null}
      <path className="flow-edge-head" data-edge={state} d={edgeHead(props)} />
      {label === null ? null : <Label edge={props} label={label} state={state} />}
    </>
  );
});

interface LabelProps {
  readonly edge: EdgeProps<RoutedEdge>;
  readonly label: EdgeLabel;
  readonly state: EdgeState;
}

const labelHeight = 18;

function Label({ edge, label, state }: LabelProps) {
  const width = labelWidth(label);
  const { route = null, labelSide: side = 'target' } = edge.data ?? {};
  const { x, y } = labelPlace(edge, route, { width, side });
  return (
    <g className="flow-edge-label" data-edge={state}>
      <title>{label.title}</title>
      <rect x={x - width / 2} y={y - labelHeight / 2} width={width} height={labelHeight} rx={9} />
      <text x={x} y={y}>
        {label.text}
      </text>
    </g>
  );
}
