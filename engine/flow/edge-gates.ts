/**
 * What the edges of one graph say about its nodes: which are still waited for, and whether one of them fired.
 */
import type { WhenTrace } from '../flowspec/when-trace.ts';
import type { GraphPlan } from './graph-plan.ts';

/** By rank of the node that edges lead to. A node without edges is reached from the start. */
export class EdgeGates {
  readonly #undecided: Int32Array;
  /** 1 = some edge fired, or there is none. */
  readonly #reached: Uint8Array;
  /** What the conditions of edges saw that did not fire. */
  readonly #traces = new Map<number, WhenTrace[]>();

  constructor({ nodes }: GraphPlan) {
    this.#undecided = new Int32Array(nodes.length);
    this.#reached = new Uint8Array(nodes.length);
    for (const [rank, { incomingCount }] of nodes.entries()) {
      this.#undecided[rank] = incomingCount;
      if (incomingCount === 0) this.#reached[rank] = 1;
    }
  }

  /** True when every edge to the node is decided. */
  isOpen(rank: number): boolean {
    return this.#undecided[rank] === 0;
  }

  /** True when some edge to the node fired, or there is none. */
  isReached(rank: number): boolean {
    return this.#reached[rank] === 1;
  }

  /** Takes the decision of one edge. Returns whether it was the last that the node waited for. */
  decide(rank: number, isFired: boolean, trace: WhenTrace | undefined): boolean {
    if (isFired) this.#reached[rank] = 1;
    else if (trace !== undefined) this.#keepTrace(rank, trace);
    const left = (this.#undecided[rank] ?? 0) - 1;
    this.#undecided[rank] = left;
    return left === 0;
  }

  /** Why no edge to the node fired: the conditions of all of them. */
  explain(rank: number): WhenTrace {
    return { op: 'or', of: this.#traces.get(rank) ?? [], result: false };
  }

  #keepTrace(rank: number, trace: WhenTrace): void {
    const traces = this.#traces.get(rank);
    if (traces === undefined) this.#traces.set(rank, [trace]);
    else traces.push(trace);
  }
}
