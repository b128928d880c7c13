/**
 * What the shown run says of all cards and edges at once, for painting: asked for at most once a frame, while cards of the
 * page each listen for themselves.
 */

import type { CardContent } from '../../card/card-content.ts';
import { restState } from '../../card/card-state.ts';
import type { LiveRun } from '../../stores/runs/live-runs.ts';
import { shownNodeState } from '../../stores/runs/shown-run.ts';
import { placeInRun } from '../../stores/use-flow.ts';
import type { FlowView } from '../../stores/window/selection.ts';
import type { VisualState } from '../../ui/state-icon.tsx';
import { type EdgeState, edgeState } from '../edges/edge-state.ts';
import type { SceneEdge } from './overview-scene.ts';

export interface OverviewStates {
  ofCard(content: CardContent): VisualState;
  ofEdge(edge: SceneEdge): EdgeState;
}

/** The states in a run, which is undefined when none is shown. */
export function overviewStates(run: LiveRun | undefined, items: FlowView['items']): OverviewStates {
  if (run === undefined) return { ofCard: (content) => restState(content, 'idle'), ofEdge: () => 'idle' };
  return {
    ofCard(content) {
      const node = run.state.nodes.get(placeInRun(run, content.nodeId, items));
      const shown = shownNodeState(run, node, content.isTolerated);
      return node === undefined ? restState(content, shown) : shown;
    },
    ofEdge({ id, source, target }) {
      const place = placeInRun(run, source, items);
      const prefix = place.slice(0, -source.length);
      return edgeState(run.state, { id: prefix + id, source: place, target: prefix + target });
    },
  };
}
