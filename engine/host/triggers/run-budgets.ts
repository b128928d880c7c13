/**
 * Ends runs that use more than the budget of their trigger.
 *
 * What a run has used is counted from its events, so a service that restarts continues the count. Time counts while the
 * run is active, not while it waits for a person.
 */
import type { RunId } from '../../base/ids.ts';
import type { BudgetDoc } from '../../language/triggers/budget-doc.ts';
import { type EventEnvelope, rootOf } from '../../runtime/kernel/events/run-event.ts';
import { SpentBudget } from '../../runtime/kernel/hub/spent-budget.ts';
import type { TriggerServiceOptions } from './trigger-serving.ts';

type BudgetWorld = Pick<TriggerServiceOptions, 'cancelRun' | 'clock' | 'onNote' | 'store' | 'subscribe'>;

interface WatchedRun {
  readonly spent: SpentBudget;
  /** The last counted event. */
  seq: number;
  hasEnded: boolean;
  endTimer: () => void;
}

const eventsAtOnce = 2_000;

/** The runs with a budget that are in progress. */
export class RunBudgets {
  readonly #world: BudgetWorld;
  readonly #runs = new Map<RunId, WatchedRun>();
  readonly #stop: () => void;

  constructor(world: BudgetWorld) {
    this.#world = world;
    this.#stop = world.subscribe((events) => {
      const changed = new Set<RunId>();
      for (const envelope of events) {
        const runId = rootOf(envelope);
        const run = this.#runs.get(runId);
        if (run === undefined) continue;
        count(run, envelope);
        changed.add(runId);
      }
      for (const runId of changed) this.#check(runId);
    });
  }

  /** Watches a run from now on, and counts what it has used already. A run that is watched stays as it is. */
  watch(runId: RunId, budget: BudgetDoc): void {
    if (this.#runs.has(runId)) return;
    const run: WatchedRun = { spent: new SpentBudget(budget), seq: -1, hasEnded: false, endTimer: () => {} };
    this.#runs.set(runId, run);
    for (let isMore = true; isMore; ) {
      const events = this.#world.store.readEvents(runId, run.seq, eventsAtOnce);
      for (const envelope of events) count(run, envelope);
      isMore = events.length === eventsAtOnce;
    }
    if (this.#world.store.findSummary(runId)?.status === 'interrupted') run.spent.endPeriod();
    this.#check(runId);
  }

  close(): void {
    this.#stop();
    for (const runId of [...this.#runs.keys()]) this.#forget(runId);
  }

  /** Ends the run if it has used its budget; otherwise, checks again when its time may be over. */
  #check(runId: RunId): void {
    const run = this.#runs.get(runId);
    if (run === undefined) return;
    run.endTimer();
    if (run.hasEnded) {
      this.#forget(runId);
      return;
    }
    const { spent } = run;
    const { clock } = this.#world;
    const leftMs = (spent.budget.seconds ?? Number.POSITIVE_INFINITY) * 1_000 - spent.activeMsAt(clock.now());
    const used = usedUp(spent, leftMs);
    if (used !== undefined) this.#end(runId, used);
    else if (spent.isActive && Number.isFinite(leftMs)) run.endTimer = clock.setTimer(() => this.#check(runId), leftMs);
  }

  #end(runId: RunId, budget: string): void {
    this.#forget(runId);
    this.#world.onNote(`Run ${runId} was canceled: it has used its budget of ${budget}.`);
    this.#world.cancelRun(runId);
  }

  #forget(runId: RunId): void {
    this.#runs.get(runId)?.endTimer();
    this.#runs.delete(runId);
  }
}

/** Returns the part of the budget that is used up, as text; undefined if the run may continue. */
function usedUp({ budget, usd, tokens }: SpentBudget, leftMs: number): string | undefined {
  if (budget.usd !== undefined && usd > budget.usd) return `$${budget.usd}`;
  if (budget.tokens !== undefined && tokens > budget.tokens) return `${budget.tokens} tokens`;
  return leftMs <= 0 ? `${budget.seconds} s` : undefined;
}

function count(run: WatchedRun, { seq, at, event, parentRunId }: EventEnvelope): void {
  if (seq <= run.seq) return;
  run.seq = seq;
  run.spent.take(event, at, parentRunId !== undefined);
  if (parentRunId === undefined && event.type === 'run:end') run.hasEnded = true;
}
