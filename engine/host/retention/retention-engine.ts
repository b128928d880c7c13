/**
 * Offers to delete old runs to host programs. The code is loaded with the first call.
 */
import type { OldRunCount } from '../../history/store/retention-store.ts';
import type { RunSummary } from '../../runtime/kernel/events/run-state.ts';
import type { RetentionRule, RetentionState, RetentionWorld } from './run-retention.ts';

/**
 * Deletes old runs, with everything that `deleteRun` deletes. Never deletes a run that has not ended, or that an
 * unfinished run reuses results of.
 */
export interface RetentionEngine {
  /** @throws EngineError `http.bad-list` if the list of rules is damaged */
  readRetention(): Promise<RetentionState>;
  /**
   * Sets the rule of the workspace. Only for a person who has decided it in a system dialog or a terminal. An engine
   * that follows the rule applies it at once.
   * @throws EngineError `retention.list-inside` | `http.bad-list`
   */
  setRetention(rule: RetentionRule): Promise<void>;
  /** Returns the runs that a rule selects, the oldest first. */
  findOldRuns(rule: RetentionRule): Promise<readonly RunSummary[]>;
  /** Returns how many runs a rule selects now. */
  countOldRuns(rule: RetentionRule): Promise<OldRunCount>;
  /**
   * Deletes the runs that a rule selects, in batches.
   * @returns the number of deleted runs
   * @throws EngineError as `deleteRun` does; earlier batches stay deleted
   */
  deleteOldRuns(rule: RetentionRule): Promise<number>;
  /** Applies the rule of the workspace whenever the engine is idle, until it is closed. */
  followRetention(): void;
}

/** Time in milliseconds until the rule is applied first, so that starting the program costs nothing. */
const firstMs = 60_000;

/** Creates the methods. `close` ends what `followRetention` has started. */
export function createRetention(world: RetentionWorld): {
  readonly engine: RetentionEngine;
  readonly close: () => void;
} {
  const loaded = async () => (await import('./run-retention.ts')).createRunRetention(world);
  let isFollowing = false;
  let isClosed = false;
  let end: () => void = () => undefined;
  const begin = async (): Promise<void> => {
    const { follow } = await loaded();
    if (isClosed) return;
    end();
    end = follow();
  };
  const engine: RetentionEngine = {
    readRetention: async () => (await loaded()).read(),
    async setRetention(rule) {
      await (await loaded()).set(rule);
      if (isFollowing) await begin();
    },
    findOldRuns: async (rule) => (await loaded()).find(rule),
    countOldRuns: async (rule) => (await loaded()).count(rule),
    deleteOldRuns: async (rule) => (await loaded()).deleteAll(rule),
    followRetention() {
      isFollowing = true;
      end = world.clock.setTimer(() => void begin(), firstMs);
    },
  };
  return {
    engine,
    close() {
      isClosed = true;
      end();
    },
  };
}
