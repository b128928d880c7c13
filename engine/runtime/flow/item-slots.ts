/**
 * Limits how many loop items are in progress in a run. Nested loops multiply: with six levels of sixteen parallel
 * items, millions of items would start before the first one ended.
 */

/** Maximum number of items in all loops of a run, in addition to the one item per loop that may always run. */
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

  /** Returns the slots for one loop's items. */
  forLoop(): LoopSlots {
    return new LoopSlots(this);
  }

  /** Takes a slot. Returns false if all slots are taken. */
  take(): boolean {
    if (this.#left === 0) return false;
    this.#left--;
    return true;
  }

  /** Adds a waiting item. Items receive free slots in the order in which they were queued. */
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
 * An outer item can end only after its inner loop has ended. To avoid a deadlock, one item per loop therefore needs no
 * slot.
 */
class LoopSlots {
  readonly #slots: ItemSlots;
  readonly #waiting: WaitingLoopItem[] = [];
  #isFirstUnderWay = false;

  constructor(slots: ItemSlots) {
    this.#slots = slots;
  }

  /**
   * Enters immediately if a slot is free, otherwise when one becomes free. A loop's items enter in the order in which
   * they requested a slot.
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
