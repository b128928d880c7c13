/**
 * How much of its budget a run has used, as text.
 */
import { type BudgetPart, budgetParts } from '../../engine/isomorphic.ts';
import type { LiveRun } from '../stores/runs/live/live-runs.ts';
import { workedMs } from '../stores/runs/live/run-time.ts';
import { text } from '../stores/runs/text.ts';
import { dollarText, numberText } from '../ui/language.ts';
import { durationText } from '../ui/quantity-text.ts';

/** A limit of a run's budget, and how much of it is used. */
export interface BudgetShare {
  readonly part: BudgetPart;
  readonly limit: number;
  readonly used: number;
}

/** Returns the limits of a run's budget. @param now epoch milliseconds */
export function budgetShares(run: LiveRun, now: number): readonly BudgetShare[] {
  const { budget = {}, costUsd = 0, usage } = run.state;
  const used = {
    usd: costUsd,
    tokens: usage.promptTokens + usage.completionTokens,
    seconds: workedMs(run, now) / 1000,
  };
  return budgetParts.flatMap((part) => {
    const limit = budget[part];
    return limit === undefined ? [] : [{ part, limit, used: used[part] }];
  });
}

/** Formats an amount of a part of a budget: `$0.10`, `5,000 tokens`, `60 s`. */
export function budgetAmount(part: BudgetPart, amount: number): string {
  if (part === 'usd')
    return dollarText(amount, [2, 3, 4].find((digits) => Number(amount.toFixed(digits)) === amount) ?? 6);
  return part === 'tokens' ? text.budget.tokens({ count: numberText(amount) }) : durationText(amount * 1000);
}

/** Returns the limits that a run has reached, such as `$0.10`. Names all if the window has counted slightly less. */
export function reachedText(run: LiveRun, now: number): string {
  const shares = budgetShares(run, now);
  const reached = shares.filter(({ limit, used }) => used >= limit);
  return (reached.length === 0 ? shares : reached).map(({ part, limit }) => budgetAmount(part, limit)).join(', ');
}
