/**
 * Calls that hold runs, let them continue, and change the values of held ones. Part of `engine-contract.ts`.
 */
import { z } from 'zod';
import type { JsonMap, JsonValue } from '../../../engine/isomorphic.ts';
import { wholeJson } from '../pinned-outputs.ts';
import { call } from '../rpc.ts';
import { runId } from '../run-summary.ts';
import { breakpoints } from './draft-contract.ts';
import { nodePlace } from './start-contract.ts';

const done = z.void();
const acceptedRun = z.object({ runId: z.string() });

/** The same check as Zod's, with a read-only type. */
const jsonValue = z.json() as z.ZodType<JsonValue>;

function isMap(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export const holdContract = {
  resumeRun: call(
    [
      z.strictObject({
        runId,
        decision: z.exactOptional(z.enum(['approve', 'reject'])),
        comment: z.exactOptional(z.string().max(10_000)),
        /** The node that is answered, or the held node that gets an output or an input. */
        nodeId: z.exactOptional(nodePlace),
        /** The answer to a node's question, instead of a decision. The engine rejects an answer that does not match. */
        payload: z.exactOptional(z.record(z.string(), jsonValue)),
        /** Identifies the question if a node asks several questions. */
        key: z.exactOptional(z.string().min(1).max(10_000)),
        /** For a paused run, instead of everything above. */
        action: z.exactOptional(z.enum(['continue', 'step', 'skip', 'edit'])),
        /** For `skip`: the output of the node, which does not run. */
        output: z.exactOptional(wholeJson),
        /** For `edit`: its input. */
        input: z.exactOptional(z.custom<JsonMap>((value) => isMap(value) && wholeJson.safeParse(value).success)),
      }),
    ],
    acceptedRun,
  ),
  /** The run id is required: a window never cancels all runs. */
  cancelRun: call([runId], done),
  pauseRun: call([runId], done),
  setBreakpoints: call([z.string().min(1).max(4096), breakpoints], done),
  /** The user looks at a run, so breakpoints act in it, whatever started it. */
  attachRun: call([runId], done),
} as const;
