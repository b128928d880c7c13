/**
 * Errors of loops after a node in their body failed.
 */
import { z } from 'zod';
import { EngineError, type ErrorRecord } from '../../base/engine-error.ts';

/** Where a body failed. */
interface FailedPlace {
  /** What the loop iterates over, for people: `Item`, `Pass`. */
  readonly what: string;
  /** Index of the item or iteration, from 0. */
  readonly index: number;
  /** Id of the loop node. */
  readonly loop: string;
}

/** Returns the error of a loop for a failure in its body: EngineError `loop.item-failed`. */
export function itemFailed({ what, index, loop }: FailedPlace, error: ErrorRecord): EngineError {
  const { node, message } = innermostFailure(`${loop}[${index}]`, error);
  return new EngineError({
    code: itemFailedCode,
    message: `${what} ${index} failed at "${node}": ${message}`,
    details: { index, node, message, error },
    recoverable: error.recoverable ?? false,
  });
}

/**
 * Returns the failed node by its position below the loop, and its message. If a nested loop failed, returns the node
 * inside of it.
 */
function innermostFailure(place: string, error: ErrorRecord): { readonly node: string; readonly message: string } {
  const node = error.nodeId === undefined ? place : `${place}.${error.nodeId}`;
  const inner = error.code === itemFailedCode ? itemFailureSchema.safeParse(error.details).data : undefined;
  if (inner === undefined) return { node, message: error.message };
  // The message of an inner loop begins with that loop's id.
  return { node: `${place}.${inner.node}`, message: inner.message };
}

const itemFailedCode = 'loop.item-failed';

/** The details of `loop.item-failed` that are read back. */
const itemFailureSchema = z.object({ node: z.string(), message: z.string() });
