/**
 * The line from one card to another; a light runs along it only while what it led to is at work.
 */
import type { Edge, EdgeProps } from '@xyflow/react';
import { memo, use } from 'react';
import { useShownRunPart } from '../stores/use-flow.ts';
import { CanvasPath } from './canvas-path.ts';
import { edgeHead, edgeLine } from './edge-path.ts';
import { edgeState } from './edge-state.ts';
import type { Bend } from './layout/edge-routes.ts';
import './flow-edge.css';

/** `route` is null when the layout gave none. */
export type RoutedEdge = Edge<{ readonly route: readonly Bend[] | null }, 'routed'>;

/** Length that the pulse's path claims to have; the styles count on it. */
const pulseLength = 100;

export const FlowEdge = memo(function FlowEdge(props: EdgeProps<RoutedEdge>) {
  const path = use(CanvasPath);
  const state = useShownRunPart(path, (run) => edgeState(run.state, props)) ?? 'idle';
  const line = edgeLine(props, props.data?.route ?? null);
  return (
    <>
      {state === 'live' ? <path className="flow-edge flow-edge-glow" d={line} /> : null}
      <path className="flow-edge" data-edge={state} d={line} />
      {state === 'live' ? <path className="flow-edge flow-edge-pulse" d={line} pathLength={pulseLength} /> : null}
      <path className="flow-edge-head" data-edge={state} d={edgeHead(props)} />
    </>
  );
});
