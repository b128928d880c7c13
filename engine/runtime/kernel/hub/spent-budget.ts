/**
 * Counts what a run and its child runs have used, and compares it with a budget.
 */
import type { BudgetDoc } from '../../../language/triggers/budget-doc.ts';
import type { RunEvent } from '../events/run-event.ts';
import type { NeededBudget } from './run-pause.ts';

export class SpentBudget {
  readonly budget: BudgetDoc;
  #usd = 0;
  #tokens = 0;
  /** Milliseconds in which the run was active, without the current period. */
  #activeMs = 0;
  /** When the current period began, in epoch milliseconds. */
  #activeSince: number | undefined;
  #lastAt = 0;

  constructor(budget: BudgetDoc) {
    this.budget = budget;
  }

  /** US dollars. */
  get usd(): number {
    return this.#usd;
  }

  get tokens(): number {
    return this.#tokens;
  }

  /** Whether the run is active, not waiting for a person or ended. */
  get isActive(): boolean {
    return this.#activeSince !== undefined;
  }

  /** Counts an event of the run. @param at epoch milliseconds. @param isOfCalled whether it belongs to a child run */
  take(event: RunEvent, at: number, isOfCalled: boolean): void {
    const lastAt = this.#lastAt;
    this.#lastAt = at;
    if (event.type === 'model:response' && event.fromCassette !== true) {
      this.#usd += event.costUsd ?? 0;
      this.#tokens += (event.usage?.promptTokens ?? 0) + (event.usage?.completionTokens ?? 0);
    }
    if (isOfCalled) return;
    const isStart = event.type === 'run:start' || event.type === 'run:resumed';
    if (!isStart && event.type !== 'run:suspended' && event.type !== 'run:end') return;
    // A crash leaves no event: the run was active until its last one.
    this.endPeriod(isStart ? lastAt : at);
    if (isStart) this.#activeSince = at;
  }

  /** Ends the current active period, if there is one. */
  endPeriod(at = this.#lastAt): void {
    this.#activeMs = this.activeMsAt(at);
    this.#activeSince = undefined;
  }

  /** Returns whether what work needs is used up. @param now epoch milliseconds */
  isUsedUp(needs: NeededBudget, now: number): boolean {
    const { usd, tokens, seconds } = this.budget;
    if (needs === 'nothing') return false;
    if (seconds !== undefined && this.activeMsAt(now) >= seconds * 1_000) return true;
    const isOver = (limit: number | undefined, used: number) => limit !== undefined && used >= limit;
    return needs === 'model' && (isOver(usd, this.#usd) || isOver(tokens, this.#tokens));
  }

  /** Returns the milliseconds in which the run was active. @param now epoch milliseconds */
  activeMsAt(now: number): number {
    return this.#activeMs + (this.#activeSince === undefined ? 0 : Math.max(now - this.#activeSince, 0));
  }
}
