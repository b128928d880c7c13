/**
 * What loops say when a node of their body has failed.
 */
import { z } from 'zod';
import { EngineError, type ErrorRecord } from '../base/engine-error.ts';

/** Where a body failed. */
interface FailedPlace {
  /** What the loop goes through, for people: `Item`, `Pass`. */
  readonly what: string;
  /** Which of them it was, from 0. */
  readonly index: number;
  /** Id of the loop's node. */
  readonly loop: string;
}

/** The failure of a loop because of what failed in its body: EngineError `loop.item-failed`. */
export function itemFailed({ what, index, loop }: FailedPlace, error: ErrorRecord): EngineError {
  const { node, message } = innermostFailure(`${loop}[${index}]`, error);
  return new EngineError({
    code: itemFailedCode,
    message: `${what} ${index} failed at "${node}": ${message}`,
    details: { index, node, message, error },
    recoverable: error.recoverable ?? false,
  });
}

/** The node that failed, by its place below the loop, and what it says: where a loop in the body failed, the node in that one. */
function innermostFailure(place: string, error: ErrorRecord): { readonly node: string; readonly message: string } {
  const node = error.nodeId === undefined ? place : `${place}.${error.nodeId}`;
  const inner = error.code === itemFailedCode ? itemFailureSchema.safeParse(error.details).data : undefined;
  if (inner === undefined) return { node, message: error.message };
  // What a loop says of its item begins with its own id.
  return { node: `${place}.${inner.node}`, message: inner.message };
}

const itemFailedCode = 'loop.item-failed';

/** As much of the details of `loop.item-failed` as is read again. */
const itemFailureSchema = z.object({ node: z.string(), message: z.string() });
