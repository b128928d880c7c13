/**
 * Plans what running a single node would use and do.
 */
import type { RunId } from '../../base/ids.ts';
import type { RunStore } from '../../history/store/run-store.ts';
import { resolveBindingPath } from '../../language/bindings/binding-path.ts';
import type { CompiledFlow, CompiledNode } from '../../language/flow/compiled-flow.ts';
import type { JsonMap, JsonValue } from '../../language/json/json-value.ts';
import { resolveInput } from '../../runtime/flow/node/prepare-node.ts';
import type { NodeTypeLookup } from '../../runtime/flow/node-type.ts';
import { nodesIn } from './earlier-run.ts';
import { latestInputs, latestOutputs } from './latest-outputs.ts';
import { partOf, strictPaths, usesOf } from './part-of-flow.ts';
import { actsOutside } from './rerun.ts';

/** A node to run on its own. */
export interface PlanNode {
  /** See `StartRun`. */
  readonly path: string;
  readonly text: string;
  readonly nodeId: string;
  /** See `StartRun`. */
  readonly pins?: Readonly<Record<string, JsonValue>>;
}

/** What a node would receive, and what it would do. */
export interface NodePlan {
  /** Inputs of the flow's latest run; empty if there is no run. */
  readonly inputs: JsonMap;
  /** The sources of the outputs that the node uses. The run is absent for a pinned output. */
  readonly sources: readonly { readonly nodeId: string; readonly fromRunId?: RunId }[];
  /**
   * Required values that no run has: a node and an output field; only a node if its whole output is used; or `flow`,
   * `input` and a name.
   */
  readonly missing: readonly (readonly string[])[];
  /** The known parts of the outputs in `missing`, which a person can complete. */
  readonly known: Readonly<Record<string, JsonValue>>;
  /** The resolved input of the node; absent while values are missing. */
  readonly input?: JsonMap;
  /** Whether the node, or a node in its body, has an effect outside the run. */
  readonly actsOutside: boolean;
}

/** @throws EngineError `node.not-found` | `node.in-loop`, also for pinned nodes */
export function planNode(
  flow: CompiledFlow,
  { path, nodeId, pins = {} }: PlanNode,
  { store, registry }: { readonly store: RunStore; readonly registry: NodeTypeLookup },
): NodePlan {
  const { nodes } = partOf(flow, { part: { only: nodeId }, given: new Set(Object.keys(pins)) });
  const node = nodes.find(({ id }) => id === nodeId) as CompiledNode;
  const { all } = usesOf(flow, nodeId);
  const latest = latestOutputs(
    path,
    all.filter((id) => !Object.hasOwn(pins, id)),
    store,
  );
  const inputs = latestInputs(path, store);
  const outputs = new Map<string, JsonValue>([...latest].map(([id, { output }]) => [id, output]));
  for (const id of all) if (Object.hasOwn(pins, id)) outputs.set(id, pins[id] ?? null);
  const flowRoot = { input: { ...flow.inputs, ...inputs } };
  const context = { get: (root: string) => (root === 'flow' ? flowRoot : outputs.get(root)) };
  const own = new Set(['flow', ...all]);
  const paths = strictPaths(node).filter(
    ([root = '', ...rest]) => own.has(root) && resolveBindingPath([root, ...rest], context) === undefined,
  );
  const missing = [...new Map(paths.map(askedPath).map((asked) => [JSON.stringify(asked), asked])).values()];
  const input = missing.length === 0 ? resolveInput(node, context) : undefined;
  const unfinished = new Set(missing.flatMap(([root = '']) => (outputs.has(root) ? [root] : [])));
  return {
    inputs,
    sources: [...outputs.keys()].map((id) => {
      const fromRunId = latest.get(id)?.fromRunId;
      return { nodeId: id, ...(fromRunId === undefined ? {} : { fromRunId }) };
    }),
    missing,
    known: Object.fromEntries([...unfinished].map((id) => [id, outputs.get(id) ?? null])),
    ...(input === undefined ? {} : { input }),
    actsOutside: nodesIn(node).some((one) =>
      actsOutside(one, registry, one === node ? (input ?? one.input) : one.input),
    ),
  };
}

/** Returns the part of a path that a person can be asked for, which is a field, not a value inside it. */
function askedPath(path: readonly string[]): readonly string[] {
  return path.slice(0, path[0] === 'flow' ? 3 : 2);
}
