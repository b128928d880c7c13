/**
 * The hub of what runs by a text that a run has written and no person has seen since, and of all that it calls.
 */
import type { RunId } from '../base/ids.ts';
import type { Hub, HubScope } from './hub.ts';
import type { RunEvent } from './run-event.ts';

/** The hub, for what no person has seen; otherwise the same. */
export function whenUnseen(hub: Hub, isUnseen: boolean): Hub {
  return isUnseen && hub.isUnseen !== true ? new UnseenHub(hub, { isUnseen }) : hub;
}

/** A hub that can become one of what no person has seen, with all that was made from it. */
export class UnseenHub implements Hub {
  readonly #inner: Hub;
  readonly #state: { isUnseen: boolean };

  constructor(inner: Hub, state: { isUnseen: boolean } = { isUnseen: false }) {
    this.#inner = inner;
    this.#state = state;
  }

  /** Marks the hub and everything made from it: part of the code was written by a run, and no person has seen it. */
  markUnseen(): void {
    this.#state.isUnseen = true;
  }

  get isUnseen(): boolean {
    return this.#state.isUnseen || this.#inner.isUnseen === true;
  }

  emit(event: RunEvent): void {
    this.#inner.emit(event);
  }

  scoped(context: Partial<HubScope>): Hub {
    return new UnseenHub(this.#inner.scoped(context), this.#state);
  }

  child(runId: RunId): Hub {
    return new UnseenHub(this.#inner.child(runId), this.#state);
  }

  flush(): void {
    this.#inner.flush();
  }

  keepDefinition(text: string): void {
    this.#inner.keepDefinition?.(text);
  }

  get runId(): RunId {
    return this.#inner.runId;
  }

  get taskId(): string | undefined {
    return this.#inner.taskId;
  }

  get products(): Hub['products'] {
    return this.#inner.products;
  }

  get autonomy(): Hub['autonomy'] {
    return this.#inner.autonomy;
  }
}
