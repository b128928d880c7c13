/**
 * The Restate service of one workspace: a workflow for each run, and a handler that delivers messages to it.
 */
import type { HooksProvider, WorkflowContext, WorkflowSharedContext } from '@restatedev/restate-sdk';
import { EngineError } from '../../base/engine-error.ts';
import { asRunId } from '../../base/ids.ts';
import type { DurableRunInput } from './durable-run.ts';
import { messageName, RestateJournal, type RestateSdk, textSerde } from './restate-journal.ts';
import { serviceOf } from './restate-url.ts';
import { parseMessage } from './run-message.ts';
import { SessionDrained } from './session-errors.ts';
import type { WorkerRuns } from './worker-runs.ts';
import { currentConnection } from './worker-server.ts';

const monthMs = 30 * 24 * 3600 * 1000;

/**
 * A worker suspends waiting runs itself, because Restate can pass a cancellation only to an attempt with an open input.
 * So Restate must never end one, however long a step takes.
 */
const waitsForSteps = { inactivityTimeout: monthMs, abortTimeout: monthMs };

/**
 * A run is repeated until a worker can continue it, however long that takes. With its default of 70 attempts, Restate
 * pauses a run after six minutes without workers, and a person has to resume it.
 */
const retryPolicy = {
  initialInterval: 100,
  exponentiationFactor: 2,
  maxInterval: 5000,
  maxAttempts: Number.MAX_SAFE_INTEGER,
};

/** Code of journals that do not match what a workflow requests. */
const mismatchCode = 570;

/** @param workspace name of the workspace in the history */
export function createRestateService(sdk: RestateSdk, workspace: string, runs: WorkerRuns) {
  return sdk.workflow({
    name: serviceOf(workspace),
    handlers: {
      async run(context: WorkflowContext, input: Omit<DurableRunInput, 'runId'>): Promise<null> {
        const journal = new RestateJournal(sdk, context, currentConnection().suspend);
        try {
          await runs.attempt({ ...input, runId: asRunId(context.key) }, journal);
        } catch (thrown) {
          throw endOf(sdk, thrown);
        }
        return null;
      },
      deliver: sdk.handlers.workflow.shared(deliver),
    },
    options: {
      ...waitsForSteps,
      explicitCancellation: true,
      retryPolicy,
      hooks: [droppingMismatches(runs)],
    },
  });
}

/** Returns false if another message already has the number. */
async function deliver(
  context: WorkflowSharedContext,
  { index, text }: { readonly index: number; readonly text: string },
): Promise<boolean> {
  const promise = context.promise(messageName(index), textSerde);
  const present = await promise.peek();
  if (present !== undefined) return idOf(present) === idOf(text);
  // Fails if another message was faster. The caller tries the same number again and finds that message.
  await promise.resolve(text);
  return true;
}

function idOf(text: string): string | undefined {
  return parseMessage(text)?.id;
}

/** Returns what the attempt throws: Restate repeats it, unless the error is terminal. */
function endOf(sdk: RestateSdk, thrown: unknown): Error {
  if (thrown instanceof SessionDrained) return new sdk.RetryableError(thrown.message, { retryAfter: 100 });
  if (EngineError.is(thrown) && thrown.code === 'run.not-found') return new sdk.TerminalError(thrown.message);
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}

/** After a mismatch, the run starts again from its journal instead of continuing in memory. */
function droppingMismatches(runs: WorkerRuns): HooksProvider {
  return ({ request }) => ({
    interceptor: {
      async handler(next) {
        try {
          await next();
        } catch (thrown) {
          if ((thrown as { readonly code?: unknown } | null)?.code === mismatchCode) {
            const { key } = request.target;
            if (key !== undefined) runs.drop(asRunId(key));
          }
          throw thrown;
        }
      },
    },
  });
}
