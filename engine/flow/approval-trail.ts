/**
 * What people have agreed to in one graph that runs: an approval is for what comes behind it, up to and with the next node that acts.
 */
import type { CompiledNode } from '../flowspec/compiled-flow.ts';
import { isJsonMap } from '../flowspec/json-value.ts';
import { deadlineName } from '../kernel/ask-deadline.ts';
import type { GraphPlan, OutputsById } from './graph-plan.ts';

/** Type of the nodes with which a flow asks a person by itself. */
const approvalType = 'human_approval';

interface Graph {
  /** Stands before the ids of the graph's nodes. */
  readonly prefix: string;
  readonly outputs: OutputsById;
  /** Whether a node that has run may have acted, itself or by what it called. */
  readonly hasActed: (node: CompiledNode) => boolean;
}

/** Nodes are named by their rank. What was taken over from another run, or is pinned, has not run here: nobody has agreed to it. */
export class ApprovalTrail {
  readonly #plan: GraphPlan;
  readonly #graph: Graph;
  readonly #ran = new Set<number>();
  /** By rank: those from which an edge to it has fired. */
  readonly #firedFrom = new Map<number, number[]>();
  readonly #acted = new Map<number, boolean>();

  constructor(plan: GraphPlan, graph: Graph) {
    this.#plan = plan;
    this.#graph = graph;
  }

  /** The node has run in this run, to whatever end. */
  noteRun(rank: number): void {
    this.#ran.add(rank);
  }

  noteFired(from: number, to: number): void {
    const known = this.#firedFrom.get(to);
    if (known === undefined) this.#firedFrom.set(to, [from]);
    else known.push(from);
  }

  /** Full name of the approval that is for the node; undefined = there is none. */
  before({ id }: Pick<CompiledNode, 'id'>): string | undefined {
    const rank = this.#plan.rankOf.get(id);
    if (rank === undefined) return undefined;
    const approvals = this.#approvalsBefore(rank);
    if (approvals.length === 0) return undefined;
    const spent = new Set(this.#actedBefore(rank).flatMap((acted) => [...this.#allBefore(acted)]));
    const valid = approvals.find((approval) => !spent.has(approval));
    const approved = valid === undefined ? undefined : this.#plan.nodes[valid];
    return approved === undefined ? undefined : `${this.#graph.prefix}${approved.id}`;
  }

  /** The next ones on the ways that the run has taken to the node, the nearest first, as far as they were given. */
  #approvalsBefore(rank: number): readonly number[] {
    const found: number[] = [];
    this.#walk(
      rank,
      (at) => this.#firedFrom.get(at) ?? [],
      (at) => {
        const isApproval = this.#isApproval(at);
        if (isApproval && this.#isApproved(at)) found.push(at);
        return isApproval;
      },
    );
    return found;
  }

  /** Those that have acted before the node, and none of them before another of them alone. */
  #actedBefore(rank: number): readonly number[] {
    const found: number[] = [];
    this.#walk(rank, this.#upstreamOf, (at) => {
      const hasActed = this.#hasActed(at);
      if (hasActed) found.push(at);
      return hasActed;
    });
    return found;
  }

  #allBefore(rank: number): ReadonlySet<number> {
    return this.#walk(rank, this.#upstreamOf, () => false);
  }

  readonly #upstreamOf = (rank: number): readonly number[] =>
    (this.#plan.nodes[rank]?.upstream ?? []).flatMap((id) => this.#plan.rankOf.get(id) ?? []);

  /** Against the edges, breadth first; `endsAt` is asked once of each node that is come to. */
  #walk(
    rank: number,
    before: (rank: number) => readonly number[],
    endsAt: (rank: number) => boolean,
  ): ReadonlySet<number> {
    const seen = new Set<number>();
    const queue = [rank];
    for (const at of queue) {
      for (const next of before(at)) {
        if (seen.has(next)) continue;
        seen.add(next);
        if (!endsAt(next)) queue.push(next);
      }
    }
    return seen;
  }

  #isApproval(rank: number): boolean {
    return this.#plan.nodes[rank]?.type === approvalType;
  }

  #isApproved(rank: number): boolean {
    const output = this.#graph.outputs.get(this.#plan.nodes[rank]?.id ?? '');
    if (!this.#ran.has(rank) || !isJsonMap(output)) return false;
    // A deadline that approves is nobody who has looked.
    return output['approved'] === true && output['by'] !== deadlineName;
  }

  #hasActed(rank: number): boolean {
    const node = this.#plan.nodes[rank];
    if (node === undefined || !this.#ran.has(rank)) return false;
    let hasActed = this.#acted.get(rank);
    if (hasActed === undefined) {
      hasActed = this.#graph.hasActed(node);
      this.#acted.set(rank, hasActed);
    }
    return hasActed;
  }
}
