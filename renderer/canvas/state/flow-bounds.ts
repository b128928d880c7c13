/**
 * All that lies on a canvas, as rectangles: what is to be seen when all of a flow is.
 */
import type { FlowDoc } from '../../../engine/isomorphic.ts';
import { boundsOf } from '../edit/arrange.ts';
import type { Rect } from '../edit/snap.ts';
import { groupFrame } from '../projection/group-frame.ts';
import { outerRect } from '../projection/loop-frames.ts';
import type { PlacedFlow } from './canvas-elements.ts';

export type FlowSheet = PlacedFlow & { readonly doc: Pick<FlowDoc, 'layout'> };

/** The rectangle around cards, containers, notes and groups, or around the cards given. Null around nothing. */
export function flowBounds({ projection, layout, doc }: FlowSheet, ids?: ReadonlySet<string>): Rect | null {
  const some = projection.nodes.filter(({ id }) => ids?.has(id) ?? true);
  const cards = (some.length === 0 ? projection.nodes : some).map((node) => outerRect(node, layout));
  if (ids !== undefined && some.length > 0) return boundsOf(cards);
  const { notes = {}, groups = {} } = doc.layout ?? {};
  const frames = Object.values(groups).flatMap((group) => groupFrame({ projection, layout }, group, null) ?? []);
  return boundsOf([...cards, ...Object.values(notes), ...frames]);
}
