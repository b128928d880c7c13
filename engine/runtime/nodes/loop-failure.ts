/**
 * Errors of loops in which a body node failed.
 */
import { z } from 'zod';
import { EngineError, type ErrorRecord } from '../../base/engine-error.ts';

/** Where a body failed. */
interface FailedPlace {
  /** The unit the loop iterates over, for display: `Item`, `Pass`. */
  readonly what: string;
  /** Index of the item or iteration, from 0. */
  readonly index: number;
  /** The loop node's ID. */
  readonly loop: string;
}

/** Returns a loop's error for a failure in its body: EngineError `loop.item-failed`. */
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
 * inside it.
 */
function innermostFailure(place: string, error: ErrorRecord): { readonly node: string; readonly message: string } {
  const node = error.nodeId === undefined ? place : `${place}.${error.nodeId}`;
  const inner = error.code === itemFailedCode ? itemFailureSchema.safeParse(error.details).data : undefined;
  if (inner === undefined) return { node, message: error.message };
  // An inner loop's message begins with that loop's ID.
  return { node: `${place}.${inner.node}`, message: inner.message };
}

const itemFailedCode = 'loop.item-failed';

/** The details of `loop.item-failed` that are read back. */
const itemFailureSchema = z.object({ node: z.string(), message: z.string() });
