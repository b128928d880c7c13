/**
 * Reduces a flow to the part to run: a single node, a node and everything before it, or all nodes that pinned outputs
 * do not make unnecessary.
 */
import { EngineError } from '../../base/engine-error.ts';
import type { Binding } from '../../language/bindings/binding-template.ts';
import { findBindings } from '../../language/bindings/bindings.ts';
import { didYouMean } from '../../language/findings/nearest.ts';
import type { CompiledEdge, CompiledFlow, CompiledNode } from '../../language/flow/compiled-flow.ts';
import type { JsonMap } from '../../language/json/json-value.ts';
import type { RunPart, RunStartEvent } from '../../runtime/kernel/events/run-event.ts';
import { rootsOf } from './node-dependencies.ts';

/** The part of a flow to run. */
export interface FlowPartRequest {
  /** The part; undefined for the whole flow. */
  readonly part: RunPart | undefined;
  /** IDs of the nodes that do not run because their outputs are given. */
  readonly given: ReadonlySet<string>;
}

/**
 * Returns the nodes to run, and those that provide outputs without running. The outputs of the last nodes are the
 * output of the part.
 * @returns the flow itself if nothing is omitted
 * @throws EngineError `node.not-found` | `node.in-loop` for a named node that cannot be run or pinned on its own
 */
export function partOf(flow: CompiledFlow, { part, given }: FlowPartRequest): CompiledFlow {
  if (part === undefined && given.size === 0) return flow;
  if (flow.dialect !== undefined) refuseForSteps(part, given);
  const byId = new Map(flow.nodes.map((node) => [node.id, node]));
  const nodeOf = (id: string): CompiledNode => byId.get(id) ?? refuse(id, flow);
  for (const id of given) nodeOf(id);
  if (part !== undefined && 'only' in part) return oneNode(flow, nodeOf(part.only), [...given].map(nodeOf));
  const ends = part === undefined ? endsOf(flow) : [nodeOf(part.to).id];
  const needed = neededFor(ends, { byId, given });
  const isKept = ({ from, to }: CompiledEdge): boolean => needed.has(from) && needed.has(to) && !given.has(to);
  const base = part === undefined ? flow : givingOnly(part.to, flow);
  return withEdges(base, [...needed].map(nodeOf), flow.edges.filter(isKept));
}

/**
 * Rejects requests to run a step alone or skip steps, because each step sees all outputs and approvals of earlier
 * steps.
 */
function refuseForSteps(part: FlowPartRequest['part'], given: FlowPartRequest['given']): void {
  const isAlone = part !== undefined && 'only' in part;
  if (!isAlone && given.size === 0) return;
  const what = isAlone
    ? `The step "${part.only}" is not run alone`
    : 'Steps are not skipped for outputs that are pinned or given';
  const message = `${what}: a step depends on the results of earlier steps and on approvals. Run the flow up to a step, or as a whole.`;
  throw new EngineError({ code: 'step.not-alone', message });
}

/**
 * Returns the same part for a run that is resumed.
 * @param settled the nodes that have settled in the log, including those whose outputs a single node was started with
 */
export function partAgain(
  flow: CompiledFlow,
  { scope: part, pinned = [] }: Pick<RunStartEvent, 'scope' | 'pinned'>,
  settled: Iterable<string> = [],
): CompiledFlow {
  const own = new Set(flow.nodes.map(({ id }) => id));
  const given = part !== undefined && 'only' in part ? [...settled] : pinned;
  return partOf(flow, { part, given: new Set(given.filter((id) => own.has(id))) });
}

/** Returns the nodes without a successor, and those that the flow's own outputs name. */
function endsOf({ nodes, outputs = {} }: CompiledFlow): readonly string[] {
  const last = nodes.filter(({ outgoing }) => outgoing.length === 0).map(({ id }) => id);
  return [...last, ...boundPaths(outputs, () => true).flatMap((path) => path.slice(0, 1))];
}

