/**
 * Deletes old runs from a shared history regularly.
 */
import type { Clock } from '../../base/clock.ts';
import { asEngineError, type EngineError } from '../../base/engine-error.ts';
import type { SharedHistory } from '../../history/postgres/shared-history.ts';

interface RemovalOptions {
  readonly history: Pick<SharedHistory, 'removeOldRuns'>;
  /** Runs that ended more than this many days ago are deleted. */
  readonly keepDays: number;
  readonly clock: Pick<Clock, 'setTimer'>;
  /** Receives errors, after which the deletion is repeated. */
  readonly onProblem: (error: EngineError) => void;
}

/** Maximum number of runs per transaction. */
const mostAtOnce = 200;

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/**
 * Deletes old runs now and once a day; after an error, an hour later. Several workers may do it at the same time.
 * Returns a function that ends it.
 */
export function removeOldRunsDaily({ history, keepDays, clock, onProblem }: RemovalOptions): () => void {
  let isClosed = false;
  let stopTimer = (): void => undefined;
  const remove = async (): Promise<void> => {
    let pauseMs = dayMs;
    try {
      let hasMore = true;
      while (hasMore && !isClosed) ({ hasMore } = await history.removeOldRuns({ keepDays, limit: mostAtOnce }));
    } catch (thrown) {
      if (!isClosed) onProblem(asEngineError(thrown));
      pauseMs = hourMs;
    }
    if (!isClosed) stopTimer = clock.setTimer(() => void remove(), pauseMs);
  };
  void remove();
  return () => {
    isClosed = true;
    stopTimer();
  };
}
