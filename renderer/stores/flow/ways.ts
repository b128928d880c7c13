/**
 * The ways out of a node beside its plain one: the routes of a switch, the two of an if, and the way of a failure. A way goes by one
 * text: the name of its route, `if:true`, `if:false`, or `failed`.
 */
import {
  type EdgeDoc,
  type FlowChange,
  type FlowDoc,
  failureAsked,
  failureCondition,
  isJsonMap,
  type JsonValue,
  keepsFailure,
  type NodeTypeSpec,
  nameEdges,
  successCondition,
  type WhenExpr,
} from '../../../engine/isomorphic.ts';

/** The way out of a node that has failed. */
export const failedWay = 'failed';

/** Stands before the names of routes that would be taken for something else. */
const mark = 'route:';

/** Stands before the two ways of a node that tells whether a condition holds. */
const truthMark = 'if:';

/**
 * The way of a route, which may have any name.
 * @param spec the type of the node that it leaves
 */
export function wayOfRoute(route: string, spec?: Pick<NodeTypeSpec, 'routeField'>): string {
  if (spec?.routeField === 'condition') return truthMark + route;
  const isTaken = route === failedWay || route.startsWith(mark) || route.startsWith(truthMark);
  return isTaken ? mark + route : route;
}

/** What a way is called. */
export function wayName(way: string): string {
  if (way.startsWith(truthMark)) return way.slice(truthMark.length);
  return way.startsWith(mark) ? way.slice(mark.length) : way;
}

/** Whether a way is one of the two of an if, whose names say nothing without their node. */
export function isTruth(way: string): boolean {
  return way.startsWith(truthMark);
}

/** The way that an output names; null when it names none. */
export function wayInOutput(output: JsonValue | undefined): string | null {
  if (!isJsonMap(output)) return null;
  const { route, condition } = output;
  if (typeof route === 'string') return wayOfRoute(route);
  return typeof condition === 'boolean' ? `${truthMark}${condition}` : null;
}

/** The condition of an edge that leaves `from` by this way. */
export function branchCondition(from: string, way: string): WhenExpr {
  if (way === failedWay) return failureCondition(from);
  if (isTruth(way)) return { equals: { var: `${from}.condition`, value: wayName(way) === 'true' } };
  return { equals: { var: `${from}.route`, value: wayName(way) } };
}

/** By which way an edge with this condition leaves `from`; null when the condition asks for anything else, or for more. */
export function branchOf(from: string, when: WhenExpr | undefined): string | null {
  if (failureAsked(from, when) === true) return failedWay;
  if (when === undefined || !('equals' in when)) return null;
  const { var: path, value } = when.equals;
  if (path === `${from}.condition`) return typeof value === 'boolean' ? `${truthMark}${value}` : null;
  return path === `${from}.route` && typeof value === 'string' ? wayOfRoute(value) : null;
}

/** Puts what an edge needs before a change that makes edges: a node goes on by its failure only if the file says so. */
export function withFailuresKept(
  doc: FlowDoc,
  edges: readonly EdgeDoc[],
  change: FlowChange,
  label: string,
): FlowChange {
  const changes = keptFailures(doc, edges);
  return changes.length === 0 ? change : { do: 'all', changes: [...changes, change], label };
}

/** The changes after which the failures of these edges' sources can be gone on from. */
export function keptFailures(
  doc: FlowDoc,
  edges: readonly { readonly from: string; readonly when?: WhenExpr | undefined }[],
): readonly FlowChange[] {
  const sources = new Set(edges.flatMap(({ from, when }) => (failureAsked(from, when) === true ? [from] : [])));
  return doc.nodes
    .filter((node) => sources.has(node.id) && !keepsFailure(doc, node))
    .map(({ id }) => ({ do: 'set-node', id, path: ['policy', 'continueOnError'], value: true }));
}

/**
 * Lets edges be taken only when the node before them has not failed; takes that condition away again where all have it.
 * @param edgeIds as runs name them
 * @returns null when none of them can have it: those with another condition stay as they are
 */
export function successChange({ edges }: FlowDoc, edgeIds: ReadonlySet<string>): FlowChange | null {
  const meant = nameEdges(edges).filter(({ id }) => edgeIds.has(id));
  const plain = meant.filter(({ when }) => when === undefined);
  const limited = meant.filter(({ from, when }) => failureAsked(from, when) === false);
  const changed = plain.length > 0 ? plain : limited;
  if (changed.length === 0) return null;
  const changes = changed.map(({ id, from }): FlowChange => {
    const when = plain.length > 0 ? successCondition(from) : null;
    return { do: 'set-edge', edge: id, change: { when } };
  });
  const what = changed.length === 1 ? 'an edge' : `${changed.length} edges`;
  return { do: 'all', changes, label: `Take ${what} ${plain.length > 0 ? 'only on success' : 'in any case'}` };
}

/** Why `successChange` gives nothing, for people. */
export const noPlainEdge = 'Only an edge without another condition can be limited to success.';

/** The edges that leave nodes, as runs name them. */
export function edgesFrom({ edges }: FlowDoc, nodes: ReadonlySet<string>): ReadonlySet<string> {
  return new Set(nameEdges(edges).flatMap(({ id, from }) => (nodes.has(from) ? [id] : [])));
}

/** Lets the flow go on when nodes fail; lets their failures end it when it goes on for all of them. */
export function continuingChange(doc: FlowDoc, ids: ReadonlySet<string>): FlowChange {
  const meant = doc.nodes.filter(({ id }) => ids.has(id));
  const stops = meant.every((node) => keepsFailure(doc, node));
  // Where the flow goes on by itself, only an explicit no ends it.
  const value = stops ? (doc.flow.policy?.failFast === false ? false : undefined) : true;
  const changes = meant.map(
    ({ id }): FlowChange => ({ do: 'set-node', id, path: ['policy', 'continueOnError'], value }),
  );
  const names = meant.length === 1 ? meant[0]?.id : `${meant.length} nodes`;
  return { do: 'all', changes, label: `${stops ? 'End the run' : 'Go on'} when ${names} fails` };
}
