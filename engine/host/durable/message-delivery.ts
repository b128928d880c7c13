/**
 * Delivers answers and requests from the shared history to runs, applies deadlines, and starts runs that a program has
 * recorded but not started before it ended. Every worker does this for its workspaces. Doing it twice does no harm.
 */
import type { Clock } from '../../base/clock.ts';
import { asEngineError, EngineError } from '../../base/engine-error.ts';
import type { RunId } from '../../base/ids.ts';
import type { SharedHistory } from '../../history/postgres/shared-history.ts';
import { answerAtDeadline, deadlineName } from '../../runtime/kernel/requests/ask-deadline.ts';
import type { RestateClient } from './restate-client.ts';
import type { RunMessage } from './run-message.ts';

interface DeliveryOptions {
  readonly history: SharedHistory;
  readonly client: Pick<RestateClient, 'deliver' | 'start'>;
  readonly clock: Clock;
  readonly onDelivered: () => void;
  /** Receives errors, after which the delivery is repeated. */
  readonly onProblem: (error: EngineError) => void;
}

/** Maximum number of messages per query. */
const mostAtOnce = 100;

/** Maximum number of runs whose next number is remembered. Without it, the numbers are tried from the first. */
const mostRemembered = 10_000;

/** Pause after an error, in milliseconds. */
const afterProblemMs = 1000;

/** How long a program has time to start a run that it has recorded, in milliseconds. */
const lostAfterMs = 10_000;

/** Maximum time between two checks, in case a notification is lost or the clock changes, in milliseconds. */
const lookAgainMs = 10_000;

export class MessageDelivery {
  readonly #options: DeliveryOptions;
  readonly #stopWatching: () => void;
  /** Number of the next message, by run, as far as it is known here. */
  readonly #next = new Map<RunId, number>();
  #stopTimer: (() => void) | undefined;
  #isLooking = false;
  #hasNews = false;
  #isClosed = false;

  constructor(options: DeliveryOptions) {
    this.#options = options;
    this.#stopWatching = options.history.watch((changes) => {
      if (changes.has('answers') || changes.has('requests')) this.#look();
    });
    this.#look();
  }

  close(): void {
    this.#isClosed = true;
    this.#stopWatching();
    this.#stopTimer?.();
  }

  #look(): void {
    this.#hasNews = true;
    if (!this.#isLooking) void this.#lookRepeatedly();
  }

  async #lookRepeatedly(): Promise<void> {
    this.#isLooking = true;
    this.#stopTimer?.();
    let pauseMs = lookAgainMs;
    while (this.#hasNews && !this.#isClosed) {
      this.#hasNews = false;
      try {
        pauseMs = await this.#deliverAll();
      } catch (thrown) {
        if (!this.#isClosed) this.#options.onProblem(asEngineError(thrown));
        pauseMs = afterProblemMs;
      }
    }
    this.#isLooking = false;
    if (!this.#isClosed) this.#stopTimer = this.#options.clock.setTimer(() => this.#look(), pauseMs);
  }

  /** Returns when to look again, in milliseconds. */
  async #deliverAll(): Promise<number> {
    const { history, client, clock } = this.#options;
    await this.#applyDeadlines();
    const answers = await history.undeliveredAnswers('durable', mostAtOnce);
    const requests = await history.openRequests('durable', mostAtOnce);
    const lost = await history.unsubmittedRuns(lostAfterMs, mostAtOnce);
    let hasProblem = false;
    // A run that cannot be reached must not hold up the others.
    const tolerant = async (deliver: () => Promise<void>): Promise<void> => {
      await deliver().catch((thrown: unknown) => {
        hasProblem = true;
        this.#options.onProblem(asEngineError(thrown));
      });
    };
    for (const { id, runId, answer } of answers)
      await tolerant(async () => {
        await this.#deliver(runId, { id: `answer/${id}`, at: clock.now(), answer });
        await history.markDelivered([id]);
      });
    for (const { id, kind, runId, by } of requests)
      await tolerant(async () => {
        const at = clock.now();
        const hold = kind === 'cancel' ? { at } : { hold: { kind, at, ...(by === undefined ? {} : { by }) } };
        await this.#deliver(runId, { id: `${kind}/${id}`, ...hold });
        await history.markDone([id]);
      });
    for (const { runId, hostInput } of lost)
      await tolerant(async () => history.markSubmitted(runId, await client.start(runId, hostInput)));
    if (hasProblem) return afterProblemMs;
    if (Math.max(answers.length, requests.length, lost.length) === mostAtOnce) this.#hasNews = true;
    const now = clock.now();
    const deadline = await history.nextDeadline(now);
    return Math.min(lookAgainMs, deadline === undefined ? lookAgainMs : Math.max(1, deadline - now));
  }

  /** Delivers under the first number that no other message has. */
  async #deliver(runId: RunId, message: RunMessage): Promise<void> {
    const text = JSON.stringify(message);
    let index = this.#next.get(runId) ?? 0;
    while (!(await this.#options.client.deliver(runId, { index, text }))) index++;
    if (this.#next.size >= mostRemembered) this.#next.clear();
    this.#next.set(runId, index + 1);
    this.#options.onDelivered();
  }

  async #applyDeadlines(): Promise<void> {
    const { history, clock } = this.#options;
    const now = clock.now();
    const due = await history.dueAsks(now, mostAtOnce);
    for (const { runId, onDeadline, ...asked } of due) {
      const payload = answerAtDeadline(onDeadline);
      if (payload === undefined) await history.remind({ runId, onDeadline, ...asked }, now);
      else await this.#claim(runId, { ...asked, payload, by: deadlineName, at: now });
    }
    if (due.length === mostAtOnce) this.#hasNews = true;
  }

  async #claim(...claim: Parameters<SharedHistory['claimAnswer']>): Promise<void> {
    try {
      await this.#options.history.claimAnswer(...claim);
    } catch (error) {
      // A person, or another worker, was faster.
      if (!EngineError.is(error) || error.code !== 'run.invalid-state') throw error;
    }
  }
}
