/**
 * How an agent that another run called runs again because it asked for it. Top-level runs have `redo-scheduler.ts`, with the
 * same pace.
 */
import { type Clock, sleep } from '../base/clock.ts';

/** Milliseconds between the end of a run and the next one of its chain. */
export const redoPauseMs = 500;

/** One run of a chain. */
export interface RedoStep {
  /** 0 for the first. */
  readonly count: number;
}

/**
 * Runs something once, and again as long as what it gives says so: 500 ms after its end, with the count one higher.
 * @throws what `runOnce` throws, or the signal's reason when it aborts in between
 */
export async function runChain<Result extends { readonly redoRequested: boolean }>(
  runOnce: (step: RedoStep, former: Result | undefined) => Promise<Result>,
  { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal },
): Promise<Result> {
  let former: Result | undefined;
  for (let count = 0; ; count++) {
    const result = await runOnce({ count }, former);
    if (!result.redoRequested) return result;
    await sleep(clock, redoPauseMs, signal);
    former = result;
  }
}
