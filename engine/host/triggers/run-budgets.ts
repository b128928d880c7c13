/**
 * Ends runs that use more than the budget of their trigger.
 *
 * What a run has used is counted from its events, so a service that restarts continues the count. Time counts while the
 * run is active, not while it waits for a person.
 */
import type { RunId } from '../../base/ids.ts';
import type { BudgetDoc } from '../../language/triggers/budget-doc.ts';
import { type EventEnvelope, rootOf } from '../../runtime/kernel/events/run-event.ts';
import type { TriggerServiceOptions } from './trigger-serving.ts';

type BudgetWorld = Pick<TriggerServiceOptions, 'cancelRun' | 'clock' | 'onNote' | 'store' | 'subscribe'>;

interface RunSpending {
  readonly budget: BudgetDoc;
  /** The last counted event, and its time. */
  seq: number;
  at: number;
  usd: number;
  tokens: number;
  /** Milliseconds in which the run was active, without the current period. */
  activeMs: number;
  /** When the current period began. */
  activeSince: number | undefined;
  hasEnded: boolean;
  endTimer: () => void;
}

const eventsAtOnce = 2_000;

/** The runs with a budget that are in progress. */
export class RunBudgets {
  readonly #world: BudgetWorld;
  readonly #runs = new Map<RunId, RunSpending>();
  readonly #stop: () => void;

  constructor(world: BudgetWorld) {
    this.#world = world;
    this.#stop = world.subscribe((events) => {
      const changed = new Set<RunId>();
      for (const envelope of events) {
        const runId = rootOf(envelope);
        const spent = this.#runs.get(runId);
        if (spent === undefined) continue;
        count(spent, envelope);
        changed.add(runId);
      }
      for (const runId of changed) this.#check(runId);
    });
  }

  /** Watches a run from now on, and counts what it has used already. A run that is watched stays as it is. */
  watch(runId: RunId, budget: BudgetDoc): void {
    if (this.#runs.has(runId)) return;
    const spent: RunSpending = {
      ...{ budget, seq: -1, at: 0, usd: 0, tokens: 0, activeMs: 0 },
      ...{ activeSince: undefined, hasEnded: false, endTimer: () => {} },
    };
    this.#runs.set(runId, spent);
    for (let isMore = true; isMore; ) {
      const events = this.#world.store.readEvents(runId, spent.seq, eventsAtOnce);
      for (const envelope of events) count(spent, envelope);
      isMore = events.length === eventsAtOnce;
    }
    if (this.#world.store.findSummary(runId)?.status === 'interrupted') endPeriod(spent, spent.at);
    this.#check(runId);
  }

  close(): void {
    this.#stop();
    for (const runId of [...this.#runs.keys()]) this.#forget(runId);
  }

  /** Ends the run if it has used its budget; otherwise, checks again when its time may be over. */
  #check(runId: RunId): void {
    const spent = this.#runs.get(runId);
    if (spent === undefined) return;
    const { budget, activeSince, activeMs } = spent;
    spent.endTimer();
    if (spent.hasEnded) {
      this.#forget(runId);
      return;
    }
    const { clock } = this.#world;
    const active = activeMs + (activeSince === undefined ? 0 : Math.max(clock.now() - activeSince, 0));
    const leftMs = (budget.seconds ?? Number.POSITIVE_INFINITY) * 1_000 - active;
    const used = usedUp(spent, leftMs);
    if (used !== undefined) this.#end(runId, used);
    else if (activeSince !== undefined && Number.isFinite(leftMs))
      spent.endTimer = clock.setTimer(() => this.#check(runId), leftMs);
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
function usedUp({ budget, usd, tokens }: RunSpending, leftMs: number): string | undefined {
  if (budget.usd !== undefined && usd > budget.usd) return `$${budget.usd}`;
  if (budget.tokens !== undefined && tokens > budget.tokens) return `${budget.tokens} tokens`;
  return leftMs <= 0 ? `${budget.seconds} s` : undefined;
}

function count(spent: RunSpending, { seq, at, event, parentRunId }: EventEnvelope): void {
  if (seq <= spent.seq) return;
  const lastAt = spent.at;
  spent.seq = seq;
  spent.at = at;
  if (event.type === 'model:response' && event.fromCassette !== true) {
    spent.usd += event.costUsd ?? 0;
    spent.tokens += (event.usage?.promptTokens ?? 0) + (event.usage?.completionTokens ?? 0);
  }
  if (parentRunId !== undefined) return;
  const isStart = event.type === 'run:start' || event.type === 'run:resumed';
  if (!isStart && event.type !== 'run:suspended' && event.type !== 'run:end') return;
  // A crash leaves no event: the run was active until its last one.
  endPeriod(spent, isStart ? lastAt : at);
  if (isStart) spent.activeSince = at;
  spent.hasEnded = event.type === 'run:end';
}

function endPeriod(spent: RunSpending, at: number): void {
  spent.activeMs += spent.activeSince === undefined ? 0 : Math.max(at - spent.activeSince, 0);
  spent.activeSince = undefined;
}
