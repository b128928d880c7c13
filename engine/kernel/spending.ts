/**
 * What a run's model calls used, failed attempts included: they are paid for as well. Replayed answers are not.
 */
import { addUsage } from './model-usage.ts';
import type { ModelEvent, ModelUsage } from './run-event.ts';

type ModelResponse = Extract<ModelEvent, { readonly type: 'model:response' }>;

export class Spending {
  #usage: ModelUsage | undefined;
  #costUsd: number | undefined;

  add({ usage, costUsd, fromCassette }: ModelResponse): void {
    if (fromCassette === true) return;
    if (costUsd !== undefined) this.#costUsd = (this.#costUsd ?? 0) + costUsd;
    if (usage === undefined) return;
    this.#usage = this.#usage === undefined ? usage : addUsage(this.#usage, usage);
  }

  /** The sums; what no call reported is absent. */
  total(): { readonly usage?: ModelUsage; readonly costUsd?: number } {
    return {
      ...(this.#usage === undefined ? {} : { usage: this.#usage }),
      ...(this.#costUsd === undefined ? {} : { costUsd: this.#costUsd }),
    };
  }
}
