/**
 * Determines which nodes a node's output depends on, and which nodes depend on it.
 */
import { parsePath } from '../../language/bindings/binding-path.ts';
import { findBindings } from '../../language/bindings/bindings.ts';
import { secretRoot } from '../../language/bindings/secret-bindings.ts';
import { inputConditions, pathsOf } from '../../language/bindings/when.ts';
import type { CompiledFlow, CompiledGraph, CompiledNode } from '../../language/flow/compiled-flow.ts';
import type { WhenExpr } from '../../language/flow/flow-doc.ts';
import { defaultItemName, previousRoot } from '../../language/flow/loops.ts';

/** Returns all nodes that can be reached from a node by edges, excluding the node itself. */
export function nodesBehind(flow: CompiledFlow, nodeId: string): ReadonlySet<string> {
  const next = new Map(flow.nodes.map(({ id, outgoing }) => [id, outgoing.map(({ to }) => to)]));
  return closure(nodeId, (id) => next.get(id) ?? []);
}

/** Returns all nodes from which a node can be reached by edges, and those whose outputs its body uses. */
export function nodesBefore(flow: CompiledFlow, node: CompiledNode): readonly string[] {
  const upstreamOf = new Map(flow.nodes.map(({ id, upstream }) => [id, upstream]));
  return [...new Set([...closure(node.id, (id) => upstreamOf.get(id) ?? []), ...rootsOf(node)])];
}

function closure(start: string, nextOf: (id: string) => readonly string[]): ReadonlySet<string> {
  const found = new Set<string>();
  const left = [...nextOf(start)];
  for (let id = left.pop(); id !== undefined; id = left.pop()) {
    if (found.has(id)) continue;
    found.add(id);
    left.push(...nextOf(id));
  }
  return found;
}

/** Returns whether a node reads values outside its resolved input, either in its body or in conditions in its input. */
export function seesBeside(node: CompiledNode): boolean {
  return node.body !== undefined || inputConditions(node).length > 0;
}

/**
 * Returns the first segments of the paths that the input's bindings and conditions read, including those in loop
 * bodies.
 */
export function rootsOf(node: CompiledNode): readonly string[] {
  return [...new Set(pathsRead(node).flatMap((path) => path.slice(0, 1)))];
}

/** Returns the paths that the input's bindings and conditions read, including those in loop bodies. */
function pathsRead({ body, ...node }: CompiledNode): readonly (readonly string[])[] {
  const own = findBindings(node.input).flatMap(({ template }) =>
    template.parts.flatMap((part) => (typeof part === 'string' ? [] : [part.path])),
  );
  // Validated flows contain only conditions here.
  const conditions = inputConditions(node).map(({ condition }) => condition as unknown as WhenExpr);
  return [...own, ...pathsIn(conditions), ...(body === undefined ? [] : pathsOfGraph(body, true))];
}

function pathsOfGraph({ nodes, edges }: CompiledGraph, isDeep: boolean): readonly (readonly string[])[] {
  const conditions = [...nodes, ...edges].flatMap(({ when }) => when ?? []);
  return [...pathsIn(conditions), ...nodes.flatMap((node) => pathsRead(isDeep ? node : { ...node, body: undefined }))];
}

function pathsIn(conditions: readonly WhenExpr[]): readonly (readonly string[])[] {
  return conditions.flatMap((condition) =>
    pathsOf(condition).flatMap(({ text }) => {
      const path = parsePath(text);
      return path === undefined ? [] : [path];
    }),
  );
}

/** The values that a loop's items read. */
export interface ItemReads {
  /** Paths to values outside the loop. */
  readonly outside: readonly (readonly string[])[];
  /** Whether the items read their index in the list. */
  readonly index: boolean;
}

/** Returns the values that a loop body reads besides the item itself. */
export function itemReads(loop: CompiledNode): ItemReads {
  const { body } = loop;
  if (body === undefined) return { outside: [], index: false };
  const inside = new Set([itemNameOf(loop), 'loop', previousRoot, secretRoot]);
  const collect = ({ nodes }: CompiledGraph): void => {
    for (const node of nodes) {
      inside.add(node.id);
      if (node.body === undefined) continue;
      inside.add(itemNameOf(node));
      collect(node.body);
    }
  };
  collect(body);
  return {
    outside: pathsOfGraph(body, true).filter(([root = '']) => !inside.has(root)),
    index: pathsOfGraph(body, false).some(([root]) => root === 'loop'),
  };
}

/** Returns the name under which a loop body accesses its item. */
export function itemNameOf({ input }: CompiledNode): string {
  return String(input['as'] ?? defaultItemName);
}
