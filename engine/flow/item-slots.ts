/**
 * How many items of loops are under way in a run. Loops inside each other multiply: of six with sixteen items each at a time,
 * millions would start before the first has ended.
 */

/** Items of all loops of a run together, beside one of each loop, which always may go on. */
const mostItems = 1000;

/** Gives the place back; to be called once. */
export type LeaveItem = () => void;

interface Waiting {
  readonly enter: (leave: LeaveItem) => void;
  hasEntered: boolean;
}

/** The places of a run. */
export class ItemSlots {
  #left = mostItems;
  readonly #waiting: Waiting[] = [];

  /** The places that the items of one loop get. */
  forLoop(): LoopSlots {
    return new LoopSlots(this);
  }

  /** Takes a place, unless all are taken. */
  take(): boolean {
    if (this.#left === 0) return false;
    this.#left--;
    return true;
  }

  /** Whoever waits longest enters as soon as there is a place. */
  queue(waiting: Waiting): void {
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

/** An inner loop needs a place to end, for which an outer item must end: so one item of each loop needs none. */
class LoopSlots {
  readonly #slots: ItemSlots;
  readonly #waiting: Waiting[] = [];
  #isFirstUnderWay = false;

  constructor(slots: ItemSlots) {
    this.#slots = slots;
  }

  /** At once when there is a place, else when there is one again; items of a loop enter in the order in which they ask. */
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
