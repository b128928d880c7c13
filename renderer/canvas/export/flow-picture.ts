/**
 * Collects the contents of a picture of a flow.
 */
import type { FlowDoc, GroupDoc, NodeState, NoteDoc, TriggerDoc } from '../../../engine/isomorphic.ts';
import type { CardContent } from '../../card/card-content.ts';
import { type CardRun, cardState, takenBranch } from '../../card/card-state.ts';

import { itemText } from '../../stores/flow/node-places.ts';
import type { LiveRun } from '../../stores/runs/live/live-runs.ts';
import { shownItems } from '../../stores/runs/live/shown-items.ts';
import { placeInRun, shownStateOf } from '../../stores/runs/shown-run.ts';
import type { FlowViewState } from '../../stores/window/selection.ts';
import type { VisualState } from '../../ui/state-icon.tsx';
import { type EdgeState, edgeInRun } from '../edges/edge-state.ts';
import { edgeCorners } from '../geometry/edge-path.ts';
import type { Rect } from '../geometry/rect.ts';
import { type Area, areaAround } from '../geometry/rect.ts';
import { cardRect, type FlowWithLayout, groupFrame, type LoopFrame, outerRect } from '../projection/frames.ts';

import { startBoxes, triggerBoxes } from '../projection/trigger-boxes.ts';
import { type TriggerWires, triggerWires } from '../projection/trigger-wires.ts';
import { boxesOf } from '../state/canvas-editor.ts';
import type { RoutedEdge } from '../state/canvas-elements.ts';
import type { PlacedCard } from './card-svg.ts';
import type { PlacedTrigger } from './trigger-svg.ts';

export interface FlowPicture {
  readonly title: string;
  /** Bounds of all contents, including a margin. */
  readonly area: Area;
  readonly direction: FlowWithLayout['projection']['direction'];
  readonly cards: readonly PlacedCard[];
  readonly edges: readonly { readonly edge: RoutedEdge; readonly state: EdgeState }[];
  /** The frames of the loops, with their states. */
  readonly frames: readonly (LoopFrame & { readonly state: VisualState })[];
  readonly groups: readonly (Rect & { readonly group: GroupDoc })[];
  readonly notes: readonly NoteDoc[];
  readonly triggers: readonly PlacedTrigger[];
  /** From triggers to the nodes that every run starts with. */
  readonly wires: TriggerWires;
}

/** What is known about a trigger besides the file. */
type TriggerFacts = Pick<PlacedTrigger, 'isOn' | 'footer'>;

interface PictureSource extends FlowWithLayout {
  readonly doc: FlowDoc;
  readonly edges: readonly RoutedEdge[];
  /** The run that is shown over the flow, if any. */
  readonly run: LiveRun | undefined;
  /** The items selected in the run. */
  readonly items: FlowViewState['items'];
  readonly hidesNotes: boolean;
  readonly factsOf: (trigger: TriggerDoc) => TriggerFacts;
}

const margin = 32;

/** Returns the contents of a picture: all cards, edges, loops, groups and notes, whether or not they are in view. */
export function flowPicture(source: PictureSource): FlowPicture {
  const { doc, projection, layout, run, edges } = source;
  const { groups = {}, notes = {} } = doc.layout ?? {};
  const boxes = boxesOf(source);
  const cards = projection.nodes.map((node): PlacedCard => {
    const { content } = node;
    const outerHeight = outerRect(node, layout).height;
    return { content, ...cardRect(node, layout), outerHeight, shown: cardState(content, runOf(source, content)) };
  });
  const states = new Map(cards.map(({ content, shown }) => [content.nodeId, shown.state]));
  const parts = {
    cards,
    frames: [...layout.frames.values()].map((frame) => ({ ...frame, state: states.get(frame.loopId) ?? 'idle' })),
    groups: Object.values(groups).flatMap((group) => {
      const frame = groupFrame(source, group, null);
      return frame === null ? [] : [{ ...frame, group }];
    }),
    notes: source.hidesNotes ? [] : Object.values(notes),
    ...triggersOf(source),
  };
  return {
    title: doc.flow.name,
    direction: projection.direction,
    ...parts,
    edges: edges.map((edge) => ({ edge, state: run === undefined ? 'idle' : edgeInRun(run, edge, source.items) })),
    area: withMargin(
      areaAround([
        ...boxes.flatMap(cornersOf),
        ...parts.groups.flatMap(cornersOf),
        ...parts.notes.flatMap(cornersOf),
        ...parts.triggers.flatMap(cornersOf),
        ...parts.frames.flatMap(({ left, top, right, bottom }) => [
          { x: left, y: top },
          { x: right, y: bottom },
        ]),
        ...edges.flatMap(({ data }) =>
          data === undefined
            ? []
            : edgeCorners({ ends: data.routedEnds, route: data.route, direction: projection.direction }),
        ),
      ]),
    ),
  };
}

function triggersOf(source: PictureSource): Pick<FlowPicture, 'triggers' | 'wires'> {
  const boxes = triggerBoxes(source, source.doc);
  const triggers = (source.doc.flow.triggers ?? []).flatMap((doc): PlacedTrigger[] => {
    const box = boxes.get(doc.id);
    return box === undefined ? [] : [{ ...box, doc, ...source.factsOf(doc) }];
  });
  return { triggers, wires: triggerWires(boxes, startBoxes(source)) };
}

function runOf({ run, items }: PictureSource, content: CardContent): CardRun | undefined {
  if (run === undefined) return undefined;
  const place = placeInRun(run, content.nodeId, items);
  const node: NodeState | undefined = run.state.nodes.get(place);
  const taken = content.branches.length === 0 ? null : takenBranch(run.state, place, content);
  const { nodeId, isTolerated } = content;
  const all = shownItems(run, nodeId, { chosen: items, isTolerated });
  const stale = run.stale.get(nodeId) ?? null;
  const shown = shownStateOf(run, { nodeId, place, isTolerated });
  const item = itemText(place, run.state.tallies.loops);
  return { shown, node, progress: null, taken, stale, items: all, item };
}

function cornersOf({ x, y, width, height }: Rect): { x: number; y: number }[] {
  return [
    { x, y },
    { x: x + width, y: y + height },
  ];
}

function withMargin({ left, top, right, bottom }: Area): Area {
  // An empty flow still has an area.
  if (left > right) return { left: 0, top: 0, right: 2 * margin, bottom: 2 * margin };
  return { left: left - margin, top: top - margin, right: right + margin, bottom: bottom + margin };
}
