/**
 * Reports why a run makes no progress: Restate finds no worker for it, or cannot be reached.
 */
import type { Clock } from '../../base/clock.ts';
import { asEngineError, EngineError } from '../../base/engine-error.ts';
import type { AttemptFailure, RestateClient } from './restate-client.ts';

interface ProgressWatchOptions {
  readonly client: Pick<RestateClient, 'attemptFailure'>;
  /** Restate's ID of the run. */
  readonly reference: string;
  /** Name of the workspace. */
  readonly workspace: string;
  readonly clock: Pick<Clock, 'now'>;
  readonly onNote: (note: EngineError) => void;
}

/** How long a run has no events before Restate is asked about it, in milliseconds. */
const patienceMs = 5000;

export class ProgressWatch {
  readonly #options: ProgressWatchOptions;
  #seq = -1;
  #askAt: number;
  #hasReported = false;

  constructor(options: ProgressWatchOptions) {
    this.#options = options;
    this.#askAt = options.clock.now() + patienceMs;
  }

  /** Must be called regularly. Reports a problem once until the run continues. @param seq number of its last event */
  async check(seq: number): Promise<void> {
    const { client, reference, workspace, clock, onNote } = this.#options;
    if (seq !== this.#seq) {
      this.#seq = seq;
      this.#hasReported = false;
      this.#askAt = clock.now() + patienceMs;
    }
    if (this.#hasReported || clock.now() < this.#askAt) return;
    this.#askAt = clock.now() + patienceMs;
    const note = await client.attemptFailure(reference).then(
      (failure) => failure && failedAttempt(workspace, failure),
      (thrown: unknown) => asEngineError(thrown),
    );
    if (note === undefined) return;
    this.#hasReported = true;
    onNote(note);
  }
}

function failedAttempt(workspace: string, { address, isUnreachable, reason }: AttemptFailure): EngineError {
  const problem = isUnreachable
    ? `No worker of workspace ${workspace} answers at ${address}. The run continues when one is started there.`
    : `Restate cannot continue the run with the worker of workspace ${workspace} at ${address} now, and tries again.`;
  return new EngineError({ code: 'restate.no-answer', message: `${problem} Restate's reason: ${reason}` });
}
