/**
 * Starts or resumes a run, shows it until it has ended or asks a person, and lets Ctrl-C cancel it.
 */
import type { RunActions, RunReads } from '../index.ts';
import { type EventEnvelope, type RunId, type RunStatus, rootOf } from '../isomorphic.ts';
import { cancelOnSignals } from './cancel-on-signals.ts';
import type { CliContext } from './cli-context.ts';
import { exitCode, exitCodeOfRun } from './exit-code.ts';
import { createReporter, type RunReporter, type Wanted } from './progress/run-reporter.ts';

/**
 * Follows the run that `start` asks the engine for, and those that redo it because it asked for that.
 * @param start returns undefined when the person declined what the run needs
 * @param onElsewhere called with the run's status if nothing of it happened in this process; returns the exit code
 * @returns the exit code
 * @throws what `start` throws: nothing was shown
 */
export async function followRun(
  context: CliContext,
  { engine, ...wanted }: Wanted & { readonly engine: RunActions & Pick<RunReads, 'subscribe' | 'readEvents'> },
  start: () => Promise<{ runId: RunId } | undefined>,
  onElsewhere?: (status: RunStatus) => Promise<number>,
): Promise<number> {
  const feed = createFeed(() => createReporter(context, wanted), engine);
  const signals = cancelOnSignals(
    context,
    () => engine.cancelRun(),
    () => feed.hasEvents(),
  );
  const unsubscribe = engine.subscribe(feed.take);
  try {
    const first = await start();
    if (first === undefined) return exitCode.denied;
    let status: RunStatus | undefined;
    for (let runId: RunId | undefined = first.runId; runId !== undefined; runId = await engine.whenRedone(runId)) {
      feed.follow(runId);
      ({ status } = await engine.whenEnded(runId));
      await feed.whenShown();
    }
    if (status === undefined) return exitCode.failed;
    if (feed.isRefused()) return exitCode.denied;
    return onElsewhere === undefined || feed.hasShown() ? exitCodeOfRun(status) : await onElsewhere(status);
  } finally {
    unsubscribe();
    signals.stop();
    feed.close();
  }
}

interface Feed {
  take(events: readonly EventEnvelope[]): void;
  /** Shows this run from now on, from its first event. */
  follow(runId: RunId): void;
  /** Whether a policy did not let it begin. */
  isRefused(): boolean;
  /** Whether any run has begun or is followed. */
  hasEvents(): boolean;
  /** Whether there was anything of the run that is followed now. */
  hasShown(): boolean;
  /** Resolves when all that was taken is shown. */
  whenShown(): Promise<void>;
  close(): void;
}

/** Holds events back until it is known which run they have to be of; of a resumed run, reads what came before. */
function createFeed(makeReporter: () => RunReporter, reads: Pick<RunReads, 'readEvents'>): Feed {
  let followed: RunId | undefined;
  let reporter: RunReporter | undefined;
  let hasBegun = false;
  let isRefused = false;
  let early: EventEnvelope[] = [];
  /** What came while earlier events are read. */
  let held: EventEnvelope[] | undefined;
  let recalled = Promise.resolve();
  const recall = async (id: RunId, firstSeq: number, shown: RunReporter): Promise<void> => {
    shown.recall(await reads.readEvents(id, -1, firstSeq));
    const later = held ?? [];
    held = undefined;
    shown.take(later);
  };
  const takeFrom = (events: readonly EventEnvelope[], id: RunId): void => {
    const own = events.filter((event) => rootOf(event) === id);
    const [first] = own;
    if (first === undefined) return;
    isRefused = own.some(({ event }) => event.type === 'run:refused');
    reporter ??= makeReporter();
    const isContinued = !hasBegun && first.seq > 0;
    hasBegun = true;
    if (held !== undefined) held.push(...own);
    else if (isContinued) {
      held = own;
      recalled = recall(id, first.seq, reporter);
      // Whoever waits for it gets the failure.
      recalled.catch(() => undefined);
    } else reporter.take(own);
  };
  return {
    take(events) {
      if (followed !== undefined) takeFrom(events, followed);
      // The next run of a chain may begin before anybody knows its id.
      early.push(...events.filter((event) => rootOf(event) !== followed));
    },
    follow(id) {
      reporter?.close();
      reporter = undefined;
      followed = id;
      hasBegun = false;
      const held = early;
      early = [];
      takeFrom(held, id);
    },
    hasEvents: () => followed !== undefined || early.length > 0,
    isRefused: () => isRefused,
    hasShown: () => hasBegun,
    whenShown: () => recalled,
    close: () => reporter?.close(),
  };
}
