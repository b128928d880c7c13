/**
 * Enforces the limits of policies and the budget of its flow while a run is in progress, and raises its budget.
 */
import type { Clock } from '../../base/clock.ts';
import { EngineError } from '../../base/engine-error.ts';
import type { RunId } from '../../base/ids.ts';
import type { BudgetRaise } from '../../history/store/request-store.ts';
import type { RunStore } from '../../history/store/run-store.ts';
import { holdsBinding } from '../../language/bindings/bindings.ts';
import type { CompiledFlow, CompiledNode } from '../../language/flow/compiled-flow.ts';
import { productsAt } from '../../language/flow/product-path.ts';
import { type BudgetDoc, budgetParts, budgetText } from '../../language/triggers/budget-doc.ts';
import type { NodeTypeLookup } from '../../runtime/flow/node-type.ts';
import type { RunOrigin } from '../../runtime/flow/run-root.ts';
import { type BudgetLimits, BudgetMeter, limitsOf } from '../../runtime/governance/budget.ts';
import type { PolicySource } from '../../runtime/governance/layered-policy.ts';
import type { EventEnvelope } from '../../runtime/kernel/events/run-event.ts';
import type { RunSummary } from '../../runtime/kernel/events/run-state.ts';
import type { CancelScope } from '../../runtime/kernel/hub/cancel-scope.ts';
import { SpentBudget } from '../../runtime/kernel/hub/spent-budget.ts';
import { readLog } from '../reads/read-log.ts';
import { nodesIn } from '../rerun/earlier-run.ts';
import { budgetAfter, invalidState, type ResumeRun } from './continuation.ts';
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

/** Returns the budget of a flow's runs, if it has one. */
export function budgetOf({ policy: { budget } }: CompiledFlow): Pick<RunOrigin, 'budget'> {
  return budget === undefined ? {} : { budget };
}

/** Returns whether the price of a model is known. Undefined stands for the default model. */
export type PriceCheck = (model: string | undefined) => Promise<boolean>;

/**
 * Refuses a budget in dollars that could not be enforced. Agents and models that are chosen during the run are not
 * checked. @param flows the flow, and the flows that it calls. @throws EngineError `budget.unpriced`
 */
export async function refuseUnpriced(
  [flow, ...called]: readonly CompiledFlow[],
  { registry, isPriced }: { readonly registry: NodeTypeLookup; readonly isPriced?: PriceCheck },
): Promise<void> {
  if (flow?.policy.budget?.usd === undefined || isPriced === undefined) return;
  const nodes = [flow, ...called].flatMap((one) => one.nodes.flatMap(nodesIn));
  for (const { id, type, config, disabled } of nodes) {
    if (disabled || registry.get(type)?.capabilities.includes('model') !== true) continue;
    const model = modelIn(config);
    if (model === null || (await isPriced(model))) continue;
    const name = model === undefined ? 'the default model' : `"${model}"`;
    const message = `The price of ${name} is not known (node "${id}"), so flow.policy.budget.usd cannot be enforced. Use a model with a known price, or limit tokens instead.`;
    throw new EngineError({ code: 'budget.unpriced', message, nodeId: id });
  }
}

/** Returns the model of a node, undefined for the default model, or null if it is known only during the run. */
function modelIn({ model }: CompiledNode['config']): string | null | undefined {
  return model === undefined || (typeof model === 'string' && !holdsBinding(model)) ? model : null;
}

/** Counts what a run uses, including the time and cost of earlier processes; undefined for a run without a budget. */
export function spentOf(
  { runId, firstSeq, origin: { budget } }: Pick<RunJob, 'runId' | 'firstSeq' | 'origin'>,
  store: RunStore,
): SpentBudget | undefined {
  if (budget === undefined) return undefined;
  const spent = new SpentBudget(budget);
  const former = firstSeq === 0 ? [] : eventsBefore(firstSeq, readLog(store, runId));
  for (const { event, at, rootRunId } of former) spent.take(event, at, rootRunId !== undefined);
  spent.endPeriod();
  return spent;
}

/**
 * Returns how a request raises the budget of a run.
 * @throws EngineError `run.invalid-state` for a run without a budget; `budget.not-raised` for a limit that it does not have
 * or that is not higher; `budget.above-policy`
 */
export function raisedBy(
  { raised = {}, by }: Pick<ResumeRun, 'raised' | 'by'>,
  run: RunSummary,
  { store, policies }: { readonly store: RunStore; readonly policies: PolicySource | undefined },
): BudgetRaise {
  let budget: BudgetDoc | undefined;
  for (const { event, rootRunId } of readLog(store, run.runId))
    if (rootRunId === undefined) budget = budgetAfter(budget, event);
  if (budget === undefined) throw invalidState(run, 'It has no budget that could be raised.');
  refuseUnraised(run.runId, budget, raised);
  refuseAbovePolicy(raised, run.sourcePath, policies);
  return { raised, ...(by === undefined ? {} : { by }) };
}

function refuseUnraised(runId: RunId, budget: BudgetDoc, raised: BudgetDoc): void {
  const given = budgetParts.filter((part) => raised[part] !== undefined);
  if (given.length > 0 && given.every((part) => Number(raised[part]) > (budget[part] ?? Number.POSITIVE_INFINITY)))
    return;
  const limits = budgetParts.flatMap((part) => (budget[part] === undefined ? [] : budgetText(part, budget[part])));
  const message = `The budget of run ${runId} is ${limits.join(', ')}. Raise one of these limits to a higher value.`;
  throw new EngineError({ code: 'budget.not-raised', message });
}

/** Refuses to raise a budget further than the policies allow a run to go. */
function refuseAbovePolicy(raised: BudgetDoc, path: string, policies: PolicySource | undefined): void {
  const limits = policies === undefined ? undefined : limitsOf(policies(productsAt(path)));
  const bounds = [
    ['usd', limits?.costUsd],
    ['tokens', limits?.tokens],
  ] as const;
  for (const [part, bound] of bounds) {
    const wanted = raised[part];
    if (bound === undefined || wanted === undefined || wanted <= bound.limit) continue;
    const most = budgetText(part, bound.limit);
    const message = `A policy limits each run to ${most} (${bound.place}), so its budget cannot be raised to ${budgetText(part, wanted)}. Raise it to at most ${most}.`;
    throw new EngineError({ code: 'budget.above-policy', message });
  }
}

function* eventsBefore(seq: number, log: Iterable<EventEnvelope>): Generator<EventEnvelope, void> {
  for (const envelope of log) {
    if (envelope.seq >= seq) return;
    yield envelope;
  }
}
