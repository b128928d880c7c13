/**
 * Tells code of steps from code of the workflow around them. A replay repeats only the workflow, so ids and files that it
 * uses must be the same in each replay.
 */
import { AsyncLocalStorage } from 'node:async_hooks';

const insideStep = new AsyncLocalStorage<true>();

/** Returns whether the current code is part of a step, whose result a replay does not compute again. */
export function isInStep(): boolean {
  return insideStep.getStore() === true;
}

/** Runs the work of a step. */
export function runAsStep<T>(work: () => Promise<T>): Promise<T> {
  return insideStep.run(true, work);
}
