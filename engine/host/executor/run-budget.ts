/**
 * Enforces the budget that policies set for a run while it is in progress.
 */
import type { Clock } from '../../base/clock.ts';
import type { RunStore } from '../../history/store/run-store.ts';
import { productsAt } from '../../language/flow/product-path.ts';
import { type BudgetLimits, BudgetMeter, limitsOf } from '../../runtime/governance/budget.ts';
import type { PolicySource } from '../../runtime/governance/layered-policy.ts';
import type { EventEnvelope } from '../../runtime/kernel/events/run-event.ts';
import type { CancelScope } from '../../runtime/kernel/hub/cancel-scope.ts';
import { readLog } from '../reads/read-log.ts';
import type { RunJob } from './run-job.ts';

interface MeteredRun {
  readonly policies?: PolicySource;
  readonly store: RunStore;
  readonly clock: Clock;
  /** The scope that is canceled when the budget is exhausted. */
  readonly scope: CancelScope;
}

/** How long limits are cached, in milliseconds. Reading the files for each event would take longer than many nodes. */
const keptMs = 100;

/**
 * Returns a function that reads the current limits for a file, because policies may change during the run.
 * @param path relative to the workspace; in a product, the product's policy also applies
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

/** Creates the meter, which includes usage by an earlier process. Undefined if there are no policies. */
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
