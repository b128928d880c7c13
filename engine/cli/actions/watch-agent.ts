/**
 * What `run --watch` does after the first run.
 */
import type { Engine } from '../../index.ts';
import { EngineError } from '../../isomorphic.ts';
import type { CliContext } from '../cli-context.ts';
import { exitCode } from '../exit-code.ts';

interface Watching {
  readonly context: CliContext;
  readonly engine: Engine;
  readonly target: { readonly agent: string; readonly file?: string };
}

/**
 * Runs again whenever the agent, its scripts or its pack have changed, one run at a time, until Ctrl-C.
 * @returns the exit code
 */
export async function watchingRuns(
  { context, engine, target }: Watching,
  runAgain: () => Promise<number>,
): Promise<number> {
  let isOver = false;
  let wake = (): void => {};
  const stop = (): void => {
    isOver = true;
    wake();
  };
  let hasChanged = false;
  const unwatch = await engine.watchAgent(target.file ?? target.agent, () => {
    hasChanged = true;
    wake();
  });
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
  try {
    for (;;) {
      context.terminal.err(`Watching ${target.agent}. Ctrl-C ends.`);
      while (!hasChanged && !isOver) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      if (isOver) return exitCode.ok;
      hasChanged = false;
      await runAgain().catch((error: unknown) => {
        // Half-written files are what one watches for.
        if (!EngineError.is(error)) throw error;
        context.terminal.err(`millrace: ${error.message}`);
      });
    }
  } finally {
    process.off('SIGINT', stop);
    process.off('SIGTERM', stop);
    unwatch();
  }
}
