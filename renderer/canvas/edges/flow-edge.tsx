/**
 * The line between two cards, with its condition. A light moves along it while its target is running.
 */

import { type EdgeProps, Position } from '@xyflow/react';
import { memo, use } from 'react';
import type { RunSide } from '../../../engine/isomorphic.ts';
import { FlowPath } from '../../card/card-context.ts';
import { failureBranch } from '../../stores/flow/branches.ts';
import { nameOfEdge } from '../../stores/review/reviewed-flow.ts';
import { useChosenItems, useShownRunPart } from '../../stores/use-flow.ts';
import { useReviewMark } from '../../stores/use-review.ts';
import { carriedRoute, type DrawnEdge, edgeHead, edgeLine, labelPlace } from '../geometry/edge-path.ts';
import { type EdgeLabel, labelSize, lineOffset } from '../projection/edge-label.ts';
import type { RoutedEdge } from '../state/canvas-elements.ts';
import { useInteraction } from '../state/interaction.ts';
import { type EdgeState, edgeInRun } from './edge-state.ts';
import './flow-edge.css';

/** Nominal path length of the pulse. The styles depend on it. */
const pulseLength = 100;

/** While one of its cards is dragged, an edge uses a default route instead of the layout's. */
function drawnEdge(props: EdgeProps<RoutedEdge>): DrawnEdge {
  const { route = null, routedEnds } = props.data ?? {};
  const direction = props.sourcePosition === Position.Bottom ? 'down' : 'right';
  return { ends: props, route: routedEnds === undefined ? null : carriedRoute(route, routedEnds, props), direction };
}

export const FlowEdge = memo(function FlowEdge(props: EdgeProps<RoutedEdge>) {
  const path = use(FlowPath);
  const chosen = useChosenItems(path);
  const mark = useReviewMark(path, 'edges', nameOfEdge(props.id))?.kind;
  const state = useShownRunPart(path, (run) => edgeInRun(run, props, chosen)) ?? 'idle';
  const takenOnlyIn = useShownRunPart(path, ({ comparison }) => comparison?.edges.get(props.id));
  const label = props.data?.label ?? null;
  const edge = drawnEdge(props);
  const { id, selected = false } = props;
  const hand = useInteraction(({ dropEdge, wire }) => (dropEdge === id ? 'drop' : wire?.edgeId === id ? 'held' : null));
  const look = hand ?? (selected ? 'selected' : 'rest');
  const line = edgeLine(edge);
  const isFailure = props.sourceHandleId === failureBranch || undefined;
  return (
    <>
      <path className="flow-edge-hit react-flow__edge-interaction" d={line} />
      {state === 'live' ? <path className="flow-edge flow-edge-glow" d={line} /> : null}
      <path
        className="flow-edge"
        data-mark={mark}
        data-edge={state}
        data-failure={isFailure}
        data-only={takenOnlyIn}
        data-look={look}
        d={line}
      />
      {state === 'live' ? <path className="flow-edge flow-edge-pulse" d={line} pathLength={pulseLength} /> : null}
      <path
        className="flow-edge-head"
        data-mark={mark}
        data-edge={state}
        data-look={look}
        d={edgeHead(props, edge.direction)}
      />
      {mark === undefined || mark === 'layout' ? null : <EdgeBead edge={edge} kind={mark} sign={beadSigns[mark]} />}
      {takenOnlyIn === undefined ? null : <EdgeBead edge={edge} kind={takenOnlyIn} sign={takenOnlyIn.toUpperCase()} />}
      {label === null ? null : (
        <Label edge={edge} label={label} side={props.data?.labelSide ?? 'target'} state={state} />
      )}
    </>
  );
});

const beadSigns = { added: '+', removed: '−', changed: '~' } as const;
const beadRadius = 7;

/**
 * A sign on an edge that a review adds, removes or changes, or that only one of two compared runs took, so that its
 * color is not the only sign.
 */
function EdgeBead({ edge, kind, sign }: { edge: DrawnEdge; kind: keyof typeof beadSigns | RunSide; sign: string }) {
  const { x, y } = labelPlace(edge, { width: 2 * beadRadius, height: 2 * beadRadius, side: 'source' });
  return (
    <g className="flow-edge-bead" data-mark={kind}>
      <circle cx={x} cy={y} r={beadRadius} />
      <text x={x} y={y + 4}>
        {sign}
      </text>
    </g>
  );
}

interface LabelProps {
  readonly edge: DrawnEdge;
  readonly label: EdgeLabel;
  readonly side: 'source' | 'target';
  readonly state: EdgeState;
}

function Label({ edge, label, side, state }: LabelProps) {
  const { width, height } = labelSize(label);
  const { x, y } = labelPlace(edge, { width, height, side });
  return (
    <g className="flow-edge-label" data-edge={state}>
      <title>{label.title}</title>
      <rect x={x - width / 2} y={y - height / 2} width={width} height={height} rx={9} />
      {label.lines.map((line, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines have no names
        <text key={index} x={x} y={y + lineOffset(label, index)}>
          {line}
        </text>
      ))}
    </g>
  );
}
