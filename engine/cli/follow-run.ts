/**
 * Starts or resumes a run, shows it until it ends or asks a person, and cancels it on Ctrl-C.
 */
import type { RunActions, RunReads } from '../index.ts';
import { type EventEnvelope, type RunId, type RunStatus, rootOf } from '../isomorphic.ts';
import { cancelOnSignals } from './cancel-on-signals.ts';
import type { CliContext } from './cli-context.ts';
import { exitCode, exitCodeOfRun } from './exit-code.ts';
import { createReporter, type ReporterOptions, type RunReporter } from './progress/run-reporter.ts';

/** What following needs of an engine, or of a shared history. */
type FollowedEngine = Pick<RunActions, 'cancelRun' | 'whenEnded' | 'whenRedone'> &
  Pick<RunReads, 'subscribe' | 'readEvents'>;

/**
 * Follows the run that `start` starts, and the redos that it requests.
 * @param start returns undefined if the user declined one of the run's requirements
 * @param onElsewhere called with the run's status if the run did not progress in this process; returns the exit code
 * @returns the exit code
 * @throws errors of `start`, before anything is shown
 */
export async function followRun(
  context: CliContext,
  { engine, ...wanted }: ReporterOptions & { readonly engine: FollowedEngine },
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
    return onElsewhere === undefined || feed.hasProgressed() ? exitCodeOfRun(status) : await onElsewhere(status);
  } finally {
    unsubscribe();
    signals.stop();
    feed.close();
  }
}

interface RunEventFeed {
  take(events: readonly EventEnvelope[]): void;
  /** Shows this run, starting with its first event. */
  follow(runId: RunId): void;
  /** Returns whether a policy prevented the run from starting. */
  isRefused(): boolean;
  /** Returns whether any run has started or is followed. */
  hasEvents(): boolean;
  /** Returns whether the current run has started, continued or ended since it is followed. */
  hasProgressed(): boolean;
  /** Resolves when all received events have been shown. */
  whenShown(): Promise<void>;
  close(): void;
}

/** Creates the feed. It buffers events until the run's id is known, and reads the earlier events of a resumed run. */
function createFeed(makeReporter: () => RunReporter, reads: Pick<RunReads, 'readEvents'>): RunEventFeed {
  let followed: RunId | undefined;
  let reporter: RunReporter | undefined;
  let hasBegun = false;
  let hasProgressed = false;
  let isRefused = false;
  let early: EventEnvelope[] = [];
  /** Events that arrive while earlier ones are being read. */
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
    // A change of an output while the run is paused is an event, too.
    hasProgressed ||= own.some(({ event }) => event.type.startsWith('run:'));
    if (held !== undefined) held.push(...own);
    else if (isContinued) {
      held = own;
      recalled = recall(id, first.seq, reporter);
      // `whenShown` reports the failure. This only prevents an unhandled rejection.
      recalled.catch(() => undefined);
    } else reporter.take(own);
  };
  return {
    take(events) {
      if (followed !== undefined) takeFrom(events, followed);
      // The next run of a chain may start before its id is known here.
      early.push(...events.filter((event) => rootOf(event) !== followed));
    },
    follow(id) {
      reporter?.close();
      reporter = undefined;
      followed = id;
      hasBegun = false;
      hasProgressed = false;
      const held = early;
      early = [];
      takeFrom(held, id);
    },
    hasEvents: () => followed !== undefined || early.length > 0,
    isRefused: () => isRefused,
    hasProgressed: () => hasProgressed,
    whenShown: () => recalled,
    close: () => reporter?.close(),
  };
}
