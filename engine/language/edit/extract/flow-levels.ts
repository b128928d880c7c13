/**
 * A flow file's nodes by the graph in which they run: the flow itself, or a loop body.
 */
import type { EdgeDoc, NodeDoc } from '../../flow/flow-doc.ts';
import { findLoops, type Loop, type LoopNesting } from '../../flow/loops.ts';
import { isJsonMap, type JsonMap, type JsonValue } from '../../json/json-value.ts';
import { listAt, refused, textAt } from '../raw-flow.ts';

/** The loop whose body is the graph; undefined for the top-level graph. */
export type LoopLevel = string | undefined;

/** What a path's first segment refers to, for its reader. */
export type PathSource =
  | { readonly is: 'node'; readonly id: string }
  /** A loop's item, its index, or the previous iteration. */
  | { readonly is: 'loop'; readonly loop: string }
  | { readonly is: 'flow' };

export class FlowLevels {
  readonly nodes: readonly NodeDoc[];
  readonly edges: readonly EdgeDoc[];
  readonly #byId: ReadonlyMap<string, NodeDoc>;
  readonly #nesting: LoopNesting;

  /**
   * @throws EngineError `edit.refused` if nodes or edges are too malformed to determine which nodes read which values
   */
  constructor(root: JsonMap) {
    this.nodes = listAt(root, 'nodes').map(soundNode);
    this.edges = listAt(root, 'edges').map(soundEdge);
    this.#byId = new Map(this.nodes.map((node) => [node.id, node]));
    if (this.#byId.size < this.nodes.length) throw unsound('two nodes have the same id');
    if (this.edges.some(({ from, to }) => !this.#byId.has(from) || !this.#byId.has(to)))
      throw unsound('an edge starts or ends at a node that does not exist');
    this.#nesting = findLoops(this.nodes);
    if (this.edges.some(({ from, to }) => this.levelOf(from) !== this.levelOf(to)))
      throw unsound("an edge crosses the boundary of a loop's body");
  }

  node(id: string): NodeDoc | undefined {
    return this.#byId.get(id);
  }

  levelOf(id: string): LoopLevel {
    return this.#nesting.loopOf.get(id)?.id;
  }

  loop(id: string): Loop | undefined {
    return this.#nesting.loops.find((loop) => loop.id === id);
  }

  /** Returns the loops around a level, innermost first. */
  loopsAt(level: LoopLevel): readonly string[] {
    const around: string[] = [];
    for (let loop = level; loop !== undefined && !around.includes(loop); loop = this.levelOf(loop)) around.push(loop);
    return around;
  }

  /** Returns all nodes in a loop's body, including those in nested loops. */
  below(id: string): readonly string[] {
    return this.nodes.flatMap((node) => (this.loopsAt(this.levelOf(node.id)).includes(id) ? [node.id] : []));
  }

  /** Returns the node on a level that is the given node or contains it in its body; undefined if there is none. */
  holderAt(level: LoopLevel, id: string): string | undefined {
    return [id, ...this.loopsAt(this.levelOf(id))].find((known) => this.levelOf(known) === level);
  }

  /** Returns the nodes that have finished before a node on the same level starts. */
  before(id: string): ReadonlySet<string> {
    return this.#reached(id, ({ from, to }) => [to, from]);
  }

  /** Returns the nodes on the same level that wait for a node. */
  behind(id: string): ReadonlySet<string> {
    return this.#reached(id, ({ from, to }) => [from, to]);
  }

  #reached(id: string, step: (edge: EdgeDoc) => readonly [here: string, next: string]): ReadonlySet<string> {
    const found = new Set<string>();
    const open = [id];
    for (let current = open.pop(); current !== undefined; current = open.pop()) {
      for (const edge of this.edges) {
        const [here, next] = step(edge);
        if (here !== current || found.has(next)) continue;
        found.add(next);
        open.push(next);
      }
    }
    return found;
  }

  /** Returns what a path that starts with `root` refers to on a level; undefined if it refers to nothing there. */
  sourceOf(root: string, level: LoopLevel): PathSource | undefined {
    const node = this.#byId.get(root);
    for (const around of [...this.loopsAt(level), undefined]) {
      // A body resolves names to its own nodes first, then to the item, then to the loop's surroundings.
      if (node !== undefined && this.levelOf(root) === around) return { is: 'node', id: root };
      if (around !== undefined && this.loop(around)?.roots.includes(root)) return { is: 'loop', loop: around };
    }
    return root === 'flow' ? { is: 'flow' } : undefined;
  }
}

function soundNode(node: JsonValue): NodeDoc {
  const isSound =
    isJsonMap(node) &&
    textAt(node, 'id') !== undefined &&
    textAt(node, 'type') !== undefined &&
    isJsonMap(node['input']);
  if (!isSound) throw unsound('a node has no id, type or input');
  return node as unknown as NodeDoc;
}

function soundEdge(edge: JsonValue): EdgeDoc {
  if (textAt(edge, 'from') === undefined || textAt(edge, 'to') === undefined)
    throw unsound('an edge has no from or to');
  return edge as unknown as EdgeDoc;
}

function unsound(what: string) {
  return refused(`The flow has errors: ${what}. Fix them, then extract.`);
}
