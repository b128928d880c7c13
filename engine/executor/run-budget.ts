/**
 * The budget of a run: what policies limit, while it goes on.
 */
import type { Clock } from '../base/clock.ts';
import { productsAt } from '../flowspec/product-path.ts';
import { type BudgetLimits, BudgetMeter, limitsOf } from '../governance/budget.ts';
import type { PolicySource } from '../governance/layered-policy.ts';
import type { CancelScope } from '../kernel/cancel-scope.ts';
import type { EventEnvelope } from '../kernel/run-event.ts';
import type { RunStore } from '../store/run-store.ts';
import { readLog } from './read-log.ts';
import type { RunJob } from './run-job.ts';

interface MeteredRun {
  readonly policies?: PolicySource;
  readonly store: RunStore;
  readonly clock: Clock;
  /** Is asked to stop when the budget is used up. */
  readonly scope: CancelScope;
}

/** Limits hold for a moment: looking at files with each event would take longer than many a node. In milliseconds. */
const keptMs = 100;

/**
 * The limits of the moment for what stands in a file: policies may change while it goes on.
 * @param path relative to the workspace: in a product, its policy counts, too
 */
export function limitsNow(path: string, policies: PolicySource, clock: Clock): () => BudgetLimits | undefined {
  const products = productsAt(path);
  let kept: { readonly limits: BudgetLimits | undefined; readonly at: number } | undefined;
  return () => {
    const now = clock.now();
    if (kept === undefined || Math.abs(now - kept.at) >= keptMs)
      kept = { limits: limitsOf(policies(products)), at: now };
    return kept.limits;
  };
}

/** What an earlier process has used counts. Undefined where no policies are asked. */
export function meterOf(
  { runId, firstSeq, origin }: Pick<RunJob, 'runId' | 'firstSeq' | 'origin'>,
  { policies, store, scope, clock }: MeteredRun,
): BudgetMeter | undefined {
  if (policies === undefined) return undefined;
  return new BudgetMeter({
    limits: limitsNow(origin.sourcePath, policies, clock),
    stop: (error) => scope.cancel(error),
    ...(firstSeq === 0 ? {} : { former: () => eventsBefore(firstSeq, readLog(store, runId)) }),
  });
}

function* eventsBefore(seq: number, log: Iterable<EventEnvelope>): Generator<EventEnvelope, void> {
  for (const envelope of log) {
    if (envelope.seq >= seq) return;
    yield envelope;
  }
}
