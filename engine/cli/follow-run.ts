/**
 * Starts or resumes a run, shows it until it has ended or asks a person, and lets Ctrl-C cancel it.
 */
import type { Engine } from '../index.ts';
import type { EventEnvelope, RunId } from '../isomorphic.ts';
import type { CliContext, GlobalOptions } from './cli-context.ts';
import { exitCode, exitCodeOfRun } from './exit-code.ts';
import { createReporter, type RunReporter } from './progress/run-reporter.ts';

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
  const reporter = createReporter(context, json);
  const signals = cancelOnSignals(engine, context);
  const feed = createFeed(reporter, engine);
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

/** Holds events back until it is known which run they have to be of; of a resumed run, reads what came before. */
function createFeed(
  reporter: RunReporter,
  engine: Pick<Engine, 'readEvents'>,
): {
  take: (events: readonly EventEnvelope[]) => void;
  follow: (runId: RunId) => void;
} {
  let followed: RunId | undefined;
  let hasBegun = false;
  const early: EventEnvelope[] = [];
  const takeFrom = (events: readonly EventEnvelope[], id: RunId): void => {
    const own = events.filter(({ runId }) => runId === id);
    const [first] = own;
    if (first === undefined) return;
    if (!hasBegun && first.seq > 0) reporter.recall(engine.readEvents(id, -1, first.seq));
    hasBegun = true;
    reporter.take(own);
  };
  return {
    take(events) {
      if (followed === undefined) early.push(...events);
      else takeFrom(events, followed);
    },
    follow(id) {
      followed = id;
      takeFrom(early, id);
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
