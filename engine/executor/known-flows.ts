/**
 * Texts of flows that were read lately, with what they were compiled to: the same text is not read, checked and compiled again.
 */
import { deepFreeze } from '../flowspec/checked-json.ts';
import type { CompiledFlow } from '../flowspec/compiled-flow.ts';

/** In UTF-16 units, of all texts together; what they are compiled to takes about ten times as much. */
const largestSum = 4 * 2 ** 20;

const mostTexts = 16;

/**
 * Of one engine, whose node types never change: what the checks say of a text follows from the two. Only flows that may run are
 * kept.
 */
export class KnownFlows {
  /** The text that was used last comes last. */
  readonly #flows = new Map<string, CompiledFlow>();
  #sum = 0;

  get(text: string): CompiledFlow | undefined {
    const flow = this.#flows.get(text);
    if (flow === undefined) return undefined;
    this.#flows.delete(text);
    this.#flows.set(text, flow);
    return flow;
  }

  /** Keeps a flow, frozen, since runs share it. @param flow what this engine's checks have let pass */
  add(text: string, flow: CompiledFlow): void {
    if (this.#flows.has(text) || text.length > largestSum) return;
    this.#flows.set(text, deepFreeze(flow));
    this.#sum += text.length;
    for (const oldest of this.#flows.keys()) {
      if (this.#sum <= largestSum && this.#flows.size <= mostTexts) break;
      this.#flows.delete(oldest);
      this.#sum -= oldest.length;
    }
  }
}
