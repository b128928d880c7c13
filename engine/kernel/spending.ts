/**
 * What a run's model calls used, failed attempts included: they are paid for as well. Replayed answers are not.
 */
import type { RunId } from '../base/ids.ts';
import type { Hub, HubScope } from './hub.ts';
import type { ModelEvent, ModelUsage, RunEvent } from './run-event.ts';

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

/** While it is closed, what is told goes nowhere. */
interface HubGate {
  readonly isOpen: boolean;
}

/**
 * The hub of somebody who pays: counts what model calls cost that are told on it or on anything made from it, runs that are
 * called included.
 */
export class SpendingHub implements Hub {
  protected readonly inner: Hub;
  protected readonly spending: Spending;
  readonly #gate: HubGate;

  constructor(inner: Hub, spending: Spending, gate: HubGate = { isOpen: true }) {
    this.inner = inner;
    this.spending = spending;
    this.#gate = gate;
  }

  emit(event: RunEvent): void {
    if (!this.#gate.isOpen) return;
    if (event.type === 'model:response') this.spending.add(event);
    this.inner.emit(event);
  }

  scoped(context: Partial<HubScope>): Hub {
    return new SpendingHub(this.inner.scoped(context), this.spending, this.#gate);
  }

  child(runId: RunId): Hub {
    return new SpendingHub(this.inner.child(runId), this.spending, this.#gate);
  }

  flush(): void {
    this.inner.flush();
  }

  keepDefinition(text: string): void {
    this.inner.keepDefinition?.(text);
  }

  get runId(): RunId {
    return this.inner.runId;
  }

  get taskId(): string | undefined {
    return this.inner.taskId;
  }

  get products(): readonly string[] | undefined {
    return this.inner.products;
  }

  get isUnseen(): boolean {
    return this.inner.isUnseen === true;
  }

  get autonomy(): Hub['autonomy'] {
    return this.inner.autonomy;
  }
}
