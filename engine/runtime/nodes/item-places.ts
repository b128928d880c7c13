/**
 * Slots that limit how many items of a loop run at once. An item that waits for a person frees its slot.
 */
import type { ItemPlace } from '../flow/node-type.ts';

interface Items {
  readonly hasMore: () => boolean;
  /** Runs the next item. Never rejects. */
  readonly runNext: () => Promise<void>;
}

export class ItemPlaces implements ItemPlace {
  readonly #count: number;
  readonly #mostWaiting: number;
  readonly #items: Items;
  readonly #workers: Promise<void>[] = [];
  /** Items that continue as soon as a slot is free. */
  readonly #entering: (() => void)[] = [];
  #taken = 0;
  #waiting = 0;

  /**
   * @param count number of slots. @param mostWaiting number of items waiting for people at which no further items start
   */
  constructor({ count, mostWaiting }: { readonly count: number; readonly mostWaiting: number }, items: Items) {
    this.#count = count;
    this.#mostWaiting = mostWaiting;
    this.#items = items;
  }

  /** Runs all items. @param workers number of workers to start */
  async toTheirEnd(workers: number): Promise<void> {
    for (let worker = 0; worker < Math.min(workers, this.#mostWaiting); worker++) this.#addWorker();
    // More workers may be added while these are awaited.
    for (let worker = 0; worker < this.#workers.length; worker++) await this.#workers[worker];
  }

  leave(): void {
    this.#waiting++;
    this.#giveBack();
    if (this.#taken < this.#count && this.#mayBegin(this.#taken)) this.#addWorker();
  }

  enter(): Promise<void> | undefined {
    if (this.#taken < this.#count) {
      this.#waiting--;
      this.#taken++;
      return undefined;
    }
    return new Promise((resolve) => this.#entering.push(resolve));
  }

  /** @param places number of slots in use. A running item may start to wait. */
  #mayBegin(places: number): boolean {
    return this.#waiting + places < this.#mostWaiting && this.#items.hasMore();
  }

  #addWorker(): void {
    this.#taken++;
    this.#workers.push(this.#work());
  }

  async #work(): Promise<void> {
    while (this.#mayBegin(this.#taken - 1) && this.#entering.length === 0) await this.#items.runNext();
    this.#giveBack();
  }

  #giveBack(): void {
    const next = this.#entering.shift();
    if (next === undefined) this.#taken--;
    else {
      this.#waiting--;
      next();
    }
  }
}
