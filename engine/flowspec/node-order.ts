/**
 * Start order of a graph: always the node that stands first in the file among those whose upstream nodes are placed.
 */
import type { EdgeDoc } from './flow-doc.ts';

interface Graph<Node extends { readonly id: string }> {
  readonly nodes: readonly Node[];
  readonly edges: readonly Pick<EdgeDoc, 'from' | 'to'>[];
}

interface NodeOrder<Node> {
  readonly order: readonly Node[];
  /** Ids of the nodes that lie on a cycle or behind one, in file order; they have no place in the order. */
  readonly stuck: readonly string[];
}

/** Orders the nodes in O((nodes + edges) log nodes). Edges to or from unknown nodes are passed over. */
export function orderNodes<Node extends { readonly id: string }>({ nodes, edges }: Graph<Node>): NodeOrder<Node> {
  const links = new NodeLinks(nodes, edges);
  const ready = new IndexQueue();
  for (const index of nodes.keys()) if (links.waitingFor(index) === 0) ready.push(index);
  const placed: number[] = [];
  for (let index = ready.pop(); index !== undefined; index = ready.pop()) {
    placed.push(index);
    for (const next of links.settle(index)) ready.push(next);
  }
  const isPlaced = new Set(placed);
  return {
    order: placed.flatMap((index) => nodes[index] ?? []),
    stuck: nodes.flatMap(({ id }, index) => (isPlaced.has(index) ? [] : id)),
  };
}

/** How many edges each node still waits for. Repeated edges are counted and settled alike. */
class NodeLinks {
  readonly #targets: number[][];
  readonly #waiting: number[];

  constructor(nodes: readonly { readonly id: string }[], edges: Graph<never>['edges']) {
    const indexOf = new Map(nodes.map(({ id }, index) => [id, index]));
    this.#targets = nodes.map(() => []);
    this.#waiting = nodes.map(() => 0);
    for (const { from, to } of edges) {
      const source = indexOf.get(from);
      const target = indexOf.get(to);
      if (source === undefined || target === undefined) continue;
      this.#targets[source]?.push(target);
      this.#waiting[target] = this.waitingFor(target) + 1;
    }
  }

  waitingFor(index: number): number {
    return this.#waiting[index] ?? 0;
  }

  /** Marks a node as placed; returns those that waited for nothing else. */
  settle(index: number): readonly number[] {
    return (this.#targets[index] ?? []).filter((target) => {
      const left = this.waitingFor(target) - 1;
      this.#waiting[target] = left;
      return left === 0;
    });
  }
}

/** Numbers, smallest first (a binary heap). */
export class IndexQueue {
  readonly #heap: number[] = [];

  push(index: number): void {
    const heap = this.#heap;
    let place = heap.push(index) - 1;
    while (place > 0) {
      const parent = (place - 1) >> 1;
      const above = heap[parent];
      if (above === undefined || above <= index) break;
      heap[place] = above;
      place = parent;
    }
    heap[place] = index;
  }

  pop(): number | undefined {
    const heap = this.#heap;
    const smallest = heap[0];
    const last = heap.pop();
    if (last !== undefined && heap.length > 0) this.#sink(last);
    return smallest;
  }

  #sink(index: number): void {
    const heap = this.#heap;
    let place = 0;
    for (;;) {
      const [child, value] = this.#smallerChild(place);
      if (value >= index) break;
      heap[place] = value;
      place = child;
    }
    heap[place] = index;
  }

  #smallerChild(place: number): [place: number, value: number] {
    const left = this.#heap[2 * place + 1] ?? Number.POSITIVE_INFINITY;
    const right = this.#heap[2 * place + 2] ?? Number.POSITIVE_INFINITY;
    return left <= right ? [2 * place + 1, left] : [2 * place + 2, right];
  }
}
