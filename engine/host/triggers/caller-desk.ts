/**
 * Connects `respond` nodes with the callers that wait for their runs.
 */
import type { RunId } from '../../base/ids.ts';
import type { CallerResponse, CallersCapability } from '../../runtime/kernel/capabilities/callers-capability.ts';

/** A caller that is about to start a run, and waits for its response. */
export interface WaitingCaller {
  /** Resolves with the response of a run; never if it does not respond. */
  responseOf(runId: RunId): Promise<CallerResponse>;
  /** Must be called in the end. */
  leave(): void;
}

/** Runs are remembered as answered until so many others have been. */
const mostRemembered = 10_000;

export class CallerDesk implements CallersCapability {
  /** Callers that wait for a run. A repeated request has the same run. */
  readonly #waiting = new Map<RunId, Set<(response: CallerResponse) => void>>();
  readonly #answered = new Set<RunId>();
  /** Responses of runs that may have started for a caller that does not know its run yet. */
  readonly #early = new Map<RunId, CallerResponse>();
  #callers = 0;

  async respond(runId: RunId, response: CallerResponse): Promise<boolean> {
    if (this.#answered.has(runId)) return false;
    this.#answered.add(runId);
    const [oldest] = this.#answered;
    if (this.#answered.size > mostRemembered && oldest !== undefined) this.#answered.delete(oldest);
    if (this.#callers > 0) this.#early.set(runId, response);
    for (const deliver of this.#waiting.get(runId) ?? []) deliver(response);
    return true;
  }

  /** Must be called before the event is recorded that starts the run. */
  expect(): WaitingCaller {
    this.#callers++;
    let stop = (): void => undefined;
    return {
      responseOf: (runId) =>
        new Promise((resolve) => {
          const early = this.#early.get(runId);
          if (early !== undefined) resolve(early);
          const all = this.#waiting.get(runId) ?? new Set();
          this.#waiting.set(runId, all.add(resolve));
          stop = () => {
            all.delete(resolve);
            if (all.size === 0) this.#waiting.delete(runId);
          };
        }),
      leave: () => {
        stop();
        this.#callers--;
        if (this.#callers === 0) this.#early.clear();
      },
    };
  }
}
