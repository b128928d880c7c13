/**
 * The condition by which an edge leaves a node by one of its ways out: nothing but a question for its route.
 */
import type { WhenExpr } from '../../../engine/isomorphic.ts';

/** The condition of an edge that leaves `from` by this way. */
export function branchCondition(from: string, route: string): WhenExpr {
  return { equals: { var: `${from}.route`, value: route } };
}

/** By which way an edge with this condition leaves `from`; null when the condition asks for anything else, or for more. */
export function branchOf(from: string, when: WhenExpr | undefined): string | null {
  if (when === undefined || !('equals' in when) || when.equals.var !== `${from}.route`) return null;
  return typeof when.equals.value === 'string' ? when.equals.value : null;
}
