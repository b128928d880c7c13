/**
 * Takes answers and cancel requests for an engine's runs from a shared history. The engine's own history decides which
 * answer counts.
 */
import { EngineError } from '../../base/engine-error.ts';
import type { RunId } from '../../base/ids.ts';
import type { SharedHistory, UndeliveredAnswer } from '../../history/postgres/shared-history.ts';
import type { RunStore } from '../../history/store/run-store.ts';
import { canonicalText } from '../../runtime/kernel/requests/ask.ts';
import type { ResumeRun } from './continuation.ts';
import { warn } from './warn.ts';

interface DeliveryParts {
  readonly store: RunStore;
  /** Opened with `home`. */
  readonly shared: SharedHistory;
  readonly resumeRun: (request: ResumeRun) => Promise<unknown>;
  readonly cancelRun: (runId: RunId) => void;
  /** Receives the reason an answer was not used, and anything else that a person should know. */
  readonly onRefused: (error: EngineError) => void;
}

const atOnce = 100;

export class SharedDelivery {
  readonly #parts: DeliveryParts;
  readonly #stopWatching: () => void;
  #working: Promise<void> | undefined;
  #looksAgain = false;

  /** Starts to deliver. */
  constructor(parts: DeliveryParts) {
    this.#parts = parts;
    // The watch calls at the start as well.
    this.#stopWatching = parts.shared.watch((changes) => {
      if (changes.has('answers') || changes.has('requests')) this.#look();
    });
  }

  async close(): Promise<void> {
    this.#stopWatching();
    await this.#working;
  }

  #look(): void {
    this.#looksAgain = true;
    this.#working ??= this.#deliver()
      .catch((error: unknown) => {
        // The shared history cannot be reached. The watch calls again when it can.
        if (!EngineError.is(error)) warn(error);
      })
      .finally(() => {
        this.#working = undefined;
      });
  }

  async #deliver(): Promise<void> {
    const { shared } = this.#parts;
    while (this.#looksAgain) {
      this.#looksAgain = false;
      for (const answer of await shared.undeliveredAnswers('own', atOnce)) await this.#answer(answer);
      for (const { id, runId } of await shared.openRequests('own', atOnce))
        if (this.#cancel(runId)) await shared.markDone([id]);
    }
  }

  async #answer(undelivered: UndeliveredAnswer): Promise<void> {
    const { shared, resumeRun, onRefused } = this.#parts;
    const { id, runId, answer } = undelivered;
    try {
      if (!this.#isTaken(undelivered)) await resumeRun(requestOf(undelivered));
    } catch (error) {
      // Anything else may be temporary, so the answer is delivered later.
      if (!EngineError.is(error) || !finalCodes.has(error.code)) throw error;
      await shared.rejectAnswer(id);
      const who = answer.by === undefined ? 'An answer' : `The answer of ${answer.by}`;
      const message = `${who} to "${answer.name}" of run ${runId} from the shared history was not used. ${error.message}`;
      onRefused(new EngineError({ code: error.code, message, details: error.details, cause: error }));
      return;
    }
    await shared.markDelivered([id]);
  }

  /** Returns whether this answer already counts, because the engine stopped before it could mark it as delivered. */
  #isTaken({ runId, answer }: UndeliveredAnswer): boolean {
    return this.#parts.store.answers
      .list(runId)
      .some(
        ({ name, key, requestHash, payload, by }) =>
          name === answer.name &&
          key === answer.key &&
          requestHash === answer.requestHash &&
          by === answer.by &&
          canonicalText(payload) === canonicalText(answer.payload),
      );
  }

  /** Returns whether the request is done. */
  #cancel(runId: RunId): boolean {
    try {
      this.#parts.cancelRun(runId);
      return true;
    } catch (error) {
      if (!EngineError.is(error)) throw error;
      // Another process with the same history runs it, and takes the request.
      return error.code !== 'run.elsewhere';
    }
  }
}

/** Codes of answers that can never be used. */
const finalCodes: ReadonlySet<string> = new Set(['run.invalid-state', 'run.not-found', 'answer.invalid']);

function requestOf({ runId, answer }: UndeliveredAnswer): ResumeRun {
  const { name: nodeId, key, payload, by } = answer;
  const who = by === undefined ? {} : { by };
  if (key !== '') return { runId, nodeId, key, payload, ...who };
  const { approved, comment } = payload;
  const told = typeof comment === 'string' ? { comment } : {};
  return { runId, nodeId, decision: approved === true ? 'approve' : 'reject', ...told, ...who };
}
