/**
 * What moves along with what is dragged.
 */

import type { FlowDoc } from '../../../engine/isomorphic.ts';
import type { Chosen } from '../../stores/window/selection.ts';
import type { FlowProjection } from '../projection/flow-projection.ts';
import { withBodies } from '../projection/group-frame.ts';
import { noteKey } from '../state/canvas-ids.ts';

/** Ids on the canvas of all that a choice moves: cards, members of groups, bodies of loops, notes. */
export function movingKeys(
  { projection, doc }: { readonly projection: Pick<FlowProjection, 'nodes'>; readonly doc: Pick<FlowDoc, 'layout'> },
  { nodes, notes, groups }: Pick<Chosen, 'nodes' | 'notes' | 'groups'>,
): ReadonlySet<string> {
  const members = [...groups].flatMap((id) => doc.layout?.groups?.[id]?.nodes ?? []);
  const keys = withBodies(projection.nodes, [...nodes, ...members]);
  for (const id of notes) keys.add(noteKey(id));
  return keys;
}
