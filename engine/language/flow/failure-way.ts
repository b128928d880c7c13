/**
 * The failure branch of a node: the condition of its edges, in any notation. If a failure is tolerated, only the
 * failure itself matches, never an output with a field of that name.
 */
import { parsePath, pathText } from '../bindings/binding-path.ts';
import { isJsonList } from '../json/json-value.ts';
import type { FlowDoc, NodeDoc, WhenExpr } from './flow-doc.ts';

/** The field in a failed node's marker. */
const field = 'failed';

/** Returns the condition that is true if the node has failed. */
export function failureCondition(nodeId: string): WhenExpr {
  return { equals: { var: pathText([nodeId, field]), value: true } };
}

/** Returns the condition that is true if the node has not failed: it completed, or was skipped. */
export function successCondition(nodeId: string): WhenExpr {
  return { not: failureCondition(nodeId) };
}

/**
 * Returns true for a condition that is true exactly if the node failed, false for the opposite, and null for any other.
 */
export function conditionTestsFailure(nodeId: string, when: WhenExpr | undefined): boolean | null {
  if (when === undefined) return null;
  if ('not' in when) {
    const inner = conditionTestsFailure(nodeId, when.not);
    return inner === null ? null : !inner;
  }
  if ('and' in when) return askedByAll(nodeId, when.and);
  if ('or' in when) return askedByAll(nodeId, when.or);
  return failedNodeIn(when, pathOf(when)) === nodeId ? true : null;
}

function askedByAll(nodeId: string, parts: readonly WhenExpr[]): boolean | null {
  const [first = null, ...others] = parts.map((part) => conditionTestsFailure(nodeId, part));
  return others.every((other) => other === first) ? first : null;
}

type ConditionLeaf = Exclude<WhenExpr, { not: unknown } | { and: unknown } | { or: unknown }>;

function pathOf(leaf: ConditionLeaf): readonly string[] | undefined {
  if ('exists' in leaf) return parsePath(leaf.exists);
  if ('equals' in leaf) return parsePath(leaf.equals.var);
  return 'in' in leaf ? parsePath(leaf.in.var) : undefined;
}

/** Returns the node whose failure a simple condition checks, if any. @param path the path that it reads */
export function failedNodeIn(leaf: ConditionLeaf, path: readonly string[] | undefined): string | undefined {
  if (path?.length !== 2 || path[1] !== field) return undefined;
  const isAsked =
    'exists' in leaf ||
    ('equals' in leaf && leaf.equals.value === true) ||
    ('in' in leaf &&
      isJsonList(leaf.in.value) &&
      leaf.in.value.length > 0 &&
      leaf.in.value.every((value) => value === true));
  return isAsked ? path[0] : undefined;
}

/** Whether the file lets the flow continue after this node's failure, so that conditions can check it. */
export function continuesOnFailure({ flow }: Pick<FlowDoc, 'flow'>, { policy }: Pick<NodeDoc, 'policy'>): boolean {
  return policy?.continueOnError ?? flow.policy?.failFast === false;
}
