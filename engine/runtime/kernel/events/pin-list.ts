/**
 * A run's pins in display order.
 */
/** Information that an agent shows to people. */
export interface Pin {
  readonly iden: string;
  readonly priority?: number;
  readonly label?: string;
  readonly content: string;
  /** The input to which the pin belongs; absent for a run's pin. */
  readonly taskId?: string;
}

/**
 * Returns the pins with this one added, or replacing an earlier one with the same name and input. Never changes `pins`.
 */
export function withPin(pins: readonly Pin[], pin: Pin): readonly Pin[] {
  const known = pins.findIndex(({ iden, taskId }) => iden === pin.iden && taskId === pin.taskId);
  const before = known === -1 ? undefined : pins[known];
  if (before !== undefined && before.priority === pin.priority) return pins.with(known, pin);
  const others = before === undefined ? pins : pins.toSpliced(known, 1);
  const after = others.findIndex((other) => rankOf(other) > rankOf(pin));
  return after === -1 ? [...others, pin] : others.toSpliced(after, 0, pin);
}

/** Lower ranks come first; pins without a priority come last. */
function rankOf({ priority }: Pin): number {
  return priority ?? Number.POSITIVE_INFINITY;
}
