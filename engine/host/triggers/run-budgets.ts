/**
 * Ends runs that use more than the budget of their trigger.
 */
import type { RunId } from '../../base/ids.ts';
import type { BudgetDoc } from '../../language/triggers/trigger-doc.ts';
import { type EventEnvelope, rootOf } from '../../runtime/kernel/events/run-event.ts';
import type { TriggerServiceOptions } from './trigger-serving.ts';

type BudgetWorld = Pick<TriggerServiceOptions, 'clock' | 'subscribe' | 'cancelRun' | 'onNote'>;

interface RunSpending {
  readonly budget: BudgetDoc;
  readonly endTimer: () => void;
  usd: number;
  tokens: number;
}

/** The runs with a budget that are in progress. */
export class RunBudgets {
  readonly #world: BudgetWorld;
  readonly #runs = new Map<RunId, RunSpending>();
  readonly #stop: () => void;

  constructor(world: BudgetWorld) {
    this.#world = world;
    this.#stop = world.subscribe((events) => {
      for (const envelope of events) this.#count(envelope);
    });
  }

  watch(runId: RunId, budget: BudgetDoc): void {
    const { clock } = this.#world;
    const { seconds } = budget;
    const endTimer =
      seconds === undefined ? () => {} : clock.setTimer(() => this.#end(runId, `${seconds} s`), seconds * 1_000);
    this.#runs.set(runId, { budget, endTimer, usd: 0, tokens: 0 });
  }

  close(): void {
    this.#stop();
    for (const runId of [...this.#runs.keys()]) this.#forget(runId);
  }

  #count(envelope: EventEnvelope): void {
    const runId = rootOf(envelope);
    const spent = this.#runs.get(runId);
    if (spent === undefined) return;
    const { event } = envelope;
    if (event.type === 'model:response' && event.fromCassette !== true) {
      spent.usd += event.costUsd ?? 0;
      spent.tokens += (event.usage?.promptTokens ?? 0) + (event.usage?.completionTokens ?? 0);
    }
    const { usd, tokens } = spent.budget;
    if (event.type === 'run:end' && envelope.parentRunId === undefined) this.#forget(runId);
    else if (usd !== undefined && spent.usd > usd) this.#end(runId, `$${usd}`);
    else if (tokens !== undefined && spent.tokens > tokens) this.#end(runId, `${tokens} tokens`);
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
