/**
 * Tracks people's approvals in one running graph. An approval covers the nodes after it, up to and including the next
 * node that acts.
 */
import type { CompiledNode } from '../../language/flow/compiled-flow.ts';
import { isJsonMap } from '../../language/json/json-value.ts';
import { deadlineName } from '../kernel/requests/ask-deadline.ts';
import type { GraphPlan, OutputsById } from './graph-plan.ts';

/** Type of nodes that request approval in a flow. */
const approvalType = 'human_approval';

interface ApprovalGraph {
  /** Prefix of the graph's node IDs. */
  readonly prefix: string;
  readonly outputs: OutputsById;
  /** Whether a node that ran may have acted, itself or through calls. */
  readonly hasActed: (node: CompiledNode) => boolean;
}

/**
 * Tracks approvals. Nodes are identified by their rank. Reused and pinned nodes have not run here, so their approvals
 * do not count.
 */
export class ApprovalTrail {
  readonly #plan: GraphPlan;
  readonly #graph: ApprovalGraph;
  readonly #ran = new Set<number>();
  /** For each node rank, the ranks of the nodes with fired edges to it. */
  readonly #firedFrom = new Map<number, number[]>();
  readonly #acted = new Map<number, boolean>();

  constructor(plan: GraphPlan, graph: ApprovalGraph) {
    this.#plan = plan;
    this.#graph = graph;
  }

  /** Records that the node ran in this run, whatever its result. */
  noteRun(rank: number): void {
    this.#ran.add(rank);
  }

  noteFired(from: number, to: number): void {
    const known = this.#firedFrom.get(to);
    if (known === undefined) this.#firedFrom.set(to, [from]);
    else known.push(from);
  }

  /** Returns the full name of the approval that covers the node; undefined if there is none. */
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

  /** Returns the nearest granted approvals on the run's paths to the node, closest first. */
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

  /** Returns, for each path, the last nodes that acted before the node. */
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

  /** Walks edges backward, breadth first. Calls `endsAt` once for each node reached. */
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
    // An approval granted when a deadline passed does not come from a person.
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
