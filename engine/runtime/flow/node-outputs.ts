/**
 * One graph's node outputs. Stored by rank instead of in a map: a growing map is rebuilt repeatedly, and the garbage
 * collector moves it each time, which took almost a fifth of the run time of a flow with 100,000 nodes.
 */
import type { JsonValue } from '../../language/json/json-value.ts';
import type { GraphPlan, OutputsById } from './graph-plan.ts';

export class NodeOutputs implements OutputsById {
  readonly #plan: GraphPlan;
  /** Outputs, or the markers of nodes without an output, by rank. */
  readonly #values: (JsonValue | undefined)[];
  /** Ranks in the order in which their outputs were added. */
  readonly #order: number[] = [];

  constructor(plan: GraphPlan) {
    this.#plan = plan;
    this.#values = new Array<JsonValue | undefined>(plan.nodes.length);
  }

  /** Returns the output of the node with this ID. */
  get(id: string): JsonValue | undefined {
    const rank = this.#plan.rankOf.get(id);
    return rank === undefined ? undefined : this.#values[rank];
  }

  put(rank: number, value: JsonValue): void {
    if (this.#values[rank] === undefined) this.#order.push(rank);
    this.#values[rank] = value;
  }

  /** Returns the outputs by ID, in the order in which they were added. */
  toMap(): Map<string, JsonValue> {
    const all = new Map<string, JsonValue>();
    for (const rank of this.#order) {
      const [node, value] = [this.#plan.nodes[rank], this.#values[rank]];
      if (node !== undefined && value !== undefined) all.set(node.id, value);
    }
    return all;
  }
}
