/**
 * Edits that concern nothing but single nodes, such as a letter in a text: what is drawn of all the rest still holds.
 */
import { type FlowDoc, isLoop, type NodeDoc } from '../../../engine/isomorphic.ts';

/**
 * Returns the places in the list of nodes where two documents differ, if they differ only inside of nodes; else null. What other
 * nodes and edges depend on is the same in both: ids, names, types, loops with their bodies, edges, layout and settings of the flow.
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
