/**
 * Compares two runs of a flow, node by node. Nodes are matched by their ID, and items of loops by their number.
 */
import type { ErrorRecord } from '../../base/engine-error.ts';
import type { RunId } from '../../base/ids.ts';
import { nameEdges } from '../../language/flow/compile-flow.ts';
import type { FlowDoc, NodeDoc } from '../../language/flow/flow-doc.ts';
import { findLoops } from '../../language/flow/loops.ts';
import { type JsonValue, jsonEquals } from '../../language/json/json-value.ts';
import { baseNodeId } from '../kernel/events/node-places.ts';
import type { NodeState, NodeStatus, RunState, RunStatus } from '../kernel/events/run-state.ts';
import type { PlaceCalls, ReadRun } from './read-compared-run.ts';

/** The first or the second of two compared runs. */
export type RunSide = 'a' | 'b';

/** One of two compared runs, or the same child run of both. */
export interface ComparedRun {
  readonly state: RunState;
  /** The flow that it executed; null if its text is not a valid flow. */
  readonly doc: FlowDoc | null;
  readonly calls: ReadonlyMap<string, PlaceCalls>;
}

export type ComparedPair = Readonly<Record<RunSide, ComparedRun>>;

/**
 * What differs at a node. `only-a`: only the first run executed the node. `items`: both executed it, but for some items
 * only one of them did.
 */
export type RunDifference = 'only-a' | 'only-b' | 'state' | 'error' | 'output' | 'items' | 'same';

/** A node at one place in both runs. */
export interface ComparedPlace {
  /** Full name of the node, with the items of the loops around it. */
  readonly place: string;
  readonly difference: RunDifference;
}

/** What one run reports about a node: sums over all items for a node in a loop. */
export interface NodeFigures {
  /** The worst status of all items. */
  readonly status: NodeStatus;
  /** Number of places where the node ran, and of those where it completed. */
  readonly ran: number;
  readonly completed: number;
  readonly ms?: number;
  /** Milliseconds from the request to a model to the first piece of its response, on average. */
  readonly firstTextMs?: number;
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly costUsd?: number;
  readonly unpricedCalls: number;
  readonly model?: string;
}

export interface ComparedNode {
  readonly id: string;
  /** The run whose flow is the only one with the node; null if both have it. */
  readonly onlyIn: RunSide | null;
  readonly difference: RunDifference;
  /** Every place where one of the runs reached the node, in order. A node outside loops has at most one. */
  readonly places: readonly ComparedPlace[];
  readonly isInLoop: boolean;
  /** Null if the run did not execute the node. */
  readonly a: NodeFigures | null;
  readonly b: NodeFigures | null;
}

/** The totals of a compared run. */
export interface RunFigures {
  readonly status: RunStatus;
  readonly durationMs?: number;
  readonly tokens: number;
  readonly costUsd?: number;
  readonly unpricedCalls: number;
  readonly error?: ErrorRecord;
}

export interface RunComparison {
  readonly runs: Readonly<Record<RunSide, RunFigures>>;
  /** The nodes of the second flow in its order, then those that only the first one has. */
  readonly nodes: readonly ComparedNode[];
  /** Edges that only one of the runs took, by their name in the flow. */
  readonly edges: readonly { readonly id: string; readonly onlyIn: RunSide }[];
  /** IDs of the nodes that differ, in order. A loop is left out if the difference is in its body. */
  readonly differing: readonly string[];
}

/** Two runs, or with `called` a child run of each. */
export interface CompareRequest {
  readonly a: RunId;
  readonly b: RunId;
  readonly called?: Readonly<Record<RunSide, RunId>>;
}

/** Returns a run, or a child run in its log, as `ComparedRun` without its flow. Undefined if there is no such child run. */
export function runInLog({ state, calls }: ReadRun, runId: RunId): Omit<ComparedRun, 'doc'> | undefined {
  const own = calls.get(runId) ?? new Map<string, PlaceCalls>();
  if (state.runId === runId) return { state, calls: own };
  const child = state.children.get(runId);
  return child === undefined ? undefined : { state: { ...child, children: state.children }, calls: own };
}

