/**
 * A graph of another program with everything that mappings ask about it.
 */
import { pathText } from '../bindings/binding-path.ts';
import { MAX_NESTING_DEPTH } from '../flow/flow-limits.ts';
import { IdChooser } from './ids.ts';
import type { MappingContext, SourceField, SourceFormat, TypeMapping } from './mapping.ts';
import type { SourceEdge, SourceFlow, SourceNode } from './source-flow.ts';

/** Why nodes cannot be imported, by key. */
export type Refusals = ReadonlyMap<string, string>;

interface GraphOptions {
  readonly format: SourceFormat;
  readonly refusals: Refusals;
  readonly fileOf: MappingContext['fileOf'];
}

/** A graph, indexed. */
export class SourceGraph implements MappingContext {
  readonly flow: SourceFlow;
  readonly fileOf: MappingContext['fileOf'];
  readonly #format: SourceFormat;
  readonly #refusals: Refusals;
  readonly #nodes: ReadonlyMap<string, SourceNode>;
  readonly #names = new Map<string, SourceNode>();
  readonly #into: ReadonlyMap<string, readonly SourceEdge[]>;
  readonly #from: ReadonlyMap<string, readonly SourceEdge[]>;
  readonly #bodies: ReadonlyMap<string, readonly SourceNode[]>;
  readonly #ids = new Map<string, string>();
  readonly #items = new Map<string, string>();

  constructor(source: SourceFlow, { format, refusals, fileOf }: GraphOptions) {
    // A loop that is only a placeholder has no body.
    const nodes = source.nodes.map((node) =>
      node.parent === undefined || !refusals.has(node.parent) ? node : withoutParent(node),
    );
    const flow = { ...source, nodes };
    this.flow = flow;
    this.fileOf = fileOf;
    this.#format = format;
    this.#refusals = refusals;
    this.#nodes = new Map(flow.nodes.map((node) => [node.key, node]));
    this.#into = grouped(flow.edges, ({ to }) => to);
    this.#from = grouped(flow.edges, ({ from }) => from);
    this.#bodies = grouped(flow.nodes, ({ parent }) => parent);
    const ids = new IdChooser();
    for (const node of flow.nodes) {
      if (!this.#names.has(node.name)) this.#names.set(node.name, node);
      this.#ids.set(node.key, ids.choose(node.name, node.type));
    }
    for (const loop of this.#bodies.keys()) this.#items.set(loop, ids.choose('item', 'item'));
  }

  node(key: string): SourceNode | undefined {
    return this.#nodes.get(key);
  }

  named(name: string): SourceNode | undefined {
    return this.#names.get(name);
  }

  into({ key }: SourceNode): readonly SourceEdge[] {
    return this.#into.get(key) ?? [];
  }

  from({ key }: SourceNode): readonly SourceEdge[] {
    return this.#from.get(key) ?? [];
  }

  idOf({ key }: SourceNode): string {
    return this.#ids.get(key) ?? '';
  }

  itemOf({ key }: SourceNode): string {
    return this.#items.get(key) ?? 'item';
  }

  bodyOf({ key }: SourceNode): readonly string[] {
    return (this.#bodies.get(key) ?? []).filter((node) => this.isNode(node)).map((node) => this.idOf(node));
  }

  /** Whether it becomes a node of its own, possibly a placeholder. */
  isNode(node: SourceNode): boolean {
    return this.mappingOf(node).isPart?.(node, this) !== true;
  }

  /** Whether it is known to become a placeholder. */
  isRefused({ key }: SourceNode): boolean {
    return this.#refusals.has(key);
  }

  /** Returns the mapping of a node's type, or that of a placeholder. */
  mappingOf(node: SourceNode): TypeMapping {
    const refusal = this.#refusals.get(node.key);
    if (refusal !== undefined) return placeholder(refusal);
    return this.#format.typeOf(node) ?? placeholder('There is no corresponding node type.');
  }

  path(reader: SourceNode, source: SourceNode, field: SourceField): readonly string[] | undefined {
    const origin = this.#originOf(source, field);
    if (origin === undefined) return undefined;
    const [node, found] = origin;
    const readers = this.loopsAround(reader);
    if (readers.includes(node.key)) return [this.itemOf(node), ...found.rest];
    if (!this.loopsAround(node).every((loop) => readers.includes(loop))) return undefined;
    const path = this.mappingOf(node).at?.(found, node, this);
    return path === undefined || !isPathText(path) ? undefined : path;
  }

  /** Returns the keys of the loops around a node, innermost first. */
  loopsAround({ parent }: SourceNode): readonly string[] {
    const loops = new Set<string>();
    let key = parent;
    while (key !== undefined && !loops.has(key) && loops.size < MAX_NESTING_DEPTH) {
      loops.add(key);
      key = this.node(key)?.parent;
    }
    return [...loops];
  }

  /** Follows a value back through nodes that pass it on. */
  #originOf(source: SourceNode, field: SourceField): readonly [SourceNode, SourceField] | undefined {
    const visited = new Set<string>();
    let [node, found] = [source, field];
    for (;;) {
      if (visited.has(node.key)) return undefined;
      visited.add(node.key);
      const edge = node.isDisabled ? this.into(node)[0] : this.mappingOf(node).passes?.(found, node, this);
      if (edge === undefined) return [node, found];
      const next = this.node(edge.from);
      if (next === undefined) return undefined;
      [node, found] = [next, { ...found, port: edge.fromPort }];
    }
  }
}

function withoutParent({ parent: _, ...node }: SourceNode): SourceNode {
  return node;
}

function placeholder(why: string): TypeMapping {
  return {
    map: () => ({ as: 'placeholder', why }),
    at: ({ rest }, node, context) => [context.idOf(node), 'value', ...rest],
  };
}

/** Keys that would be lost in a path cannot be bound to. */
function isPathText(path: readonly string[]): boolean {
  return !path.includes('__proto__') && pathText(path).length < 500;
}

function grouped<Value>(
  values: readonly Value[],
  keyOf: (value: Value) => string | undefined,
): ReadonlyMap<string, readonly Value[]> {
  const groups = new Map<string, Value[]>();
  for (const value of values) {
    const key = keyOf(value);
    if (key === undefined) continue;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [value]);
    else group.push(value);
  }
  return groups;
}
