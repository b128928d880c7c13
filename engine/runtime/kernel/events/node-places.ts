/**
 * Full names of nodes in loop bodies. Such a node runs once per item, as `<loop>[<item>].<id>`; loops can be nested.
 */

/** A loop and one of its items. */
export interface LoopStep {
  /** The loop's own full name. */
  readonly loop: string;
  /** From 0. */
  readonly item: number;
}

/** Whether a node is in a loop body. */
export function isInBody(place: string): boolean {
  return place.includes('].');
}

/** Returns the node's ID in the file: `ask` for `each[3].ask`. */
export function baseNodeId(place: string): string {
  return place.slice(place.lastIndexOf('.') + 1);
}

/** Returns the innermost loop around a node, with the item; undefined outside loops. */
export function innermostStep(place: string): LoopStep | undefined {
  const end = place.lastIndexOf('].');
  if (end < 0) return undefined;
  const start = place.lastIndexOf('[', end);
  return { loop: place.slice(0, start), item: Number(place.slice(start + 1, end)) };
}

/** Returns the loops around a node, outermost first. */
export function loopStepsOf(place: string): readonly LoopStep[] {
  const steps: LoopStep[] = [];
  for (let step = innermostStep(place); step !== undefined; step = innermostStep(step.loop)) steps.unshift(step);
  return steps;
}
