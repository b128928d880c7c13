/**
 * Handles answers to runs' requests: lists open requests, records the first valid answer, and delivers it to a run in
 * progress.
 */
import type { Clock } from '../../base/clock.ts';
import { EngineError } from '../../base/engine-error.ts';
import { type RunId, taskIdOf } from '../../base/ids.ts';
import { Listeners } from '../../base/listeners.ts';
import type { RunStore } from '../../history/store/run-store.ts';
import type { StoredAsk } from '../../history/store/waiting-store.ts';
import type { PolicyLayer } from '../../runtime/governance/policy-layer.ts';
import type { AnswerSource, AskRequest, ReceivedAnswer } from '../../runtime/kernel/requests/ask.ts';
import type { ResumeRun } from './continuation.ts';
import { completeRequest, decideAnswer, type ReadValue } from './decide-answer.ts';
import { warn } from './warn.ts';

/** An open request of a run. */
export interface WaitingAsk {
  readonly runId: RunId;
  /** Full name of the node, as used in an answer. */
  readonly name: string;
  /** Key of the request. Absent if the request asks whether work interrupted by a crash may run again. */
  readonly key?: string;
  readonly requestHash?: string;
  readonly request?: AskRequest;
  /** One-line description for people. */
  readonly message: string;
  /** Time of the request, in epoch milliseconds. */
  readonly askedAt: number;
  readonly deadlineAt?: number;
}

/**
 * Returns the open requests of a run, in the order in which they were made. Omits answered requests, even if the run
 * has not processed the answer yet.
 */
export function readWaiting(store: RunStore, runId: RunId): readonly WaitingAsk[] {
  return openAsks(runId, store.waiting.ofRun(runId), (hash) => store.readValue(hash));
}

/**
 * Returns the open ones of a run's requests.
 * @param readValue returns the value for a hash; undefined if it is not in the history
 */
export function openAsks(runId: RunId, asks: readonly StoredAsk[], readValue: ReadValue): readonly WaitingAsk[] {
  return asks.flatMap((ask): readonly WaitingAsk[] => {
    if (ask.isAnswered) return [];
    const { name, asked, message, askedAt } = ask;
    if (asked === undefined) return [{ runId, name, message, askedAt }];
    const request = completeRequest(asked.request, readValue);
    const { deadlineAt } = request;
    const deadline = deadlineAt === undefined ? {} : { deadlineAt };
    return [{ runId, name, ...asked, request, message, askedAt, ...deadline }];
  });
}

/** Returns the complete request; its large parts are stored separately. */
export function wholeRequest(store: RunStore, request: AskRequest): AskRequest {
  return completeRequest(request, (hash) => store.readValue(hash));
}

interface AnswerTaking {
  /** Current time, in epoch milliseconds. */
  readonly now: number;
  /** Whether to take over a run that no process owns. */
  readonly takesOver: boolean;
  /** The policies in effect. */
  readonly policies?: readonly PolicyLayer[] | undefined;
}

/**
 * Claims the answer in a request to resume.
 * @returns whether the run was taken over; undefined if the request contains no answer because it only decides about
 * interrupted work
 * @throws EngineError the errors of `decideAnswer`
 */
export function claimAnswer(
  store: RunStore,
  request: ResumeRun,
  { now, takesOver, policies = [] }: AnswerTaking,
): boolean | undefined {
  const { runId } = request;
  const snapshot = {
    asks: () => store.waiting.ofRun(runId),
    answers: () => store.answers.list(runId),
    readValue: (hash: string) => store.readValue(hash),
  };
  const decided = decideAnswer(snapshot, request, { now, policies });
  if (decided === undefined) return undefined;
  if ('answer' in decided) return store.claimAnswer(runId, decided.answer, takesOver);
  const { refused, event } = decided;
  // The answer is rejected even if the rejection cannot be recorded.
  if (event !== undefined) tolerated(() => store.note(runId, event, { taskId: taskIdOf(event.nodeId), at: now }));
  throw refused;
}

function tolerated(work: () => void): void {
  try {
    work();
  } catch (thrown) {
    if (!EngineError.is(thrown)) throw thrown;
  }
}

/** Other processes also write answers. Checking for them takes microseconds. */
const lookEveryMs = 500;

/** One run's answers while it is in progress. */
class RunAnswers implements AnswerSource {
  readonly #store: RunStore;
  readonly #runId: RunId;
  readonly #clock: Clock;
  readonly #listeners = new Listeners<[]>();
  #known: readonly ReceivedAnswer[];
  #version: number | undefined;
  #endTimer: (() => void) | undefined;

  constructor(runId: RunId, { store, clock }: { readonly store: RunStore; readonly clock: Clock }) {
    this.#store = store;
    this.#runId = runId;
    this.#clock = clock;
    this.#known = store.answers.list(runId);
  }

  list(): readonly ReceivedAnswer[] {
    return this.#known;
  }

  listen(listener: () => void): () => void {
    const stop = this.#listeners.add(listener);
    this.look();
    if (this.#endTimer === undefined) this.#lookLater();
    return () => {
      stop();
      if (this.#listeners.count > 0) return;
      this.#endTimer?.();
      this.#endTimer = undefined;
    };
  }

  /** Checks for new answers. */
  look(): void {
    const answers = this.#store.answers.list(this.#runId);
    if (answers.length === this.#known.length) return;
    this.#known = answers;
    this.#listeners.tell(warn);
  }

  #lookLater(): void {
    this.#endTimer = this.#clock.setTimer(() => {
      const version = this.#store.foreignVersion();
      if (version !== this.#version) this.look();
      this.#version = version;
      this.#lookLater();
    }, lookEveryMs);
  }
}

/** The answers of the runs in progress. */
export class AnswersOfRuns {
  readonly #world: { readonly store: RunStore; readonly clock: Clock };
  readonly #runs = new Map<RunId, RunAnswers>();

  constructor(world: { readonly store: RunStore; readonly clock: Clock }) {
    this.#world = world;
  }

  /** Returns the answers of a run that is about to start or resume. */
  open(runId: RunId): AnswerSource {
    const answers = new RunAnswers(runId, this.#world);
    this.#runs.set(runId, answers);
    return answers;
  }

  /** Removes a run that is no longer in progress. */
  forget(runId: RunId): void {
    this.#runs.delete(runId);
  }

  /** Checks for new answers to a run in progress. */
  look(runId: RunId): void {
    this.#runs.get(runId)?.look();
  }
}
