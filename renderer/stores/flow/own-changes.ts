/**
 * Finds edits that affect only single nodes, such as a keystroke, so that everything else can be reused.
 */
import { type FlowDoc, isLoop, type NodeDoc } from '../../../engine/isomorphic.ts';

/**
 * Returns the indexes of the nodes that differ between two documents, or null if anything else differs too. With a
 * result, IDs, names, types, loops and their bodies, edges, layout and the flow's settings are the same in both.
 */
export function ownChanges(before: FlowDoc, now: FlowDoc): readonly number[] | null {
  const isAlike =
    before.flow === now.flow &&
    before.edges === now.edges &&
    before.layout === now.layout &&
    before.steps === now.steps &&
    before.nodes.length === now.nodes.length;
  if (!isAlike) return null;
  const changed: number[] = [];
  for (let index = 0; index < now.nodes.length; index++) {
    const [one, other] = [before.nodes[index], now.nodes[index]];
    if (one === other) continue;
    if (one === undefined || other === undefined || !isAlikeOutside(one, other)) return null;
    changed.push(index);
  }
  return changed;
}

function isAlikeOutside(one: NodeDoc, other: NodeDoc): boolean {
  return one.id === other.id && one.name === other.name && one.type === other.type && !isLoop(one.type);
}