/** Returns the nodes that provide outputs to a single node, and those of them that it requires. */
export function usesOf(
  { nodes }: CompiledFlow,
  id: string,
): { readonly all: readonly string[]; readonly strict: ReadonlySet<string> } {
  const ids = new Set(nodes.map((node) => node.id));
  const node = nodes.find((one) => one.id === id);
  const all = node === undefined ? [] : rootsOf(node).filter((root) => ids.has(root) && root !== id);
  return { all, strict: new Set(node === undefined ? [] : strictPaths(node).flatMap((path) => path.slice(0, 1))) };
}

function boundPaths(value: JsonMap, counts: (binding: Binding) => boolean): readonly (readonly string[])[] {
  return findBindings(value).flatMap(({ template }) =>
    template.parts.flatMap((part) => (typeof part !== 'string' && counts(part) ? [part.path] : [])),
  );
}

/**
 * Returns the paths that a node and its body require: bindings without a `?` or a default. A missing value only makes a
 * condition false.
 */
export function strictPaths({ input, body }: CompiledNode): readonly (readonly string[])[] {
  const own = boundPaths(input, (binding) => !binding.isOptional && binding.default === undefined);
  return [...own, ...(body?.nodes.flatMap(strictPaths) ?? [])];
}

/**
 * Returns a flow with only this node, after the nodes that provide its values. The node's edges and conditions are
 * ignored.
 */
function oneNode(flow: CompiledFlow, node: CompiledNode, given: readonly CompiledNode[]): CompiledFlow {
  const used = new Set(rootsOf(node));
  const sources = given.filter(({ id }) => used.has(id) && id !== node.id);
  const edges = sources.map(
    ({ id }): CompiledEdge => ({ id: `${id}->${node.id}`, from: id, to: node.id, when: undefined }),
  );
  return withEdges(givingOnly(node.id, flow), [...sources, { ...node, when: undefined, disabled: false }], edges);
}

function givingOnly(id: string, { outputs: _, ...flow }: CompiledFlow): CompiledFlow {
  return { ...flow, ends: [id] };
}

/**
 * Returns the given nodes and all nodes that they depend on through edges or bindings. Stops at nodes with given
 * outputs.
 */
function neededFor(
  ends: readonly string[],
  { byId, given }: { readonly byId: ReadonlyMap<string, CompiledNode>; readonly given: ReadonlySet<string> },
): ReadonlySet<string> {
  const needed = new Set(ends.filter((id) => byId.has(id)));
  // Iterating over a set includes elements that are added during the iteration.
  for (const id of needed) {
    const node = byId.get(id);
    if (node === undefined || given.has(id)) continue;
    for (const other of [...node.upstream, ...rootsOf(node)]) if (byId.has(other)) needed.add(other);
  }
  return needed;
}

/** Returns the flow with these edges. Nodes keep their order. */
function withEdges(flow: CompiledFlow, nodes: readonly CompiledNode[], edges: readonly CompiledEdge[]): CompiledFlow {
  const rank = new Map(flow.nodes.map(({ id }, index) => [id, index]));
  const inOrder = nodes.toSorted((a, b) => (rank.get(a.id) ?? 0) - (rank.get(b.id) ?? 0));
  return {
    ...flow,
    nodes: inOrder.map((node) => {
      const incoming = edges.filter(({ to }) => to === node.id);
      return {
        ...node,
        upstream: [...new Set(incoming.map(({ from }) => from))],
        incomingCount: incoming.length,
        outgoing: edges.filter(({ from }) => from === node.id),
      };
    }),
    edges,
  };
}

function refuse(id: string, flow: CompiledFlow): never {
  const loop = flow.nodes.find((node) => holds(node, id));
  if (loop !== undefined) {
    throw new EngineError({
      code: 'node.in-loop',
      message: `"${id}" runs for each item of "${loop.id}", and cannot be run or pinned by itself. Run or pin "${loop.id}".`,
      nodeId: id,
    });
  }
  throw new EngineError({
    code: 'node.not-found',
    message: `The flow has no node "${id}".${didYouMean(
      id,
      flow.nodes.map((node) => node.id),
    )}`,
    nodeId: id,
  });
}

function holds({ body }: CompiledNode, id: string): boolean {
  return body?.nodes.some((node) => node.id === id || holds(node, id)) === true;
}
