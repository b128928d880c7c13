/**
 * The hub of somebody who pays: counts what model calls cost that are told on it or on anything made from it, runs that
 * are called included.
 */
import type { RunId } from '../base/ids.ts';
import type { Hub } from './hub.ts';
import type { EventContext, RunEvent } from './run-event.ts';
import type { Spending } from './spending.ts';

/** While it is closed, what is told goes nowhere. */
export interface HubGate {
  readonly isOpen: boolean;
}

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

  scoped(context: Partial<EventContext>): Hub {
    return new SpendingHub(this.inner.scoped(context), this.spending, this.#gate);
  }

  child(runId: RunId): Hub {
    return new SpendingHub(this.inner.child(runId), this.spending, this.#gate);
  }

  flush(): void {
    this.inner.flush();
  }

  get runId(): RunId {
    return this.inner.runId;
  }

  get taskId(): string | undefined {
    return this.inner.taskId;
  }
}
