/**
 * Starts a run, shows it until it has ended, and lets Ctrl-C cancel it.
 */
import type { Engine } from '../index.ts';
import type { EventEnvelope, RunId } from '../isomorphic.ts';
import type { CliContext, GlobalOptions } from './cli-context.ts';
import { exitCode, exitCodeOfRun } from './exit-code.ts';
import { createJsonReporter, createProgressReporter, type RunReporter } from './progress/run-reporter.ts';

/** Under `npm run` the terminal and npm both signal the program: one key press arrives twice. */
const samePressMs = 300;

/**
 * Follows the run that `start` asks the engine for.
 * @returns the exit code
 * @throws what `start` throws: nothing was shown
 */
export async function followRun(
  context: CliContext,
  { engine, json }: { engine: Engine; json: GlobalOptions['json'] },
  start: () => Promise<{ runId: RunId }>,
): Promise<number> {
  const reporter = json === true ? createJsonReporter(context.terminal) : createProgressReporter(context);
  const signals = cancelOnSignals(engine, context);
  const feed = createFeed(reporter);
  const unsubscribe = engine.subscribe(feed.take);
  try {
    const { runId } = await start();
    feed.follow(runId);
    // The press came while the run was being prepared, and the engine had nothing to cancel yet.
    if (signals.havePressed()) engine.cancelRun(runId);
    const { status } = await engine.whenEnded(runId);
    return exitCodeOfRun(status);
  } finally {
    unsubscribe();
    signals.stop();
    reporter.close();
  }
}

/** Holds events back until it is known which run they have to be of. */
function createFeed(reporter: RunReporter): {
  take: (events: readonly EventEnvelope[]) => void;
  follow: (runId: RunId) => void;
} {
  let followed: RunId | undefined;
  const early: EventEnvelope[] = [];
  return {
    take(events) {
      if (followed === undefined) early.push(...events);
      else reporter.take(events.filter(({ runId }) => runId === followed));
    },
    follow(id) {
      followed = id;
      reporter.take(early.filter(({ runId }) => runId === id));
    },
  };
}

/** The first signal cancels and waits for the end, the second does not wait. */
function cancelOnSignals(
  engine: Engine,
  { terminal, clock, quit }: CliContext,
): { havePressed: () => boolean; stop: () => void } {
  let firstAt: number | undefined;
  const onSignal = (): void => {
    const now = clock.now();
    if (firstAt === undefined) {
      firstAt = now;
      terminal.err('Cancelling. Press Ctrl-C again to quit at once.');
      engine.cancelRun();
    } else if (now - firstAt > samePressMs) {
      quit(exitCode.cancelled);
    }
  };
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
  return {
    havePressed: () => firstAt !== undefined,
    stop() {
      process.off('SIGINT', onSignal);
      process.off('SIGTERM', onSignal);
    },
  };
}
