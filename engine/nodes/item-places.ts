/**
 * The places of the items of a loop that may be under way at once. One that waits for a person has none.
 */
import type { ItemPlace } from '../flow/node-type.ts';

interface Items {
  readonly hasMore: () => boolean;
  /** Never rejects. */
  readonly runNext: () => Promise<void>;
}

export class ItemPlaces implements ItemPlace {
  readonly #count: number;
  readonly #mostWaiting: number;
  readonly #items: Items;
  readonly #workers: Promise<void>[] = [];
  /** Items that go on as soon as there is a place. */
  readonly #entering: (() => void)[] = [];
  #taken = 0;
  #waiting = 0;

  /** @param count of those that are under way. @param mostWaiting of those that wait for people: while so many do, no more begin */
  constructor({ count, mostWaiting }: { readonly count: number; readonly mostWaiting: number }, items: Items) {
    this.#count = count;
    this.#mostWaiting = mostWaiting;
    this.#items = items;
  }

  /** Runs all items. @param workers how many begin */
  async toTheirEnd(workers: number): Promise<void> {
    for (let worker = 0; worker < Math.min(workers, this.#mostWaiting); worker++) this.#addWorker();
    // More may join while these are waited for.
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

  /** @param places what has a place already. An item that is under way may come to wait. */
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
