/**
 * What a run's model calls used, failed attempts included: they are paid for as well. Replayed answers are not.
 */
import type { ModelEvent, ModelUsage } from './run-event.ts';

const details = ['cachedTokens', 'cacheCreationTokens', 'reasoningTokens'] as const;

/** What two calls used together. What neither of them reported stays absent. */
export function addUsage(left: ModelUsage, right: ModelUsage): ModelUsage {
  const known = details.filter((name) => left[name] !== undefined || right[name] !== undefined);
  return {
    promptTokens: left.promptTokens + right.promptTokens,
    completionTokens: left.completionTokens + right.completionTokens,
    ...Object.fromEntries(known.map((name) => [name, (left[name] ?? 0) + (right[name] ?? 0)])),
  };
}

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

  /** Adds what was spent before. */
  addAll({ usage, costUsd, unpricedCalls = 0 }: SpendingTotal): void {
    this.#unpricedCalls += unpricedCalls;
    if (costUsd !== undefined) this.#costUsd = (this.#costUsd ?? 0) + costUsd;
    if (usage !== undefined) this.#usage = this.#usage === undefined ? usage : addUsage(this.#usage, usage);
  }

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
