/**
 * The hub as one attempt sees it: open while the attempt lasts, so that what a node says too late goes nowhere.
 */
import type { Hub } from '../kernel/hub.ts';
import type { EventContext, RunEvent } from '../kernel/run-event.ts';
import type { Spending } from './spending.ts';

export class AttemptHub implements Hub {
  readonly #inner: Hub;
  readonly #gate: { isOpen: boolean };
  readonly #spending: Spending;

  constructor(inner: Hub, spending: Spending, gate = { isOpen: true }) {
    this.#inner = inner;
    this.#spending = spending;
    this.#gate = gate;
  }

  emit(event: RunEvent): void {
    if (!this.#gate.isOpen) return;
    if (event.type === 'model:response') this.#spending.add(event);
    this.#inner.emit(event);
  }

  scoped(context: Partial<EventContext>): Hub {
    return new AttemptHub(this.#inner.scoped(context), this.#spending, this.#gate);
  }

  flush(): void {
    this.#inner.flush();
  }

  /** Ends this view and all that were made from it. */
  close(): void {
    this.#gate.isOpen = false;
  }
}
