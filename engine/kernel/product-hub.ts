/**
 * The hub of a run of a flow or an agent that lies in a product, and of all that it calls.
 */
import type { RunId } from '../base/ids.ts';
import type { Hub, HubScope } from './hub.ts';
import type { RunEvent } from './run-event.ts';

/** The hub, for a run of a product; of one that is of none, the same. */
export function ofProduct(hub: Hub, product: string | undefined): Hub {
  const { products = [] } = hub;
  return product === undefined || products.at(-1) === product ? hub : new ProductHub(hub, [...products, product]);
}

class ProductHub implements Hub {
  readonly products: readonly string[];
  readonly #inner: Hub;

  constructor(inner: Hub, products: readonly string[]) {
    this.#inner = inner;
    this.products = products;
  }

  emit(event: RunEvent): void {
    this.#inner.emit(event);
  }

  scoped(context: Partial<HubScope>): Hub {
    return new ProductHub(this.#inner.scoped(context), this.products);
  }

  child(runId: RunId): Hub {
    return new ProductHub(this.#inner.child(runId), this.products);
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

  get isUnseen(): boolean {
    return this.#inner.isUnseen === true;
  }

  get autonomy(): Hub['autonomy'] {
    return this.#inner.autonomy;
  }
}
