/**
 * Computes a graph's start order: the next node is always the first one in the file whose upstream nodes have all been
 * placed.
 */
import type { EdgeDoc } from './flow-doc.ts';

interface OrderedGraph<Node extends { readonly id: string }> {
  readonly nodes: readonly Node[];
  readonly edges: readonly Pick<EdgeDoc, 'from' | 'to'>[];
}

interface NodeOrder<Node> {
  readonly order: readonly Node[];
  /** IDs of the nodes on or after a cycle, in file order; they have no position in the order. */
  readonly stuck: readonly string[];
}

/** Orders the nodes in O((nodes + edges) log nodes). Ignores edges to or from unknown nodes. */
export function orderNodes<Node extends { readonly id: string }>({
  nodes,
  edges,
}: OrderedGraph<Node>): NodeOrder<Node> {
  const links = new PendingEdgeCounts(nodes, edges);
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

/** The number of edges for which each node still waits. Duplicate edges are counted and settled individually. */
class PendingEdgeCounts {
  readonly #targets: number[][];
  readonly #waiting: number[];

  constructor(nodes: readonly { readonly id: string }[], edges: OrderedGraph<never>['edges']) {
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

  /** Marks a node as placed; returns the nodes that waited only for it. */
  settle(index: number): readonly number[] {
    return (this.#targets[index] ?? []).filter((target) => {
      const left = this.waitingFor(target) - 1;
      this.#waiting[target] = left;
      return left === 0;
    });
  }
}

/** A priority queue of numbers, smallest first (a binary heap). */
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
