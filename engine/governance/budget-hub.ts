/**
 * The hub of a run that has a budget: counts what is told, also of the runs that it calls, and stops the run when it is used up.
 */
import type { EngineError } from '../base/engine-error.ts';
import type { RunId } from '../base/ids.ts';
import type { Hub, HubScope } from '../kernel/hub.ts';
import type { RunEvent } from '../kernel/run-event.ts';
import {
  type BudgetLimits,
  type BudgetUse,
  breachOf,
  budgetExceeded,
  isOfBudget,
  nothingUsed,
  withUseOf,
} from './budget.ts';

/** What is left of one run's budget. */
export class BudgetMeter {
  readonly #limits: BudgetLimits;
  readonly #stop: (error: EngineError) => void;
  #use: BudgetUse = nothingUsed;
  #isOver = false;

  /** @param stop called once, with `budget.exceeded` */
  constructor(limits: BudgetLimits, stop: (error: EngineError) => void) {
    this.#limits = limits;
    this.#stop = stop;
  }

  /** Counts without judging, for what an earlier process has told. */
  count(event: RunEvent): void {
    this.#use = withUseOf(this.#use, event, this.#limits);
  }

  take(event: RunEvent): void {
    this.count(event);
    if (this.#isOver) return;
    const breach = breachOf(this.#use, event, this.#limits);
    if (breach === undefined) return;
    this.#isOver = true;
    this.#stop(budgetExceeded(breach));
  }
}

export class BudgetHub implements Hub {
  readonly #inner: Hub;
  readonly #meter: BudgetMeter;

  constructor(inner: Hub, meter: BudgetMeter) {
    this.#inner = inner;
    this.#meter = meter;
  }

  emit(event: RunEvent): void {
    this.#inner.emit(event);
    if (isOfBudget(event)) this.#meter.take(event);
  }

  scoped(context: Partial<HubScope>): Hub {
    return new BudgetHub(this.#inner.scoped(context), this.#meter);
  }

  child(runId: RunId): Hub {
    return new BudgetHub(this.#inner.child(runId), this.#meter);
  }

  flush(): void {
    this.#inner.flush();
  }

  keepDefinition(text: string): void {
    this.#inner.keepDefinition?.(text);
  }

  get runId(): RunId {
    return this.#inner.runId;
  }

  get taskId(): string | undefined {
    return this.#inner.taskId;
  }

  get products(): readonly string[] | undefined {
    return this.#inner.products;
  }

  get autonomy(): Hub['autonomy'] {
    return this.#inner.autonomy;
  }
}