export function compareRuns(pair: ComparedPair): RunComparison {
  const placesOf = groupPlaces(pair);
  const ids = [...new Set([...idsIn(pair.b), ...idsIn(pair.a), ...placesOf.keys()])];
  const owners = { a: nodesOf(pair.a.doc), b: nodesOf(pair.b.doc) };
  const nodes = ids.map((id) => {
    const isIn = { a: owners.a.has(id), b: owners.b.has(id) };
    const onlyIn = isIn.a === isIn.b ? null : isIn.a ? 'a' : 'b';
    return compareNode(pair, { id, onlyIn, places: [...(placesOf.get(id) ?? [])] });
  });
  const runs = { a: totalsOf(pair.a.state), b: totalsOf(pair.b.state) };
  return { runs, nodes, edges: edgesOfOne(pair), differing: differingOf(nodes, pair) };
}

function totalsOf({ status, durationMs, usage, costUsd, unpricedCalls, error }: RunState): RunFigures {
  return {
    status,
    ...(durationMs === null ? {} : { durationMs }),
    tokens: usage.promptTokens + usage.completionTokens,
    ...optional('costUsd', costUsd),
    unpricedCalls,
    ...optional('error', error),
  };
}

function nodesOf(doc: FlowDoc | null): ReadonlyMap<string, NodeDoc> {
  return new Map(doc?.nodes.map((node) => [node.id, node]));
}

function idsIn({ doc }: ComparedRun): readonly string[] {
  return doc?.nodes.map(({ id }) => id) ?? [];
}

/** Groups the places of both runs by the ID of their node. */
function groupPlaces({ a, b }: ComparedPair): ReadonlyMap<string, ReadonlySet<string>> {
  const groups = new Map<string, Set<string>>();
  for (const { state } of [a, b]) {
    for (const place of state.nodes.keys()) {
      const id = baseNodeId(place);
      const group = groups.get(id);
      if (group === undefined) groups.set(id, new Set([place]));
      else group.add(place);
    }
  }
  return groups;
}

interface NodeInBoth extends Pick<ComparedNode, 'id' | 'onlyIn'> {
  readonly places: readonly string[];
}

const itemNumbers = new Intl.Collator('en', { numeric: true });

function compareNode(pair: ComparedPair, { id, onlyIn, places }: NodeInBoth): ComparedNode {
  const isInLoop = places.some((place) => place !== id);
  const ordered = isInLoop ? places.toSorted(itemNumbers.compare) : places;
  const compared = ordered.map(
    (place): ComparedPlace => ({
      place,
      difference: differenceOf(pair.a.state.nodes.get(place), pair.b.state.nodes.get(place)),
    }),
  );
  const [a, b] = [figuresOf(pair.a, places), figuresOf(pair.b, places)];
  return { id, onlyIn, difference: differenceOfAll(compared, { a, b }), places: compared, isInLoop, a, b };
}

function isRun(node: NodeState | undefined): node is NodeState {
  return node !== undefined && node.status !== 'skipped';
}

/** A reused output counts as completed. */
function endOf({ status }: NodeState): NodeStatus {
  return status === 'reused' ? 'completed' : status;
}

function isSameValue(a: JsonValue | undefined, b: JsonValue | undefined): boolean {
  return a === b || (a !== undefined && b !== undefined && jsonEquals(a, b));
}

function differenceOf(a: NodeState | undefined, b: NodeState | undefined): RunDifference {
  if (!isRun(a)) return isRun(b) ? 'only-b' : 'same';
  if (!isRun(b)) return 'only-a';
  if (endOf(a) !== endOf(b)) return 'state';
  if (a.error?.code !== b.error?.code || a.error?.message !== b.error?.message) return 'error';
  return isSameValue(a.output, b.output) ? 'same' : 'output';
}

const severity: readonly RunDifference[] = ['state', 'error', 'output'];

