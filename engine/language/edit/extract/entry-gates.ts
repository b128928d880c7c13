/**
 * Determines how extracted nodes are reached in the new flow: by the condition of an edge to the new node, or by an
 * edge from a start node in the new flow.
 */
import type { EdgeDoc, NodeDoc, WhenExpr } from '../../flow/flow-doc.ts';
import { isJsonMap, type JsonMap } from '../../json/json-value.ts';
import type { ExtractSelection } from './selection.ts';

export interface EntryGates {
  /** Whether edges to the new node keep their conditions, so that it is skipped whenever its only node would be. */
  readonly keepsConditions: boolean;
  /** Edges from the new flow's start node; empty if it needs none. */
  readonly begins: readonly { readonly to: string; readonly when?: WhenExpr }[];
}

/**
 * @param readsMarker whether anything reads why an extracted node was skipped, which is not available from a skipped
 * call
 */
export function entryGates(taken: ExtractSelection, edges: readonly EdgeDoc[], readsMarker: boolean): EntryGates {
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

/** Whether a node always runs when its graph does, and its failure ends the graph. */
export function isSureNode(
  node: NodeDoc,
  edgesIn: readonly { readonly when?: WhenExpr }[],
  failFast: boolean,
): boolean {
  const isReached = edgesIn.length === 0 || edgesIn.some(({ when }) => when === undefined);
  const endsRun = node.policy?.continueOnError === undefined ? failFast : !node.policy.continueOnError;
  return isReached && endsRun && node.when === undefined && node.disabled !== true;
}

/** Whether a flow continues after the failure of a node without its own policy. */
export function hasFailFastOff(root: JsonMap): boolean {
  const flow = root['flow'];
  const policy = isJsonMap(flow) ? flow['policy'] : undefined;
  return isJsonMap(policy) && policy['failFast'] === false;
}
