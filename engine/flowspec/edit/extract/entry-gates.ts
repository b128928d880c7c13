/**
 * How taken nodes are reached once they stand in a flow of their own: by the condition of an edge to the new node, or by
 * an edge from a node that begins the new flow.
 */
import type { EdgeDoc, NodeDoc, WhenExpr } from '../../flow-doc.ts';
import { isJsonMap, type JsonMap } from '../../json-value.ts';
import type { Taken } from './selection.ts';

export interface EntryGates {
  /** Whether edges to the new node keep their conditions, so that it is skipped where the only node in it would be. */
  readonly keepsConditions: boolean;
  /** What leads from the node that begins the new flow; none when it needs no such node. */
  readonly begins: readonly { readonly to: string; readonly when?: WhenExpr }[];
}

/** @param readsMarker whether somebody wants to know of a taken node why it was skipped, which a skipped call cannot tell */
export function entryGates(taken: Taken, edges: readonly EdgeDoc[], readsMarker: boolean): EntryGates {
  const isAlways = taken.edgesIn.some(({ when }) => when === undefined);
  if (taken.outer.length === 1 && (isAlways || !readsMarker)) return { keepsConditions: true, begins: [] };
  const begins = taken.outer.flatMap((to) => {
    const edgesIn = taken.edgesIn.filter((edge) => edge.to === to);
    if (edgesIn.some(({ when }) => when === undefined)) {
      const inner = edges.filter((edge) => edge.to === to && taken.ids.has(edge.from));
      return inner.length > 0 && inner.every(({ when }) => when !== undefined) ? [{ to }] : [];
    }
    return edgesIn.map(({ when }) => (when === undefined ? { to } : { to, when }));
  });
  return { keepsConditions: false, begins };
}

/** Whether a node runs whenever its graph does, and its failure ends that. */
export function isSureNode(
  node: NodeDoc,
  edgesIn: readonly { readonly when?: WhenExpr }[],
  failFast: boolean,
): boolean {
  const isReached = edgesIn.length === 0 || edgesIn.some(({ when }) => when === undefined);
  const endsRun = node.policy?.continueOnError === undefined ? failFast : !node.policy.continueOnError;
  return isReached && endsRun && node.when === undefined && node.disabled !== true;
}

/** Whether a flow goes on when a node fails that says nothing of it. */
export function hasFailFastOff(root: JsonMap): boolean {
  const flow = root['flow'];
  const policy = isJsonMap(flow) ? flow['policy'] : undefined;
  return isJsonMap(policy) && policy['failFast'] === false;
}