function differenceOfAll(places: readonly ComparedPlace[], { a, b }: Pick<ComparedNode, 'a' | 'b'>): RunDifference {
  if (a === null || b === null) return a !== null ? 'only-a' : b !== null ? 'only-b' : 'same';
  const found = new Set(places.map(({ difference }) => difference));
  const isPartial = found.has('only-a') || found.has('only-b');
  return severity.find((one) => found.has(one)) ?? (isPartial ? 'items' : 'same');
}

/** From worst to best. */
const statuses: readonly NodeStatus[] = [
  'failed',
  'cancelled',
  'suspended',
  'retrying',
  'running',
  'completed',
  'reused',
  'skipped',
];

function figuresOf({ state, calls }: ComparedRun, places: readonly string[]): NodeFigures | null {
  const nodes = places.flatMap((place) => {
    const node = state.nodes.get(place);
    return isRun(node) ? [node] : [];
  });
  if (nodes.length === 0) return null;
  const found = new Set(nodes.map(({ status }) => status));
  const asked = places.flatMap((place) => calls.get(place) ?? []);
  const firsts = asked.flatMap(({ firstTextMs }) => firstTextMs ?? []);
  return {
    status: statuses.find((status) => found.has(status)) ?? 'completed',
    ran: nodes.length,
    completed: nodes.filter((node) => endOf(node) === 'completed').length,
    ...optional('ms', sumOf(nodes.map(({ durationMs }) => durationMs))),
    ...optional('firstTextMs', firsts.length === 0 ? undefined : (sumOf(firsts) ?? 0) / firsts.length),
    promptTokens: sumOf(nodes.map(({ usage }) => usage?.promptTokens)) ?? 0,
    completionTokens: sumOf(nodes.map(({ usage }) => usage?.completionTokens)) ?? 0,
    ...optional('costUsd', sumOf(nodes.map(({ costUsd }) => costUsd))),
    unpricedCalls: sumOf(nodes.map(({ unpricedCalls }) => unpricedCalls)) ?? 0,
    ...optional('model', [...new Set(asked.map(({ model }) => model))].join(', ') || undefined),
  };
}

function optional<Key extends string, Value>(key: Key, value: Value | undefined): { readonly [K in Key]?: Value } {
  return value === undefined ? {} : ({ [key]: value } as { readonly [K in Key]?: Value });
}

function sumOf(numbers: readonly (number | undefined)[]): number | undefined {
  return numbers.reduce((sum, one) => (one === undefined ? sum : (sum ?? 0) + one), undefined);
}

/** Returns the edges that only one of the runs took. */
function edgesOfOne({ a, b }: ComparedPair): RunComparison['edges'] {
  const [inA, inB] = [takenEdges(a), takenEdges(b)];
  return [
    ...[...inA].filter((id) => !inB.has(id)).map((id) => ({ id, onlyIn: 'a' as const })),
    ...[...inB].filter((id) => !inA.has(id)).map((id) => ({ id, onlyIn: 'b' as const })),
  ];
}

/** Returns the edges that a run took, for any item. An edge to or from a skipped node does not count. */
function takenEdges({ state, doc }: ComparedRun): ReadonlySet<string> {
  const { firedEdges, nodes, tallies } = state;
  const taken = nameEdges(doc?.edges ?? []).filter(({ id, from, to }) => {
    if ((tallies.bodyEdges.get(id) ?? 0) > 0) return true;
    return firedEdges.has(id) && [from, to].every((end) => nodes.get(end)?.status !== 'skipped');
  });
  return new Set(taken.map(({ id }) => id));
}

function differingOf(nodes: RunComparison['nodes'], { a, b }: ComparedPair): readonly string[] {
  const ids = nodes.flatMap(({ id, onlyIn, difference }) => (onlyIn !== null || difference !== 'same' ? [id] : []));
  const differs = new Set(ids);
  const isInBoth = new Set(nodes.flatMap(({ id, onlyIn }) => (onlyIn === null ? [id] : [])));
  const explained = new Set(
    [a, b]
      .flatMap(({ doc }) => findLoops(doc?.nodes ?? []).loops)
      .filter(({ id, body }) => isInBoth.has(id) && body.some((member) => differs.has(member ?? '')))
      .map(({ id }) => id),
  );
  return ids.filter((id) => !explained.has(id));
}
