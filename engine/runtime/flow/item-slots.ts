/**
 * Limits how many loop items are in progress in a run. Nested loops multiply: with six levels of sixteen parallel
 * items, millions would start before the first one ends.
 */

/** Maximum number of items of all loops of a run together, in addition to one item of each loop that may always run. */
const mostItems = 1000;

/** Releases the slot. Must be called once. */
export type LeaveItem = () => void;

interface WaitingLoopItem {
  readonly enter: (leave: LeaveItem) => void;
  hasEntered: boolean;
}

/** The slots of a run. */
export class ItemSlots {
  #left = mostItems;
  readonly #waiting: WaitingLoopItem[] = [];

  /** Returns the slots for the items of one loop. */
  forLoop(): LoopSlots {
    return new LoopSlots(this);
  }

  /** Takes a slot. Returns false if all are taken. */
  take(): boolean {
    if (this.#left === 0) return false;
    this.#left--;
    return true;
  }

  /** Adds a waiting item. Items get free slots in the order in which they were queued. */
  queue(waiting: WaitingLoopItem): void {
    this.#waiting.push(waiting);
  }

  giveBack(): void {
    for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift()) {
      if (next.hasEntered) continue;
      next.hasEntered = true;
      next.enter(this.leave);
      return;
    }
    this.#left++;
  }

  readonly leave: LeaveItem = () => this.giveBack();
}

/**
 * An outer item can only end after its inner loop has ended, so one item of each loop needs no slot. This avoids a
 * deadlock.
 */
class LoopSlots {
  readonly #slots: ItemSlots;
  readonly #waiting: WaitingLoopItem[] = [];
  #isFirstUnderWay = false;

  constructor(slots: ItemSlots) {
    this.#slots = slots;
  }

  /**
   * Enters immediately if a slot is free, otherwise when one becomes free. Items of a loop enter in the order of their
   * requests.
   */
  enter(): LeaveItem | Promise<LeaveItem> {
    if (!this.#isFirstUnderWay) {
      this.#isFirstUnderWay = true;
      return this.#leaveFirst;
    }
    if (this.#slots.take()) return this.#slots.leave;
    return new Promise((enter) => {
      const waiting = { enter, hasEntered: false };
      this.#waiting.push(waiting);
      this.#slots.queue(waiting);
    });
  }

  readonly #leaveFirst: LeaveItem = () => {
    for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift()) {
      if (next.hasEntered) continue;
      next.hasEntered = true;
      next.enter(this.#leaveFirst);
      return;
    }
    this.#isFirstUnderWay = false;
  };
}
