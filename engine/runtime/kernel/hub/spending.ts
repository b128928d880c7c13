/**
 * Counts the usage of a run's model calls. Failed attempts are included because they cost money; replayed responses are
 * not.
 */
import type { ModelEvent, ModelUsage } from '../events/run-event.ts';

const details = ['cachedTokens', 'cacheCreationTokens', 'reasoningTokens'] as const;

/** Adds the usage of two calls. Counts that neither call reported stay absent. */
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
  /** Cost in US dollars of the calls with known prices. */
  readonly costUsd?: number;
  /** Number of calls with unknown prices; absent if there are none and the cost is complete. */
  readonly unpricedCalls?: number;
}

export class Spending {
  #usage: ModelUsage | undefined;
  #costUsd: number | undefined;
  #unpricedCalls = 0;

  /** Adds earlier spending. */
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

  /** Returns the sums. Counts that no call reported are absent. */
  total(): SpendingTotal {
    return {
      ...(this.#usage === undefined ? {} : { usage: this.#usage }),
      ...(this.#costUsd === undefined ? {} : { costUsd: this.#costUsd }),
      ...(this.#unpricedCalls === 0 ? {} : { unpricedCalls: this.#unpricedCalls }),
    };
  }
}
