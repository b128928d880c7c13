/**
 * Finds cycles in a graph, for messages: the edges that form one, and the nodes in it.
 */
import type { EdgeDoc, FlowDoc } from './flow-doc.ts';

interface Cycle {
  /** Index of the cycle's first edge in file order. */
  readonly edgeIndex: number;
  /** IDs of the nodes in the cycle, starting and ending with the `from` of that edge. */
  readonly ids: readonly string[];
}

/**
 * Returns one shortest cycle of edges that count for each strongly connected group of nodes. Runs in O(nodes + edges).
 */
export function findCycles(
  { nodes, edges }: Pick<FlowDoc, 'nodes' | 'edges'>,
  counts: (edge: EdgeDoc) => boolean,
): readonly Cycle[] {
  const targets = targetsOf(edges.filter(counts));
  const search = new GroupSearch(targets);
  for (const { id } of nodes) search.visitFrom(id);
  const { groupOf } = search;
  const reported = new Set<number>();
  return edges.flatMap(({ from, to }, edgeIndex) => {
    const group = groupOf.get(from);
    if (group === undefined || group !== groupOf.get(to) || reported.has(group)) return [];
    reported.add(group);
    const back = shortestWay(to, from, (id) => (targets.get(id) ?? []).filter((next) => groupOf.get(next) === group));
    return { edgeIndex, ids: [from, ...back] };
  });
}

type Targets = ReadonlyMap<string, readonly string[]>;

function targetsOf(edges: readonly EdgeDoc[]): Targets {
  const targets = new Map<string, string[]>();
  for (const { from, to } of edges) {
    const list = targets.get(from);
    if (list === undefined) targets.set(from, [to]);
    else list.push(to);
  }
  return targets;
}

/** Returns the IDs from `start` to `end`, inclusive, over the fewest edges. A path must exist. */
function shortestWay(start: string, end: string, nextOf: (id: string) => readonly string[]): readonly string[] {
  const cameFrom = new Map<string, string | null>([[start, null]]);
  for (const id of cameFrom.keys()) {
    if (cameFrom.has(end)) break;
    for (const next of nextOf(id)) if (!cameFrom.has(next)) cameFrom.set(next, id);
  }
  const way: string[] = [];
  for (let id: string | null = end; id !== null; id = cameFrom.get(id) ?? null) way.unshift(id);
  return way;
}

interface Visit {
  readonly id: string;
  readonly order: number;
  low: number;
  nextTarget: number;
}

/**
 * Tarjan's algorithm with an explicit stack instead of recursion, because a flow may be a chain of thousands of nodes.
 */
class GroupSearch {
  /** Group of each finished node. Nodes on a common cycle have the same group. */
  readonly groupOf = new Map<string, number>();
  readonly #targets: Targets;
  readonly #visits = new Map<string, Visit>();
  readonly #open: Visit[] = [];

  constructor(targets: Targets) {
    this.#targets = targets;
  }

  visitFrom(id: string): void {
    const trail = this.#visits.has(id) ? [] : [this.#enter(id)];
    for (let visit = trail.at(-1); visit !== undefined; visit = trail.at(-1)) {
      const entered = this.#followNext(visit);
      if (entered === 'none left') this.#leave(visit, trail);
      else if (entered !== 'known') trail.push(entered);
    }
  }

  #enter(id: string): Visit {
    const visit = { id, order: this.#visits.size, low: this.#visits.size, nextTarget: 0 };
    this.#visits.set(id, visit);
    this.#open.push(visit);
    return visit;
  }

  #followNext(visit: Visit): Visit | 'known' | 'none left' {
    const next = this.#targets.get(visit.id)?.[visit.nextTarget++];
    if (next === undefined) return 'none left';
    const known = this.#visits.get(next);
    if (known === undefined) return this.#enter(next);
    if (!this.groupOf.has(next)) visit.low = Math.min(visit.low, known.order);
    return 'known';
  }

  #leave(visit: Visit, trail: Visit[]): void {
    trail.pop();
    const parent = trail.at(-1);
    if (parent !== undefined) parent.low = Math.min(parent.low, visit.low);
    if (visit.low === visit.order) this.#closeGroup(visit);
  }

  #closeGroup(root: Visit): void {
    for (let member = this.#open.pop(); member !== undefined; member = this.#open.pop()) {
      this.groupOf.set(member.id, root.order);
      if (member === root) return;
    }
  }
}
