/**
 * Counts what model calls use: in a case, also if they are replayed, and what recording has cost.
 */
import { EngineError } from '../base/engine-error.ts';
import type { BudgetDoc } from '../language/triggers/budget-doc.ts';
import type { ModelUsage, RunEvent } from '../runtime/kernel/events/run-event.ts';
import type { RunListener } from '../runtime/kernel/hub/hub-core.ts';
import { costOf } from '../world/model/price-table.ts';
import { knownProviders } from '../world/model/provider-config.ts';

/** What model calls have used. */
export interface ModelUse {
  readonly tokens: number;
  /** US dollars, also for replayed calls; undefined if no price is known. */
  readonly costUsd: number | undefined;
}

const nothing: ModelUse = { tokens: 0, costUsd: undefined };

export class ModelMeter {
  readonly #now: () => number;
  #used = nothing;
  #budget: BudgetDoc | undefined;
  #spent = { usd: 0, tokens: 0, since: 0 };
  #asked: { readonly provider: string; readonly model: string } | undefined;
  /** US dollars that recording has cost so far. */
  spentUsd = 0;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** What has been used since `begin`. */
  get used(): ModelUse {
    return this.#used;
  }

  /** Starts a case. */
  begin(): void {
    this.#used = nothing;
  }

  /** Sets what recording may use from now on. */
  limit(budget: BudgetDoc | undefined): void {
    this.#budget = budget;
    this.#spent = { usd: 0, tokens: 0, since: this.#now() };
  }

  /** @throws EngineError `test.budget` if recording has used its budget */
  refuseOver(): void {
    const seconds = (this.#now() - this.#spent.since) / 1000;
    for (const part of ['usd', 'tokens', 'seconds'] as const) {
      const limit = this.#budget?.[part];
      const used = part === 'seconds' ? seconds : this.#spent[part];
      if (limit !== undefined && used >= limit) throw overBudget(part, limit);
    }
  }

  readonly take: RunListener = (events) => {
    for (const { event } of events) {
      if (event.type === 'model:request') this.#asked = event;
      if (event.type === 'model:response') this.#takeResponse(event);
    }
  };

  /** Prices a replayed call, which has no cost of its own. */
  #costOf(usage: ModelUsage): number | undefined {
    const { provider = '', model = '' } = this.#asked ?? {};
    const address = knownProviders.get(provider)?.baseUrl;
    return address === undefined ? undefined : costOf({ address, model }, usage, this.#now());
  }

  #takeResponse(event: Extract<RunEvent, { type: 'model:response' }>): void {
    if (event.usage === undefined) return;
    const tokens = event.usage.promptTokens + event.usage.completionTokens;
    const cost = event.costUsd ?? this.#costOf(event.usage);
    const former = this.#used.costUsd;
    this.#used = {
      tokens: this.#used.tokens + tokens,
      costUsd: cost === undefined ? former : (former ?? 0) + cost,
    };
    if (event.fromCassette === true) return;
    this.#spent.tokens += tokens;
    this.#spent.usd += event.costUsd ?? 0;
    this.spentUsd += event.costUsd ?? 0;
  }
}

function overBudget(part: string, limit: number): EngineError {
  return new EngineError({
    code: 'test.budget',
    message: `The recording has used its budget (${part}: ${limit}). Raise \`budget.${part}\` in the test file, or record fewer cases.`,
  });
}
