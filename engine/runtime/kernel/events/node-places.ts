/**
 * Full names of nodes in the bodies of loops. Such a node runs once for each item, as `<loop>[<item>].<id>`; loops nest.
 */

/** A loop with one of its items. */
export interface LoopStep {
  /** The loop by its own full name. */
  readonly loop: string;
  /** From 0. */
  readonly item: number;
}

/** Whether a node is in the body of a loop. */
export function isInBody(place: string): boolean {
  return place.includes('].');
}

/** Returns the node's id in the file: `ask` for `each[3].ask`. */
export function baseNodeId(place: string): string {
  return place.slice(place.lastIndexOf('.') + 1);
}

/** Returns the innermost loop around a node, with the item; undefined outside of loops. */
export function innermostStep(place: string): LoopStep | undefined {
  const end = place.lastIndexOf('].');
  if (end < 0) return undefined;
  const start = place.lastIndexOf('[', end);
  return { loop: place.slice(0, start), item: Number(place.slice(start + 1, end)) };
}

/** Returns the loops around a node, the outermost first. */
export function loopStepsOf(place: string): readonly LoopStep[] {
  const steps: LoopStep[] = [];
  for (let step = innermostStep(place); step !== undefined; step = innermostStep(step.loop)) steps.unshift(step);
  return steps;
}
