/**
 * The branches of a node: the routes of a switch, the two branches of an if, and the failure branch. A branch is
 * identified by a string: the name of its route, `if:true`, `if:false`, or `failed`.
 */
import {
  conditionTestsFailure,
  continuesOnFailure,
  type EdgeDoc,
  type FlowChange,
  type FlowDoc,
  failureCondition,
  isJsonMap,
  type JsonValue,
  type NodeTypeSpec,
  nameEdges,
  successCondition,
  type WhenExpr,
} from '../../../engine/isomorphic.ts';
import { text } from './text.ts';

/** The branch of a failed node. */
export const failureBranch = 'failed';

/** Prefix for route names that could be mistaken for another branch. */
const mark = 'route:';

/** Prefix of the two branches of a node that tests a condition. */
const truthMark = 'if:';

/**
 * Returns the branch of a route, which may have any name.
 * @param spec type of the node with the branch
 */
export function wayOfRoute(route: string, spec?: Pick<NodeTypeSpec, 'routeField'>): string {
  if (spec?.routeField === 'condition') return truthMark + route;
  const isTaken = route === failureBranch || route.startsWith(mark) || route.startsWith(truthMark);
  return isTaken ? mark + route : route;
}

/** Returns the name of a branch. */
export function wayName(way: string): string {
  if (way.startsWith(truthMark)) return way.slice(truthMark.length);
  return way.startsWith(mark) ? way.slice(mark.length) : way;
}

/** Returns whether a branch is one of the two of an if. Their names are meaningless without the node. */
export function isTruth(way: string): boolean {
  return way.startsWith(truthMark);
}

/** Returns the branch selected by an output, or null. */
export function wayInOutput(output: JsonValue | undefined): string | null {
  if (!isJsonMap(output)) return null;
  const { route, condition } = output;
  if (typeof route === 'string') return wayOfRoute(route);
  return typeof condition === 'boolean' ? `${truthMark}${condition}` : null;
}

/** Returns the condition of an edge for this branch of `from`. */
export function branchCondition(from: string, way: string): WhenExpr {
  if (way === failureBranch) return failureCondition(from);
  if (isTruth(way)) return { equals: { var: `${from}.condition`, value: wayName(way) === 'true' } };
  return { equals: { var: `${from}.route`, value: wayName(way) } };
}

/** Returns the branch of `from` that a condition selects. Null if it tests anything else, or more than the branch. */
export function branchOf(from: string, when: WhenExpr | undefined): string | null {
  if (conditionTestsFailure(from, when) === true) return failureBranch;
  if (when === undefined || !('equals' in when)) return null;
  const { var: path, value } = when.equals;
  if (path === `${from}.condition`) return typeof value === 'boolean' ? `${truthMark}${value}` : null;
  return path === `${from}.route` && typeof value === 'string' ? wayOfRoute(value) : null;
}

/**
 * Adds the changes that edges require: an edge for a failure is only valid if the file lets the flow continue after it.
 */
export function withContinueOnError(
  doc: FlowDoc,
  edges: readonly EdgeDoc[],
  change: FlowChange,
  label: string,
): FlowChange {
  const changes = continueOnErrorChanges(doc, edges);
  return changes.length === 0 ? change : { do: 'all', changes: [...changes, change], label };
}

/** Returns the changes that let the flow continue after failures of these edges' sources. */
export function continueOnErrorChanges(
  doc: FlowDoc,
  edges: readonly { readonly from: string; readonly when?: WhenExpr | undefined }[],
): readonly FlowChange[] {
  const sources = new Set(
    edges.flatMap(({ from, when }) => (conditionTestsFailure(from, when) === true ? [from] : [])),
  );
  return doc.nodes
    .filter((node) => sources.has(node.id) && !continuesOnFailure(doc, node))
    .map(({ id }) => ({ do: 'set-node', id, path: ['policy', 'continueOnError'], value: true }));
}

/**
 * Makes edges fire only if their source succeeds, or removes that condition if all of them have it.
 * @param edgeIds IDs as used in runs
 * @returns null if none of them can have it: edges with another condition are not changed
 */
export function successChange({ edges }: FlowDoc, edgeIds: ReadonlySet<string>): FlowChange | null {
  const meant = nameEdges(edges).filter(({ id }) => edgeIds.has(id));
  const plain = meant.filter(({ when }) => when === undefined);
  const limited = meant.filter(({ from, when }) => conditionTestsFailure(from, when) === false);
  const changed = plain.length > 0 ? plain : limited;
  if (changed.length === 0) return null;
  const changes = changed.map(({ id, from }): FlowChange => {
    const when = plain.length > 0 ? successCondition(from) : null;
    return { do: 'set-edge', edge: id, change: { when } };
  });
  const label = plain.length > 0 ? text.edits.fireOnSuccess : text.edits.fireAlways;
  return { do: 'all', changes, label: label({ count: changed.length }) };
}

/** Why `successChange` returns null, for users. */
export const noPlainEdge = text.edits.noPlainEdge;

/** Returns the IDs of the edges that leave nodes, as used in runs. */
export function edgesFrom({ edges }: FlowDoc, nodes: ReadonlySet<string>): ReadonlySet<string> {
  return new Set(nameEdges(edges).flatMap(({ id, from }) => (nodes.has(from) ? [id] : [])));
}

/** Lets the flow continue when nodes fail, or makes their failures end it if it continues for all of them. */
export function continuingChange(doc: FlowDoc, ids: ReadonlySet<string>): FlowChange {
  const meant = doc.nodes.filter(({ id }) => ids.has(id));
  const stops = meant.every((node) => continuesOnFailure(doc, node));
  // If the flow continues by default, only an explicit false ends it.
  const value = stops ? (doc.flow.policy?.failFast === false ? false : undefined) : true;
  const changes = meant.map(
    ({ id }): FlowChange => ({ do: 'set-node', id, path: ['policy', 'continueOnError'], value }),
  );
  const { continueAfter, continueAfterAll, endAfter, endAfterAll } = text.edits;
  const [first] = meant;
  const isSingle = first !== undefined && meant.length === 1;
  const counted = { count: meant.length };
  if (stops) return { do: 'all', changes, label: isSingle ? endAfter(first) : endAfterAll(counted) };
  return { do: 'all', changes, label: isSingle ? continueAfter(first) : continueAfterAll(counted) };
}
