/**
 * What moves along with what is dragged.
 */

import type { FlowDoc } from '../../../engine/isomorphic.ts';
import type { Chosen } from '../../stores/selection.ts';
import { noteKey } from '../canvas-ids.ts';
import type { FlowProjection } from '../flow-projection.ts';

/** Ids on the canvas of all that a choice moves: cards, members of groups, bodies of loops, notes. */
export function movingKeys(
  { projection, doc }: { readonly projection: Pick<FlowProjection, 'nodes'>; readonly doc: Pick<FlowDoc, 'layout'> },
  { nodes, notes, groups }: Pick<Chosen, 'nodes' | 'notes' | 'groups'>,
): ReadonlySet<string> {
  const keys = new Set(nodes);
  for (const id of groups) for (const member of doc.layout?.groups?.[id]?.nodes ?? []) keys.add(member);
  // A loop may stand behind its body in the file, and bodies hold loops.
  let before: number;
  do {
    before = keys.size;
    for (const { id, loopId } of projection.nodes) if (loopId !== null && keys.has(loopId)) keys.add(id);
  } while (keys.size > before);
  for (const id of notes) keys.add(noteKey(id));
  return keys;
}
