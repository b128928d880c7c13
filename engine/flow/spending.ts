/**
 * What a run's model calls used, failed attempts included: they are paid for as well.
 */
import { addUsage } from '../kernel/model-usage.ts';
import type { ModelUsage } from '../kernel/run-event.ts';

export class Spending {
  #usage: ModelUsage | undefined;
  #costUsd: number | undefined;

  add({ usage, costUsd }: { readonly usage?: ModelUsage; readonly costUsd?: number }): void {
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
