/**
 * What a run's model calls used, failed attempts included: they are paid for as well. Replayed answers are not.
 */
import { addUsage } from './model-usage.ts';
import type { ModelEvent, ModelUsage } from './run-event.ts';

type ModelResponse = Extract<ModelEvent, { readonly type: 'model:response' }>;

/** Sums over model calls. */
export interface SpendingTotal {
  readonly usage?: ModelUsage;
  /** US dollars, of the calls with a known price. */
  readonly costUsd?: number;
  /** How many calls have no known price; absent = none, so that the cost is all of it. */
  readonly unpricedCalls?: number;
}

export class Spending {
  #usage: ModelUsage | undefined;
  #costUsd: number | undefined;
  #unpricedCalls = 0;

  add({ usage, costUsd, fromCassette }: ModelResponse): void {
    if (fromCassette === true) return;
    if (costUsd === undefined) this.#unpricedCalls += 1;
    else this.#costUsd = (this.#costUsd ?? 0) + costUsd;
    if (usage === undefined) return;
    this.#usage = this.#usage === undefined ? usage : addUsage(this.#usage, usage);
  }

  /** The sums; what no call reported is absent. */
  total(): SpendingTotal {
    return {
      ...(this.#usage === undefined ? {} : { usage: this.#usage }),
      ...(this.#costUsd === undefined ? {} : { costUsd: this.#costUsd }),
      ...(this.#unpricedCalls === 0 ? {} : { unpricedCalls: this.#unpricedCalls }),
    };
  }
}
